//! A layer of the transformer, normalized after each half, as in BERT.

use std::ops::Range;

use guardengine_matmul::{AttentionScratch, Int8Linear, QuantizedRows, at_least, attend};
use rten_simd::{SimdOp as _, SimdUnaryOp as _};
use rten_vecmath::{Gelu, Normalize, NormalizeOptions, Sum, SumSquareSub};

use super::{
    config::Shape,
    weights::{WeightsError, WeightsFile},
};

/// Buffers of a layer, kept from one to the next.
#[derive(Default)]
pub struct LayerScratch {
    rows: QuantizedRows,
    inner_rows: QuantizedRows,
    sums: Vec<i32>,
    /// Queries, keys and values of each state, beside each other.
    projected: Vec<f32>,
    attention: AttentionScratch,
    mixed: Vec<f32>,
    inner: Vec<f32>,
}

/// One layer.
pub struct Layer {
    heads: usize,
    /// Query, key and value in one product.
    projections: Int8Linear,
    attended: Int8Linear,
    attended_norm: Norm,
    inner: Int8Linear,
    outer: Int8Linear,
    outer_norm: Norm,
}

/// Brings a state to mean 0 and variance 1, then to learned ones.
pub struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Layer {
    /// The layer of that number.
    pub fn new(file: &WeightsFile<'_>, shape: &Shape, number: usize) -> Result<Self, WeightsError> {
        let Shape { width, inner, heads, .. } = *shape;
        let name = |part: &str| format!("layers.{number}.{part}");
        let linear = |part, sizes| file.int8_linear(&[name(part)], sizes);
        Ok(Self {
            heads,
            projections: file.int8_linear(&["query", "key", "value"].map(name), [width, width])?,
            attended: linear("attended", [width, width])?,
            attended_norm: Norm::new(file, &name("attended_norm"), shape)?,
            inner: linear("inner", [width, inner])?,
            outer: linear("outer", [inner, width])?,
            outer_norm: Norm::new(file, &name("outer_norm"), shape)?,
        })
    }

    /// Replaces the states of each window, a range of rows, by those after the layer.
    pub fn run(&self, states: &mut [f32], windows: &[Range<usize>], scratch: &mut LayerScratch) {
        let width = self.attended.outputs();
        self.project(states, scratch);
        at_least(&mut scratch.mixed, states.len());
        for window in windows {
            self.attend(window, scratch);
        }
        let LayerScratch { rows, inner_rows, sums, mixed, inner, .. } = scratch;
        rows.set(&mixed[..states.len()], width);
        self.attended.multiply(rows, sums);
        for (row, state) in states.chunks_exact_mut(width).enumerate() {
            self.attended.add_row(rows, sums, row, state);
            self.attended_norm.apply(state);
        }
        rows.set(states, width);
        self.inner.multiply(rows, sums);
        inner_rows.fill(states.len() / width, at_least(inner, self.inner.outputs()), |row, line| {
            self.inner.set_row(rows, sums, row, line);
            Gelu {}.map_mut(line);
        });
        self.outer.multiply(inner_rows, sums);
        for (row, state) in states.chunks_exact_mut(width).enumerate() {
            self.outer.add_row(inner_rows, sums, row, state);
            self.outer_norm.apply(state);
        }
    }

    fn project(&self, states: &[f32], scratch: &mut LayerScratch) {
        let LayerScratch { rows, sums, projected, .. } = scratch;
        rows.set(states, self.projections.inputs());
        self.projections.multiply(rows, sums);
        let outputs = self.projections.outputs();
        let projected = at_least(projected, states.len() / self.projections.inputs() * outputs);
        for (row, line) in projected.chunks_exact_mut(outputs).enumerate() {
            self.projections.set_row(rows, sums, row, line);
        }
    }

    /// Lets the states of a window read each other.
    fn attend(&self, window: &Range<usize>, scratch: &mut LayerScratch) {
        let LayerScratch { projected, attention, mixed, .. } = scratch;
        let width = self.attended.inputs();
        let projected = &projected[window.start * 3 * width..window.end * 3 * width];
        let mixed = &mut mixed[window.start * width..window.end * width];
        attend(projected, [width, width / self.heads], attention, mixed);
    }
}

impl Norm {
    /// The normalization of that name.
    pub fn new(file: &WeightsFile<'_>, name: &str, shape: &Shape) -> Result<Self, WeightsError> {
        let part = |part: &str| file.floats(&format!("{name}.{part}"), &[shape.width]);
        Ok(Self { weight: part("weight")?, bias: part("bias")?, epsilon: shape.epsilon })
    }

    /// Normalizes a state.
    pub fn apply(&self, state: &mut [f32]) {
        let count = state.len() as f32;
        let mean = Sum::new(state).dispatch() / count;
        let variance = SumSquareSub::new(state, mean).dispatch() / count;
        let options = NormalizeOptions {
            pre_scale_bias: mean,
            scale: (variance + self.epsilon).sqrt().recip(),
            element_scale: Some(&self.weight),
            element_bias: Some(&self.bias),
            ..NormalizeOptions::default()
        };
        Normalize::new_mut(state, options).dispatch();
    }
}
