//! The decoder: writes a text token by token. Each token's state reads those before it and the states of the audio.

use std::io::{Read, Seek};

use guardengine_matmul::{Int8Linear, Int8Vector, ProductScratch, at_least, multiply};
use rten_gemm::{GemmInputB, GemmOptions};
use rten_simd::{SimdOp as _, SimdUnaryOp as _};
use rten_tensor::NdTensorView;
use rten_vecmath::{Gelu, Softmax};

use super::{
    model_file::{ModelFile, Reason},
    weights::{Norm, Shape, TEXT_POSITIONS, embeddings, layers, linear, vector},
};

/// The decoder.
pub struct Decoder {
    shape: Shape,
    embeddings: Int8Vector,
    positions: Vec<f32>,
    layers: Vec<Layer>,
    norm: Norm,
}

struct Layer {
    own_norm: Norm,
    /// Query, key and value in one product.
    projections: Int8Vector,
    own_attended: Int8Vector,
    audio_norm: Norm,
    query: Int8Vector,
    /// Key and value of each state of the audio.
    audio: Int8Linear,
    audio_attended: Int8Vector,
    inner_norm: Norm,
    inner: Int8Vector,
    outer: Int8Vector,
}

/// A text while it is written.
pub struct Writing<'d> {
    decoder: &'d Decoder,
    /// Keys and values of the audio for each layer.
    audio: Vec<Vec<f32>>,
    /// Keys and values of the tokens so far for each layer.
    own: Vec<Vec<f32>>,
    /// Tokens so far.
    position: usize,
    state: Vec<f32>,
    scratch: Scratch,
}

/// Buffers of a token.
#[derive(Default)]
struct Scratch {
    product: ProductScratch,
    normalized: Vec<f32>,
    projected: Vec<f32>,
    mixed: Vec<f32>,
    inner: Vec<f32>,
    /// Shares that each head reads of each token or state of the audio.
    weights: Vec<f32>,
}

impl Decoder {
    /// Reads the decoder of a model.
    pub fn read<F: Read + Seek>(file: &mut ModelFile<F>, shape: Shape) -> Result<Self, Reason> {
        let Shape { width, vocabulary, .. } = shape;
        let count = layers(file, "decoder")?;
        Ok(Self {
            shape,
            embeddings: embeddings(file, "decoder/embeddings/weight", [width, vocabulary])?,
            positions: file.floats("decoder/position_encodings/encodings", &[TEXT_POSITIONS, width])?,
            layers: (0..count).map(|number| Layer::read(file, shape, number)).collect::<Result<_, _>>()?,
            norm: Norm::read(file, "decoder/layer_norm", width)?,
        })
    }

    /// Returns the number of layers and of heads in each.
    pub fn heads(&self) -> [usize; 2] {
        [self.layers.len(), self.shape.heads]
    }

    /// Begins a text about these states of the encoder.
    pub fn write(&self, audio: &[f32]) -> Writing<'_> {
        let mut product = ProductScratch::default();
        let of_layer = |layer: &Layer| {
            let mut projected = vec![0.0; 2 * audio.len()];
            layer.audio.set(audio, &mut product, &mut projected);
            projected
        };
        Writing {
            decoder: self,
            audio: self.layers.iter().map(of_layer).collect(),
            own: vec![Vec::new(); self.layers.len()],
            position: 0,
            state: vec![0.0; self.shape.width],
            scratch: Scratch::default(),
        }
    }
}

impl Writing<'_> {
    /// Adds a token, of at most [`TEXT_POSITIONS`]. Calls `attended` for each layer and head with how much it reads of each
    /// state of the audio.
    pub fn push(&mut self, token: u32, mut attended: impl FnMut([usize; 2], &[f32])) {
        let Self { decoder, audio, own, position, state, scratch } = self;
        let shape = decoder.shape;
        state.copy_from_slice(&decoder.positions[*position * shape.width..][..shape.width]);
        decoder.embeddings.add_weights(token as usize, state);
        for (number, layer) in decoder.layers.iter().enumerate() {
            layer.read_text(state, &mut own[number], shape, scratch);
            layer.read_audio(state, &audio[number], shape, scratch);
            let count = audio[number].len() / (2 * shape.width);
            for (head, read) in scratch.weights.chunks_exact(count).take(shape.heads).enumerate() {
                attended([number, head], read);
            }
            layer.feed_forward(state, shape, scratch);
        }
        *position += 1;
    }

    /// Writes the logit of each token that may come next.
    pub fn logits(&mut self, to: &mut Vec<f32>) {
        let decoder = self.decoder;
        let normalized = at_least(&mut self.scratch.normalized, decoder.shape.width);
        decoder.norm.set(&self.state, normalized);
        to.resize(decoder.shape.vocabulary, 0.0);
        decoder.embeddings.set(normalized, &mut self.scratch.product, to);
    }
}

