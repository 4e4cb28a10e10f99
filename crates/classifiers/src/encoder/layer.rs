//! A layer of the transformer, normalised after each half, as BERT has it.

use guardengine_matmul::{Int8Linear, ProductScratch, multiply};
use rten_gemm::{GemmInputB, GemmOptions};
use rten_simd::{SimdOp as _, SimdUnaryOp as _};
use rten_tensor::NdTensorView;
use rten_vecmath::{Gelu, Normalize, NormalizeOptions, Softmax, Sum, SumSquareSub};

use super::weights::{Misshapen, Weights};

/// Numbers of a state.
pub const WIDTH: usize = 384;
/// Numbers of a state that one head of attention looks at.
const HEAD: usize = 32;
const INNER: usize = 1536;
/// What is added to a variance before its root is taken.
const EPSILON: f32 = 1e-12;

/// Room for what is computed on the way, kept from one layer and text to the next.
#[derive(Default)]
pub struct Scratch {
    products: ProductScratch,
    asked: Vec<f32>,
    shown: Vec<f32>,
    shares: Vec<f32>,
    head: Vec<f32>,
    seen: Vec<f32>,
    inner: Vec<f32>,
}

/// One layer.
pub struct Layer {
    /// What a state wants to know.
    asked: Int8Linear,
    /// By what the others are found, and what they tell then.
    shown: Int8Linear,
    attended: Int8Linear,
    attended_norm: Norm,
    inner: Int8Linear,
    outer: Int8Linear,
    outer_norm: Norm,
}

/// Brings a state to mean 0 and variance 1, then to learnt ones.
pub struct Norm {
    scale: Vec<f32>,
    bias: Vec<f32>,
}

impl Layer {
    /// The layer of that number.
    pub fn new(weights: &Weights<'_>, number: usize) -> Result<Self, Misshapen> {
        let name = |part: &str| format!("layers.{number}.{part}");
        let product = |part, from, to| weights.int8_linear(&name(part), [from, to]);
        Ok(Self {
            asked: product("asked", WIDTH, WIDTH)?,
            shown: product("shown", WIDTH, 2 * WIDTH)?,
            attended: product("attended", WIDTH, WIDTH)?,
            attended_norm: Norm::new(weights, &name("attended_norm"))?,
            inner: product("inner", WIDTH, INNER)?,
            outer: product("outer", INNER, WIDTH)?,
            outer_norm: Norm::new(weights, &name("outer_norm"))?,
        })
    }

    /// Replaces the states by what becomes of them where they look at `others`, or at each other.
    pub fn read(&self, states: &mut [f32], others: Option<&[f32]>, scratch: &mut Scratch) {
        let others = others.unwrap_or(states);
        let (length, seen_length) = (states.len(), others.len());
        self.asked.add(states, &mut scratch.products, zeros(&mut scratch.asked, length));
        self.shown.add(others, &mut scratch.products, zeros(&mut scratch.shown, 2 * seen_length));
        attend(scratch);
        self.attended.add(&scratch.seen, &mut scratch.products, states);
        self.attended_norm.apply(states);
        let inner = zeros(&mut scratch.inner, length / WIDTH * INNER);
        self.inner.add(states, &mut scratch.products, inner);
        Gelu {}.map_mut(inner);
        self.outer.add(inner, &mut scratch.products, states);
        self.outer_norm.apply(states);
    }
}

/// Each state's heads see the others as far as those answer what they ask: softmax(Q·Kᵀ / √d)·V (A. Vaswani et al.,
/// "Attention is all you need", <https://arxiv.org/abs/1706.03762>).
fn attend(scratch: &mut Scratch) {
    let Scratch { asked, shown, shares, head, seen, .. } = scratch;
    let (length, others) = (asked.len() / WIDTH, shown.len() / (2 * WIDTH));
    let asked = NdTensorView::from_data([length, WIDTH], asked.as_slice());
    let shown = NdTensorView::from_data([others, 2 * WIDTH], shown.as_slice());
    let shares = zeros(shares, length * others);
    let head = zeros(head, length * HEAD);
    let seen = zeros(seen, length * WIDTH);
    for from in (0..WIDTH).step_by(HEAD) {
        let of = |first: usize| (.., first..first + HEAD);
        let keys = shown.slice(of(from)).transposed();
        let options = GemmOptions { alpha: (HEAD as f32).sqrt().recip(), ..GemmOptions::default() };
        multiply(asked.slice(of(from)), GemmInputB::Unpacked(keys), options, shares);
        for row in shares.chunks_exact_mut(others) {
            Softmax::new_mut(row).dispatch();
        }
        let answers = GemmInputB::Unpacked(shown.slice(of(WIDTH + from)));
        let shares = NdTensorView::from_data([length, others], &*shares);
        multiply(shares, answers, GemmOptions::default(), head);
        for (state, head) in seen.chunks_exact_mut(WIDTH).zip(head.chunks_exact(HEAD)) {
            state[from..from + HEAD].copy_from_slice(head);
        }
    }
}

impl Norm {
    /// The norm of that name.
    pub fn new(weights: &Weights<'_>, name: &str) -> Result<Self, Misshapen> {
        let of = |part: &str| weights.floats(&format!("{name}.{part}"), &[WIDTH]);
        Ok(Self { scale: of("weight")?, bias: of("bias")? })
    }

    /// Normalises each state.
    pub fn apply(&self, states: &mut [f32]) {
        for state in states.chunks_exact_mut(WIDTH) {
            let mean = Sum::new(state).dispatch() / WIDTH as f32;
            let variance = SumSquareSub::new(state, mean).dispatch() / WIDTH as f32;
            let options = NormalizeOptions {
                pre_scale_bias: mean,
                scale: (variance + EPSILON).sqrt().recip(),
                element_scale: Some(&self.scale),
                element_bias: Some(&self.bias),
                ..NormalizeOptions::default()
            };
            Normalize::new_mut(state, options).dispatch();
        }
    }
}

/// The room, with so many noughts in it.
fn zeros(room: &mut Vec<f32>, length: usize) -> &mut [f32] {
    room.clear();
    room.resize(length, 0.0);
    room
}
