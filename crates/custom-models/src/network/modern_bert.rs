//! ModernBERT (Warner et al. 2024): rotary positions, gated maps, and layers of which most look only at what is near.

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{
    Embedding, LayerNorm, LayerNormConfig, Linear, Module as _, VarBuilder, embedding, linear, linear_b,
    rotary_emb::rope,
};
use serde::Deserialize;

use super::{
    Forward,
    layers::{Activation, Heads, compare},
};
use crate::model_config::MAX_TOKENS;

/// Sizes, as `config.json` has them. Newer files list the kind of each layer and write `rope_parameters`.
#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the file has them")]
pub struct Sizes {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default)]
    hidden_activation: Activation,
    #[serde(default = "epsilon")]
    norm_eps: f64,
    #[serde(default = "third")]
    global_attn_every_n_layers: usize,
    layer_types: Option<Vec<String>>,
    #[serde(default = "far")]
    global_rope_theta: f64,
    local_rope_theta: Option<f64>,
    rope_parameters: Option<Rotations>,
    #[serde(default = "near")]
    local_attention: usize,
    #[serde(default)]
    norm_bias: bool,
    #[serde(default)]
    attention_bias: bool,
    #[serde(default)]
    mlp_bias: bool,
    #[serde(default)]
    classifier_bias: bool,
    #[serde(default)]
    classifier_activation: Activation,
    #[serde(default)]
    classifier_pooling: Pooling,
}

#[derive(Deserialize)]
struct Rotations {
    full_attention: Rotation,
    sliding_attention: Rotation,
}

#[derive(Deserialize)]
struct Rotation {
    rope_theta: f64,
}

/// What the head reads: the first state, or the mean of all.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Pooling {
    #[default]
    Cls,
    Mean,
}

const fn epsilon() -> f64 {
    1e-5
}

const fn third() -> usize {
    3
}

const fn far() -> f64 {
    160_000.0
}

const fn near() -> usize {
    128
}

impl Sizes {
    fn is_local(&self, layer: usize) -> bool {
        match self.layer_types.as_ref().and_then(|kinds| kinds.get(layer)) {
            Some(kind) => kind == "sliding_attention",
            None => !layer.is_multiple_of(self.global_attn_every_n_layers.max(1)),
        }
    }

    fn theta(&self, is_local: bool) -> f64 {
        match &self.rope_parameters {
            Some(rotations) if is_local => rotations.sliding_attention.rope_theta,
            Some(rotations) => rotations.full_attention.rope_theta,
            None if is_local => self.local_rope_theta.unwrap_or(self.global_rope_theta),
            None => self.global_rope_theta,
        }
    }

    fn norm(&self, weights: &VarBuilder<'_>) -> Result<LayerNorm> {
        let how =
            LayerNormConfig { eps: self.norm_eps, affine: self.norm_bias, ..LayerNormConfig::default() };
        candle_nn::layer_norm(self.hidden_size, how, weights.clone())
    }
}

/// A network of this kind.
pub struct ModernBert {
    words: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
    last_norm: LayerNorm,
    /// How far a local layer looks to each side.
    reach: usize,
    pooling: Pooling,
    head: Linear,
    activation: Activation,
    head_norm: LayerNorm,
    classifier: Linear,
}

struct Layer {
    /// The first layer has none.
    norm: Option<LayerNorm>,
    /// Queries, keys and values.
    inputs: Linear,
    output: Linear,
    heads: Heads,
    rotation: [Tensor; 2],
    is_local: bool,
    block_norm: LayerNorm,
    wider: Linear,
    activation: Activation,
    narrower: Linear,
}

impl ModernBert {
    /// The weights, for so many labels.
    pub fn load(sizes: &Sizes, outputs: usize, weights: &VarBuilder<'_>) -> Result<Self> {
        let (size, base) = (sizes.hidden_size, weights.pp("model"));
        let layers = 0..sizes.num_hidden_layers;
        Ok(Self {
            words: embedding(sizes.vocab_size, size, base.pp("embeddings.tok_embeddings"))?,
            norm: sizes.norm(&base.pp("embeddings.norm"))?,
            layers: layers
                .map(|layer| Layer::load(sizes, layer, &base.pp("layers").pp(layer)))
                .collect::<Result<_>>()?,
            last_norm: sizes.norm(&base.pp("final_norm"))?,
            reach: sizes.local_attention / 2,
            pooling: sizes.classifier_pooling,
            head: linear_b(size, size, sizes.classifier_bias, weights.pp("head.dense"))?,
            activation: sizes.classifier_activation,
            head_norm: sizes.norm(&weights.pp("head.norm"))?,
            classifier: linear(size, outputs, weights.pp("classifier"))?,
        })
    }

