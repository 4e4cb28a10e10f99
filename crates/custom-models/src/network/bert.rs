//! BERT (Devlin et al. 2018), RoBERTa (Liu et al. 2019), XLM-RoBERTa and DistilBERT (Sanh et al. 2019), with their
//! heads for sequence classification.

use candle_core::{Result, Tensor};
use candle_nn::{Embedding, LayerNorm, Linear, Module as _, VarBuilder, embedding, layer_norm, linear};
use serde::Deserialize;

use super::{
    Forward,
    layers::{Activation, BERT_BLOCK, Block, BlockNames, BlockSizes, Heads, attention_scores},
};

/// Sizes in `config.json`. The aliases are DistilBERT's names.
#[derive(Deserialize)]
pub struct Sizes {
    vocab_size: usize,
    #[serde(alias = "dim")]
    hidden_size: usize,
    #[serde(alias = "n_layers")]
    num_hidden_layers: usize,
    #[serde(alias = "n_heads")]
    num_attention_heads: usize,
    #[serde(alias = "hidden_dim")]
    intermediate_size: usize,
    #[serde(alias = "activation")]
    hidden_act: Activation,
    max_position_embeddings: usize,
    #[serde(default)]
    type_vocab_size: usize,
    #[serde(default = "default_epsilon")]
    layer_norm_eps: f64,
    pad_token_id: Option<u32>,
}

const fn default_epsilon() -> f64 {
    1e-12
}

/// Names of an architecture's weights.
struct Names {
    /// Prefix of all weights except the head's.
    base: &'static str,
    layers: &'static str,
    queries: &'static str,
    keys: &'static str,
    values: &'static str,
    block: BlockNames,
    /// The layer applied to the first token's state, and the classifier.
    head: [&'static str; 2],
    /// Activation between the two layers of the head.
    activation: Activation,
}

const BERT: Names = Names {
    base: "bert",
    layers: "encoder.layer",
    queries: "attention.self.query",
    keys: "attention.self.key",
    values: "attention.self.value",
    block: BERT_BLOCK,
    head: ["bert.pooler.dense", "classifier"],
    activation: Activation::Tanh,
};

const ROBERTA: Names = Names { base: "roberta", head: ["classifier.dense", "classifier.out_proj"], ..BERT };

const DISTILBERT: Names = Names {
    base: "distilbert",
    layers: "transformer.layer",
    queries: "attention.q_lin",
    keys: "attention.k_lin",
    values: "attention.v_lin",
    block: BlockNames {
        attention: "attention.out_lin",
        attention_norm: "sa_layer_norm",
        up: "ffn.lin1",
        down: "ffn.lin2",
        output_norm: "output_layer_norm",
    },
    head: ["pre_classifier", "classifier"],
    activation: Activation::Relu,
};

/// A BERT, RoBERTa, XLM-RoBERTa or DistilBERT network.
pub struct Bert {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    head: [Linear; 2],
    activation: Activation,
}

struct Embeddings {
    words: Embedding,
    positions: Embedding,
    types: Option<Embedding>,
    norm: LayerNorm,
    /// Position of the first token.
    first_position: u32,
}

struct Layer {
    queries: Linear,
    keys: Linear,
    values: Linear,
    heads: Heads,
    block: Block,
}

impl Bert {
    /// Loads the weights of a network with `outputs` labels.
    pub fn load(model_type: &str, sizes: &Sizes, outputs: usize, weights: &VarBuilder<'_>) -> Result<Self> {
        let names = match model_type {
            "roberta" | "xlm-roberta" => ROBERTA,
            "distilbert" => DISTILBERT,
            _ => BERT,
        };
        let base = weights.pp(names.base);
        let first_position = if names.base == ROBERTA.base { sizes.pad_token_id.unwrap_or(1) + 1 } else { 0 };
        let layers = 0..sizes.num_hidden_layers;
        let size = sizes.hidden_size;
        Ok(Self {
            embeddings: Embeddings::load(sizes, first_position, &base.pp("embeddings"))?,
            layers: layers
                .map(|layer| Layer::load(&names, sizes, &base.pp(names.layers).pp(layer)))
                .collect::<Result<_>>()?,
            head: [
                linear(size, size, weights.pp(names.head[0]))?,
                linear(size, outputs, weights.pp(names.head[1]))?,
            ],
            activation: names.activation,
        })
    }
}

impl Forward for Bert {
    fn forward(&self, ids: &Tensor, type_ids: &Tensor) -> Result<Tensor> {
        let mut states = self.embeddings.forward(ids, type_ids)?;
        for layer in &self.layers {
            states = layer.forward(&states)?;
        }
        let first = self.activation.forward(&self.head[0].forward(&states.narrow(0, 0, 1)?)?)?;
        self.head[1].forward(&first)?.squeeze(0)
    }
}

impl Embeddings {
    fn load(sizes: &Sizes, first_position: u32, weights: &VarBuilder<'_>) -> Result<Self> {
        let table = |rows, name| embedding(rows, sizes.hidden_size, weights.pp(name));
        let has_types = sizes.type_vocab_size > 0;
        Ok(Self {
            words: table(sizes.vocab_size, "word_embeddings")?,
            positions: table(sizes.max_position_embeddings, "position_embeddings")?,
            types: has_types.then(|| table(sizes.type_vocab_size, "token_type_embeddings")).transpose()?,
            norm: layer_norm(sizes.hidden_size, sizes.layer_norm_eps, weights.pp("LayerNorm"))?,
            first_position,
        })
    }

    fn forward(&self, ids: &Tensor, type_ids: &Tensor) -> Result<Tensor> {
        let positions =
            Tensor::arange(self.first_position, self.first_position + ids.dim(0)? as u32, ids.device())?;
        let mut sum = (self.words.forward(ids)? + self.positions.forward(&positions)?)?;
        if let Some(table) = &self.types {
            sum = (sum + table.forward(type_ids)?)?;
        }
        self.norm.forward(&sum)
    }
}

impl Layer {
    fn load(names: &Names, sizes: &Sizes, layer: &VarBuilder<'_>) -> Result<Self> {
        let projection = |name| linear(sizes.hidden_size, sizes.hidden_size, layer.pp(name));
        let block = BlockSizes {
            hidden: sizes.hidden_size,
            intermediate: sizes.intermediate_size,
            activation: sizes.hidden_act,
            epsilon: sizes.layer_norm_eps,
        };
        Ok(Self {
            queries: projection(names.queries)?,
            keys: projection(names.keys)?,
            values: projection(names.values)?,
            heads: Heads::new(sizes.hidden_size, sizes.num_attention_heads)?,
            block: Block::load(&names.block, block, layer)?,
        })
    }

    fn forward(&self, states: &Tensor) -> Result<Tensor> {
        let split = |projection: &Linear| self.heads.split(&projection.forward(states)?);
        let scale = (self.heads.size() as f64).powf(-0.5);
        let scores = (attention_scores(&split(&self.queries)?, &split(&self.keys)?)? * scale)?;
        self.block.forward(&self.heads.attend(&scores, &split(&self.values)?)?, states)
    }
}
