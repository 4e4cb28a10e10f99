//! ModernBERT (Warner et al. 2024): rotary positions, gated feed-forward networks, and mostly local attention.

use candle_core::{D, Device, Result, Tensor};
use candle_nn::{
    Embedding, LayerNorm, LayerNormConfig, Linear, Module as _, VarBuilder, embedding, linear, linear_b,
    rotary_emb::rope,
};
use serde::Deserialize;

use super::{
    Forward,
    layers::{Activation, Heads, attention_scores},
};
use crate::model_config::MAX_TOKENS;

/// Sizes in `config.json`. Newer files list the type of each layer and contain `rope_parameters`.
#[derive(Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "the file has these fields")]
pub struct Sizes {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    #[serde(default)]
    hidden_activation: Activation,
    #[serde(default = "default_epsilon")]
    norm_eps: f64,
    #[serde(default = "default_global_interval")]
    global_attn_every_n_layers: usize,
    layer_types: Option<Vec<String>>,
    #[serde(default = "default_global_theta")]
    global_rope_theta: f64,
    local_rope_theta: Option<f64>,
    rope_parameters: Option<Rotations>,
    #[serde(default = "default_local_attention")]
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

/// Input of the head: the first token's state or the mean of all states.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Pooling {
    #[default]
    Cls,
    Mean,
}

const fn default_epsilon() -> f64 {
    1e-5
}

const fn default_global_interval() -> usize {
    3
}

const fn default_global_theta() -> f64 {
    160_000.0
}

const fn default_local_attention() -> usize {
    128
}

impl Sizes {
    fn is_local(&self, layer: usize) -> bool {
        match self.layer_types.as_ref().and_then(|types| types.get(layer)) {
            Some(layer_type) => layer_type == "sliding_attention",
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
        let config =
            LayerNormConfig { eps: self.norm_eps, affine: self.norm_bias, ..LayerNormConfig::default() };
        candle_nn::layer_norm(self.hidden_size, config, weights.clone())
    }
}

/// A ModernBERT network.
pub struct ModernBert {
    words: Embedding,
    norm: LayerNorm,
    layers: Vec<Layer>,
    final_norm: LayerNorm,
    /// Tokens that a local layer attends to on each side.
    local_radius: usize,
    pooling: Pooling,
    head: Linear,
    activation: Activation,
    head_norm: LayerNorm,
    classifier: Linear,
}

struct Layer {
    /// `None` in the first layer.
    norm: Option<LayerNorm>,
    /// Projection to queries, keys and values.
    qkv: Linear,
    output: Linear,
    heads: Heads,
    rotation: [Tensor; 2],
    is_local: bool,
    mlp_norm: LayerNorm,
    up: Linear,
    activation: Activation,
    down: Linear,
}

impl ModernBert {
    /// Loads the weights of a network with `outputs` labels.
    pub fn load(sizes: &Sizes, outputs: usize, weights: &VarBuilder<'_>) -> Result<Self> {
        let (size, base) = (sizes.hidden_size, weights.pp("model"));
        let layers = 0..sizes.num_hidden_layers;
        Ok(Self {
            words: embedding(sizes.vocab_size, size, base.pp("embeddings.tok_embeddings"))?,
            norm: sizes.norm(&base.pp("embeddings.norm"))?,
            layers: layers
                .map(|layer| Layer::load(sizes, layer, &base.pp("layers").pp(layer)))
                .collect::<Result<_>>()?,
            final_norm: sizes.norm(&base.pp("final_norm"))?,
            local_radius: sizes.local_attention / 2,
            pooling: sizes.classifier_pooling,
            head: linear_b(size, size, sizes.classifier_bias, weights.pp("head.dense"))?,
            activation: sizes.classifier_activation,
            head_norm: sizes.norm(&weights.pp("head.norm"))?,
            classifier: linear(size, outputs, weights.pp("classifier"))?,
        })
    }

    /// Returns the mask of local layers, of shape (tokens, tokens): minus infinity for pairs of tokens that are too far
    /// apart.
    fn mask(&self, tokens: usize, device: &Device) -> Result<Tensor> {
        let penalty = |from: usize, to: usize| {
            if from.abs_diff(to) > self.local_radius { f32::NEG_INFINITY } else { 0.0 }
        };
        let mask: Vec<f32> =
            (0..tokens).flat_map(|from| (0..tokens).map(move |to| penalty(from, to))).collect();
        Tensor::from_vec(mask, (tokens, tokens), device)
    }
}

impl Forward for ModernBert {
    fn forward(&self, ids: &Tensor, _: &Tensor) -> Result<Tensor> {
        let mask = self.mask(ids.dim(0)?, ids.device())?;
        let mut states = self.norm.forward(&self.words.forward(ids)?)?;
        for layer in &self.layers {
            states = layer.forward(&states, &mask)?;
        }
        let states = self.final_norm.forward(&states)?;
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
            qkv: linear_b(size, 3 * size, sizes.attention_bias, layer.pp("attn.Wqkv"))?,
            output: linear_b(size, size, sizes.attention_bias, layer.pp("attn.Wo"))?,
            heads,
            rotation: rotation(heads.size(), sizes.theta(is_local), layer.device())?,
            is_local,
            mlp_norm: sizes.norm(&layer.pp("mlp_norm"))?,
            up: linear_b(size, 2 * wide, sizes.mlp_bias, layer.pp("mlp.Wi"))?,
            activation: sizes.hidden_activation,
            down: linear_b(wide, size, sizes.mlp_bias, layer.pp("mlp.Wo"))?,
        })
    }

    fn forward(&self, states: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let normed = self.norm.as_ref().map_or_else(|| Ok(states.clone()), |norm| norm.forward(states))?;
        let states = (states + self.attend(&normed, mask)?)?;
        let inner = self.up.forward(&self.mlp_norm.forward(&states)?)?.chunk(2, D::Minus1)?;
        let gated = (self.activation.forward(&inner[0].contiguous()?)? * &inner[1])?;
        states + self.down.forward(&gated)?
    }

    fn attend(&self, states: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let qkv = self.qkv.forward(states)?.chunk(3, D::Minus1)?;
        let split = |index: usize| self.heads.split(&qkv[index].contiguous()?);
        let scale = (self.heads.size() as f64).powf(-0.5);
        let mut scores = (attention_scores(&self.rotate(&split(0)?)?, &self.rotate(&split(1)?)?)? * scale)?;
        if self.is_local {
            scores = scores.broadcast_add(mask)?;
        }
        self.output.forward(&self.heads.attend(&scores, &split(2)?)?)
    }

    fn rotate(&self, heads: &Tensor) -> Result<Tensor> {
        let [cosines, sines] = &self.rotation;
        rope(&heads.unsqueeze(0)?, cosines, sines)?.squeeze(0)
    }
}

/// Returns the cosines and sines of each position's rotations, of shape (positions, half the head size).
fn rotation(size: usize, theta: f64, device: &Device) -> Result<[Tensor; 2]> {
    let frequency = |at: usize| theta.powf(-((2 * at) as f64) / size as f64);
    let angles: Vec<f32> = (0..MAX_TOKENS)
        .flat_map(|position| (0..size / 2).map(move |at| (position as f64 * frequency(at)) as f32))
        .collect();
    let angles = Tensor::from_vec(angles, (MAX_TOKENS, size / 2), device)?;
    Ok([angles.cos()?, angles.sin()?])
}