    /// Minus infinity where a local layer does not look, of shape (pieces, pieces).
    fn mask(&self, pieces: usize, device: &Device) -> Result<Tensor> {
        let hidden =
            |from: usize, to: usize| if from.abs_diff(to) > self.reach { f32::NEG_INFINITY } else { 0.0 };
        let mask: Vec<f32> =
            (0..pieces).flat_map(|from| (0..pieces).map(move |to| hidden(from, to))).collect();
        Tensor::from_vec(mask, (pieces, pieces), device)
    }
}

impl Forward for ModernBert {
    fn forward(&self, ids: &Tensor, _: &Tensor) -> Result<Tensor> {
        let mask = self.mask(ids.dim(0)?, ids.device())?;
        let mut states = self.norm.forward(&self.words.forward(ids)?)?;
        for layer in &self.layers {
            states = layer.forward(&states, &mask)?;
        }
        let states = self.last_norm.forward(&states)?;
        let pooled = match self.pooling {
            Pooling::Cls => states.narrow(0, 0, 1)?,
            Pooling::Mean => states.mean_keepdim(0)?,
        };
        let inner = self.activation.forward(&self.head.forward(&pooled)?)?;
        self.classifier.forward(&self.head_norm.forward(&inner)?)?.squeeze(0)
    }
}

impl Layer {
    fn load(sizes: &Sizes, index: usize, layer: &VarBuilder<'_>) -> Result<Self> {
        let (size, wide, is_local) = (sizes.hidden_size, sizes.intermediate_size, sizes.is_local(index));
        let heads = Heads::new(size, sizes.num_attention_heads)?;
        Ok(Self {
            norm: (index > 0).then(|| sizes.norm(&layer.pp("attn_norm"))).transpose()?,
            inputs: linear_b(size, 3 * size, sizes.attention_bias, layer.pp("attn.Wqkv"))?,
            output: linear_b(size, size, sizes.attention_bias, layer.pp("attn.Wo"))?,
            heads,
            rotation: rotation(heads.size(), sizes.theta(is_local), layer.device())?,
            is_local,
            block_norm: sizes.norm(&layer.pp("mlp_norm"))?,
            wider: linear_b(size, 2 * wide, sizes.mlp_bias, layer.pp("mlp.Wi"))?,
            activation: sizes.hidden_activation,
            narrower: linear_b(wide, size, sizes.mlp_bias, layer.pp("mlp.Wo"))?,
        })
    }

    fn forward(&self, states: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let normed = self.norm.as_ref().map_or_else(|| Ok(states.clone()), |norm| norm.forward(states))?;
        let states = (states + self.attend(&normed, mask)?)?;
        let inner = self.wider.forward(&self.block_norm.forward(&states)?)?.chunk(2, D::Minus1)?;
        let gated = (self.activation.forward(&inner[0].contiguous()?)? * &inner[1])?;
        states + self.narrower.forward(&gated)?
    }

    fn attend(&self, states: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let inputs = self.inputs.forward(states)?.chunk(3, D::Minus1)?;
        let split = |index: usize| self.heads.split(&inputs[index].contiguous()?);
        let scale = (self.heads.size() as f64).powf(-0.5);
        let mut scores = (compare(&self.rotate(&split(0)?)?, &self.rotate(&split(1)?)?)? * scale)?;
        if self.is_local {
            scores = scores.broadcast_add(mask)?;
        }
        self.output.forward(&self.heads.weigh(&scores, &split(2)?)?)
    }

    fn rotate(&self, heads: &Tensor) -> Result<Tensor> {
        let [cosines, sines] = &self.rotation;
        rope(&heads.unsqueeze(0)?, cosines, sines)?.squeeze(0)
    }
}

/// Cosines and sines of the rotations of each position, of shape (positions, half the size of a head).
fn rotation(size: usize, theta: f64, device: &Device) -> Result<[Tensor; 2]> {
    let frequency = |at: usize| theta.powf(-((2 * at) as f64) / size as f64);
    let angles: Vec<f32> = (0..MAX_TOKENS)
        .flat_map(|position| (0..size / 2).map(move |at| (position as f64 * frequency(at)) as f32))
        .collect();
    let angles = Tensor::from_vec(angles, (MAX_TOKENS, size / 2), device)?;
    Ok([angles.cos()?, angles.sin()?])
}