impl Layer {
    fn read<F: Read + Seek>(file: &mut ModelFile<F>, shape: Shape, number: usize) -> Result<Self, Reason> {
        let width = shape.width;
        let name = |part: &str| format!("decoder/layer_{number}/{part}");
        Ok(Self {
            own_norm: Norm::read(file, &name("self_attention/layer_norm"), width)?,
            projections: vector(file, &name("self_attention/linear_0"), [width, 3 * width])?,
            own_attended: vector(file, &name("self_attention/linear_1"), [width, width])?,
            audio_norm: Norm::read(file, &name("attention/layer_norm"), width)?,
            query: vector(file, &name("attention/linear_0"), [width, width])?,
            audio: linear(file, &name("attention/linear_1"), [width, 2 * width])?,
            audio_attended: vector(file, &name("attention/linear_2"), [width, width])?,
            inner_norm: Norm::read(file, &name("ffn/layer_norm"), width)?,
            inner: vector(file, &name("ffn/linear_0"), [width, shape.inner()])?,
            outer: vector(file, &name("ffn/linear_1"), [shape.inner(), width])?,
        })
    }

    fn read_text(&self, state: &mut [f32], own: &mut Vec<f32>, shape: Shape, scratch: &mut Scratch) {
        let Scratch { product, normalized, projected, mixed, weights, .. } = scratch;
        let normalized = at_least(normalized, shape.width);
        self.own_norm.set(state, normalized);
        let projected = at_least(projected, 3 * shape.width);
        self.projections.set(normalized, product, projected);
        let (query, keys_and_values) = projected.split_at(shape.width);
        own.extend_from_slice(keys_and_values);
        let mixed = at_least(mixed, shape.width);
        attend(query, own, shape, weights, mixed);
        self.own_attended.add(mixed, product, state);
    }

    fn read_audio(&self, state: &mut [f32], audio: &[f32], shape: Shape, scratch: &mut Scratch) {
        let Scratch { product, normalized, projected, mixed, weights, .. } = scratch;
        let normalized = at_least(normalized, shape.width);
        self.audio_norm.set(state, normalized);
        let query = at_least(projected, shape.width);
        self.query.set(normalized, product, query);
        let mixed = at_least(mixed, shape.width);
        attend(query, audio, shape, weights, mixed);
        self.audio_attended.add(mixed, product, state);
    }

    fn feed_forward(&self, state: &mut [f32], shape: Shape, scratch: &mut Scratch) {
        let Scratch { product, normalized, inner, .. } = scratch;
        let normalized = at_least(normalized, shape.width);
        self.inner_norm.set(state, normalized);
        let inner = at_least(inner, shape.inner());
        self.inner.set(normalized, product, inner);
        Gelu {}.map_mut(&mut *inner);
        self.outer.add(inner, product, state);
    }
}

/// Writes softmax(q·Kᵀ / √d)·V of each head, beside each other, to `mixed`. Each row is a key and a value.
fn attend(query: &[f32], rows: &[f32], shape: Shape, weights: &mut Vec<f32>, mixed: &mut [f32]) {
    let (width, depth) = (shape.width, shape.depth());
    let count = rows.len() / (2 * width);
    let rows = NdTensorView::from_data([count, 2 * width], rows);
    let weights = at_least(weights, shape.heads * count);
    let options = GemmOptions { alpha: (depth as f32).sqrt().recip(), ..GemmOptions::default() };
    for (head, weights) in weights.chunks_exact_mut(count).enumerate() {
        let part = head * depth..(head + 1) * depth;
        let keys = rows.slice((.., part.clone()));
        let one = NdTensorView::from_data([1, depth], &query[part.clone()]);
        multiply(one, GemmInputB::Unpacked(keys.transposed()), options.clone(), weights);
        Softmax::new_mut(&mut *weights).dispatch();
        let values = rows.slice((.., width + part.start..width + part.end));
        let one = NdTensorView::from_data([1, count], &*weights);
        multiply(one, GemmInputB::Unpacked(values), GemmOptions::default(), &mut mixed[part]);
    }
}
