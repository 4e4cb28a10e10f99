//! Layers that the networks share. Tensors have no batch dimension: states have the shape (tokens, hidden size).

use candle_core::{D, Result, Tensor, bail};
use candle_nn::{LayerNorm, Linear, Module as _, VarBuilder, layer_norm, linear, ops::softmax_last_dim};
use serde::Deserialize;

/// Activation function, by its name in `config.json`.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Activation {
    #[default]
    Gelu,
    #[serde(alias = "gelu_new", alias = "gelu_fast", alias = "gelu_pytorch_tanh")]
    TanhGelu,
    Relu,
    #[serde(alias = "swish")]
    Silu,
    Tanh,
}

impl Activation {
    /// Applies the function to each value.
    pub fn forward(self, states: &Tensor) -> Result<Tensor> {
        match self {
            Self::Gelu => states.gelu_erf(),
            Self::TanhGelu => states.gelu(),
            Self::Relu => states.relu(),
            Self::Silu => states.silu(),
            Self::Tanh => states.tanh(),
        }
    }
}

/// Multi-head attention.
#[derive(Clone, Copy)]
pub struct Heads {
    count: usize,
    size: usize,
}

impl Heads {
    /// Divides `hidden` values among `count` heads.
    pub fn new(hidden: usize, count: usize) -> Result<Self> {
        if count == 0 || !hidden.is_multiple_of(count) {
            bail!("hidden_size {hidden} is not a multiple of num_attention_heads {count}");
        }
        Ok(Self { count, size: hidden / count })
    }

    /// Returns the number of values per head.
    pub const fn size(self) -> usize {
        self.size
    }

    /// Reshapes (tokens, hidden size) to (heads, tokens, head size).
    pub fn split(self, states: &Tensor) -> Result<Tensor> {
        let tokens = states.dim(0)?;
        states.reshape((tokens, self.count, self.size))?.transpose(0, 1)?.contiguous()
    }

    /// Averages `values`, weighted by the softmax of `scores` of shape (heads, tokens, tokens). Returns the shape
    /// (tokens, hidden size).
    pub fn attend(self, scores: &Tensor, values: &Tensor) -> Result<Tensor> {
        let tokens = values.dim(1)?;
        let weighted = softmax_last_dim(scores)?.matmul(values)?;
        weighted.transpose(0, 1)?.reshape((tokens, self.count * self.size))
    }
}

/// Returns the dot products of queries and keys, of shape (heads, queries, keys).
pub fn attention_scores(queries: &Tensor, keys: &Tensor) -> Result<Tensor> {
    queries.matmul(&keys.transpose(D::Minus2, D::Minus1)?)
}

/// Names of the weights that follow attention in a layer.
pub struct BlockNames {
    /// Projection of the attention output.
    pub attention: &'static str,
    /// Norm after the first residual sum.
    pub attention_norm: &'static str,
    /// Projection to the intermediate size.
    pub up: &'static str,
    /// Projection back to the hidden size.
    pub down: &'static str,
    /// Norm after the second residual sum.
    pub output_norm: &'static str,
}

/// Names in BERT, RoBERTa and DeBERTa.
pub const BERT_BLOCK: BlockNames = BlockNames {
    attention: "attention.output.dense",
    attention_norm: "attention.output.LayerNorm",
    up: "intermediate.dense",
    down: "output.dense",
    output_norm: "output.LayerNorm",
};

/// The part of a layer that follows attention: projection, norms and feed-forward network.
pub struct Block {
    attention: Linear,
    attention_norm: LayerNorm,
    up: Linear,
    activation: Activation,
    down: Linear,
    output_norm: LayerNorm,
}

/// Sizes of a [`Block`].
#[derive(Clone, Copy)]
pub struct BlockSizes {
    /// Hidden size.
    pub hidden: usize,
    /// Intermediate size of the feed-forward network.
    pub intermediate: usize,
    /// Activation of the feed-forward network.
    pub activation: Activation,
    /// Epsilon of both norms.
    pub epsilon: f64,
}

impl Block {
    /// Loads the weights of a layer.
    pub fn load(names: &BlockNames, sizes: BlockSizes, layer: &VarBuilder<'_>) -> Result<Self> {
        let BlockSizes { hidden, intermediate, activation, epsilon } = sizes;
        Ok(Self {
            attention: linear(hidden, hidden, layer.pp(names.attention))?,
            attention_norm: layer_norm(hidden, epsilon, layer.pp(names.attention_norm))?,
            up: linear(hidden, intermediate, layer.pp(names.up))?,
            activation,
            down: linear(intermediate, hidden, layer.pp(names.down))?,
            output_norm: layer_norm(hidden, epsilon, layer.pp(names.output_norm))?,
        })
    }

    /// Computes the layer's output from the attention output and the layer's input `states`.
    pub fn forward(&self, attended: &Tensor, states: &Tensor) -> Result<Tensor> {
        let states = self.attention_norm.forward(&(self.attention.forward(attended)? + states)?)?;
        let inner = self.activation.forward(&self.up.forward(&states)?)?;
        self.output_norm.forward(&(self.down.forward(&inner)? + states)?)
    }
}
