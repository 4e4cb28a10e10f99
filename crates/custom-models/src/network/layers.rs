//! What the networks have in common. Tensors have no batch: states are of shape (pieces, size).

use candle_core::{D, Result, Tensor, bail};
use candle_nn::{LayerNorm, Linear, Module as _, VarBuilder, layer_norm, linear, ops::softmax_last_dim};
use serde::Deserialize;

/// What stands between two maps, by its name in `config.json`.
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
    /// Of each value.
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

/// Attention in several heads.
#[derive(Clone, Copy)]
pub struct Heads {
    count: usize,
    size: usize,
}

impl Heads {
    /// `count` heads that share `hidden` values.
    pub fn new(hidden: usize, count: usize) -> Result<Self> {
        if count == 0 || !hidden.is_multiple_of(count) {
            bail!("hidden_size {hidden} is no multiple of num_attention_heads {count}");
        }
        Ok(Self { count, size: hidden / count })
    }

    /// Values in each head.
    pub const fn size(self) -> usize {
        self.size
    }

    /// From (rows, size) to (heads, rows, size of a head).
    pub fn split(self, states: &Tensor) -> Result<Tensor> {
        let rows = states.dim(0)?;
        states.reshape((rows, self.count, self.size))?.transpose(0, 1)?.contiguous()
    }

    /// The values, weighed by the `scores` of shape (heads, pieces, pieces).
    pub fn weigh(self, scores: &Tensor, values: &Tensor) -> Result<Tensor> {
        let pieces = values.dim(1)?;
        let weighed = softmax_last_dim(scores)?.matmul(values)?;
        weighed.transpose(0, 1)?.reshape((pieces, self.count * self.size))
    }
}

/// Scores of each query for each key, of shape (heads, queries, keys).
pub fn compare(queries: &Tensor, keys: &Tensor) -> Result<Tensor> {
    queries.matmul(&keys.transpose(D::Minus2, D::Minus1)?)
}

/// The names of a block's weights.
pub struct BlockNames {
    /// Behind attention.
    pub output: &'static str,
    /// Of the sum with what went into attention.
    pub output_norm: &'static str,
    /// To the intermediate size.
    pub wider: &'static str,
    /// And back.
    pub narrower: &'static str,
    /// Of the sum with what went in there.
    pub last_norm: &'static str,
}

/// The names in BERT, RoBERTa and DeBERTa.
pub const USUAL: BlockNames = BlockNames {
    output: "attention.output.dense",
    output_norm: "attention.output.LayerNorm",
    wider: "intermediate.dense",
    narrower: "output.dense",
    last_norm: "output.LayerNorm",
};

/// What follows attention in a layer.
pub struct Block {
    output: Linear,
    output_norm: LayerNorm,
    wider: Linear,
    activation: Activation,
    narrower: Linear,
    last_norm: LayerNorm,
}

/// Sizes of a block.
#[derive(Clone, Copy)]
pub struct BlockSizes {
    /// Of states.
    pub hidden: usize,
    /// Between the two last maps.
    pub intermediate: usize,
    /// Between them too.
    pub activation: Activation,
    /// Of both norms.
    pub epsilon: f64,
}

impl Block {
    /// The weights of a layer.
    pub fn load(names: &BlockNames, sizes: BlockSizes, layer: &VarBuilder<'_>) -> Result<Self> {
        let BlockSizes { hidden, intermediate, activation, epsilon } = sizes;
        Ok(Self {
            output: linear(hidden, hidden, layer.pp(names.output))?,
            output_norm: layer_norm(hidden, epsilon, layer.pp(names.output_norm))?,
            wider: linear(hidden, intermediate, layer.pp(names.wider))?,
            activation,
            narrower: linear(intermediate, hidden, layer.pp(names.narrower))?,
            last_norm: layer_norm(hidden, epsilon, layer.pp(names.last_norm))?,
        })
    }

    /// From what attention made of `states` to the layer's own.
    pub fn forward(&self, attended: &Tensor, states: &Tensor) -> Result<Tensor> {
        let states = self.output_norm.forward(&(self.output.forward(attended)? + states)?)?;
        let inner = self.activation.forward(&self.wider.forward(&states)?)?;
        self.last_norm.forward(&(self.narrower.forward(&inner)? + states)?)
    }
}
