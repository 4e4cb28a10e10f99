//! The encoder: two convolutions that make a state of each 20 ms of a spectrogram, and layers in which each state reads all
//! others (A. Radford et al., "Robust Speech Recognition via Large-Scale Weak Supervision",
//! <https://arxiv.org/abs/2212.04356>).

use std::io::{Read, Seek};

use guardengine_matmul::{AttentionScratch, DenseLinear, Int8Linear, ProductScratch, at_least, attend};
use rten_simd::SimdUnaryOp as _;
use rten_tensor::NdTensorView;
use rten_vecmath::Gelu;

use super::{
    model_file::{ModelFile, Reason},
    weights::{AUDIO_POSITIONS, KERNEL, Norm, Shape, convolution, layers, linear},
};

/// Frames of the spectrogram for each state.
pub const FRAMES_PER_STATE: usize = 2;

/// The encoder.
pub struct Encoder {
    shape: Shape,
    first: DenseLinear,
    second: DenseLinear,
    positions: Vec<f32>,
    layers: Vec<Layer>,
    norm: Norm,
}

struct Layer {
    attention_norm: Norm,
    /// Query, key and value in one product.
    projections: Int8Linear,
    attended: Int8Linear,
    inner_norm: Norm,
    inner: Int8Linear,
    outer: Int8Linear,
}

/// Buffers of the layers.
#[derive(Default)]
struct Scratch {
    product: ProductScratch,
    normalized: Vec<f32>,
    projected: Vec<f32>,
    mixed: Vec<f32>,
    inner: Vec<f32>,
    attention: AttentionScratch,
}

impl Encoder {
    /// Reads the encoder of a model.
    pub fn read<F: Read + Seek>(file: &mut ModelFile<F>, shape: Shape) -> Result<Self, Reason> {
        let Shape { width, mels, .. } = shape;
        let count = layers(file, "encoder")?;
        Ok(Self {
            shape,
            first: convolution(file, "encoder/conv1", [mels, width])?,
            second: convolution(file, "encoder/conv2", [width, width])?,
            positions: file.floats("encoder/position_encodings/encodings", &[AUDIO_POSITIONS, width])?,
            layers: (0..count).map(|number| Layer::read(file, shape, number)).collect::<Result<_, _>>()?,
            norm: Norm::read(file, "encoder/layer_norm", width)?,
        })
    }

    /// Returns the states of a spectrogram, one for each two frames, of at most [`AUDIO_POSITIONS`].
    pub fn run(&self, spectrogram: &[f32]) -> Vec<f32> {
        let Shape { width, mels, .. } = self.shape;
        let frames = convolve(&self.first, spectrogram, mels, 1);
        let mut states = convolve(&self.second, &frames, width, FRAMES_PER_STATE);
        for (state, position) in states.iter_mut().zip(&self.positions) {
            *state += position;
        }
        let mut scratch = Scratch::default();
        for layer in &self.layers {
            layer.run(&mut states, self.shape, &mut scratch);
        }
        let mut normalized = vec![0.0; states.len()];
        self.norm.set(&states, &mut normalized);
        normalized
    }
}

/// Runs a convolution over frames of `width` numbers, with zeros around them, and GELU.
fn convolve(convolution: &DenseLinear, frames: &[f32], width: usize, stride: usize) -> Vec<f32> {
    let mut padded = vec![0.0; frames.len() + 2 * width];
    padded[width..width + frames.len()].copy_from_slice(frames);
    let count = frames.len() / width / stride;
    let rows = NdTensorView::from_slice_with_strides([count, KERNEL * width], &padded, [stride * width, 1]);
    let mut convolved = convolution.of_rows(rows.expect("the last frame is followed by zeros"));
    Gelu {}.map_mut(&mut convolved);
    convolved
}

impl Layer {
    fn read<F: Read + Seek>(file: &mut ModelFile<F>, shape: Shape, number: usize) -> Result<Self, Reason> {
        let width = shape.width;
        let name = |part: &str| format!("encoder/layer_{number}/{part}");
        Ok(Self {
            attention_norm: Norm::read(file, &name("self_attention/layer_norm"), width)?,
            projections: linear(file, &name("self_attention/linear_0"), [width, 3 * width])?,
            attended: linear(file, &name("self_attention/linear_1"), [width, width])?,
            inner_norm: Norm::read(file, &name("ffn/layer_norm"), width)?,
            inner: linear(file, &name("ffn/linear_0"), [width, shape.inner()])?,
            outer: linear(file, &name("ffn/linear_1"), [shape.inner(), width])?,
        })
    }

    fn run(&self, states: &mut [f32], shape: Shape, scratch: &mut Scratch) {
        let count = states.len() / shape.width;
        self.attend(states, shape, scratch);
        let Scratch { product, normalized, inner, mixed, .. } = scratch;
        self.attended.add(&mixed[..states.len()], product, states);
        self.inner_norm.set(states, normalized);
        let inner = at_least(inner, count * shape.inner());
        self.inner.set(normalized, product, inner);
        Gelu {}.map_mut(&mut *inner);
        self.outer.add(inner, product, states);
    }

    /// Lets the states read each other.
    fn attend(&self, states: &[f32], shape: Shape, scratch: &mut Scratch) {
        let Scratch { product, normalized, projected, mixed, attention, .. } = scratch;
        self.attention_norm.set(states, at_least(normalized, states.len()));
        let projected = at_least(projected, 3 * states.len());
        self.projections.set(&normalized[..states.len()], product, projected);
        attend(projected, [shape.width, shape.depth()], attention, at_least(mixed, states.len()));
    }
}
