//! DeBERTa v2 and v3 (He et al. 2020 and 2021): attention with separate scores for content and relative position.

use candle_core::{Device, Result, Tensor};
use candle_nn::{
    Conv1d, Conv1dConfig, Embedding, LayerNorm, Linear, Module as _, VarBuilder, conv1d, embedding,
    layer_norm, linear, linear_no_bias,
};
use serde::Deserialize;

use super::{
    Forward,
    layers::{Activation, BERT_BLOCK, Block, BlockSizes, Heads, attention_scores},
};
use crate::model_config::MAX_TOKENS;

/// Sizes in `config.json`.
#[derive(Deserialize)]
pub struct Sizes {
    vocab_size: usize,
    hidden_size: usize,
    num_hidden_layers: usize,
    num_attention_heads: usize,
    intermediate_size: usize,
    hidden_act: Activation,
    max_position_embeddings: usize,
    #[serde(default)]
    type_vocab_size: usize,
    #[serde(default = "default_epsilon")]
    layer_norm_eps: f64,
    #[serde(default)]
    relative_attention: bool,
    #[serde(default)]
    max_relative_positions: i64,
    #[serde(default)]
    position_buckets: i64,
    #[serde(default = "default_true")]
    position_biased_input: bool,
    #[serde(default)]
    pos_att_type: Option<PositionScores>,
    #[serde(default)]
    share_att_key: bool,
    norm_rel_ebd: Option<String>,
    embedding_size: Option<usize>,
    #[serde(default)]
    conv_kernel_size: usize,
    conv_groups: Option<usize>,
    conv_act: Option<Activation>,
    #[serde(default)]
    pooler_hidden_act: Activation,
}

/// Position scores to add: `c2p` compares queries with distances, `p2c` keys. A list, or names separated by `|`.
#[derive(Deserialize)]
#[serde(untagged)]
enum PositionScores {
    Joined(String),
    Listed(Vec<String>),
}

const fn default_epsilon() -> f64 {
    1e-7
}

const fn default_true() -> bool {
    true
}

impl Sizes {
    fn has_position_score(&self, name: &str) -> bool {
        self.relative_attention
            && match &self.pos_att_type {
                Some(PositionScores::Joined(names)) => names.split('|').any(|one| one.trim() == name),
                Some(PositionScores::Listed(names)) => names.iter().any(|one| one == name),
                None => false,
            }
    }

    /// Returns the largest distance that is distinguished.
    const fn max_distance(&self) -> i64 {
        if self.max_relative_positions < 1 {
            self.max_position_embeddings as i64
        } else {
            self.max_relative_positions
        }
    }

    /// Returns the number of distances, or buckets, in one direction.
    fn span(&self) -> usize {
        (if self.position_buckets > 0 { self.position_buckets } else { self.max_distance() }) as usize
    }

    /// Returns the row of `distance` in the table of 2 × span embeddings.
    fn row(&self, distance: i64) -> u32 {
        let bucket = if self.position_buckets > 0 {
            bucket(distance, self.position_buckets, self.max_distance())
        } else {
            distance
        };
        let span = self.span() as i64;
        bucket.saturating_add(span).clamp(0, 2 * span - 1) as u32
    }
}

/// Returns the bucket of a distance. Small distances have a bucket each; larger ones share buckets of logarithmic
/// width.
fn bucket(distance: i64, buckets: i64, max_distance: i64) -> i64 {
    let near = buckets / 2;
    if distance.abs() <= near {
        return distance;
    }
    let (near, max_distance) = (near as f32, max_distance as f32);
    let share = (distance.abs() as f32 / near).ln() / ((max_distance - 1.0) / near).ln();
    distance.signum() * ((share * (near - 1.0)).ceil() + near) as i64
}

/// A DeBERTa network.
pub struct Deberta {
    embeddings: Embeddings,
    layers: Vec<Layer>,
    /// Convolution after the first layer, used by the largest v2 models.
    convolution: Option<Convolution>,
    /// Row of each distance in the table of embeddings, from the most negative to the most positive distance.
    rows: Vec<u32>,
    pooler: Linear,
    activation: Activation,
    classifier: Linear,
}

struct Embeddings {
    words: Embedding,
    positions: Option<Embedding>,
    types: Option<Embedding>,
    projection: Option<Linear>,
    norm: LayerNorm,
}

struct Layer {
    queries: Linear,
    keys: Linear,
    values: Linear,
    heads: Heads,
    scale: f64,
    /// Distances projected to keys and to queries, of shape (heads, 2 × span, head size). They do not depend on the
    /// text and are computed once.
    position_keys: Option<Tensor>,
    position_queries: Option<Tensor>,
    block: Block,
}

struct Convolution {
    convolution: Conv1d,
    activation: Activation,
    norm: LayerNorm,
}

impl Deberta {
    /// Loads the weights of a network with `outputs` labels.
    pub fn load(sizes: &Sizes, outputs: usize, weights: &VarBuilder<'_>) -> Result<Self> {
        let (size, base) = (sizes.hidden_size, weights.pp("deberta"));
        let encoder = base.pp("encoder");
        let distances = sizes.relative_attention.then(|| distance_embeddings(sizes, &encoder)).transpose()?;
        let layers = (0..sizes.num_hidden_layers)
            .map(|layer| Layer::load(sizes, distances.as_ref(), &encoder.pp("layer").pp(layer)));
        // Without relative attention there are no rows.
        let last = if sizes.relative_attention { MAX_TOKENS as i64 - 1 } else { -1 };
        Ok(Self {
            embeddings: Embeddings::load(sizes, &base.pp("embeddings"))?,
            layers: layers.collect::<Result<_>>()?,
            convolution: (sizes.conv_kernel_size > 0)
                .then(|| Convolution::load(sizes, &encoder))
                .transpose()?,
            rows: (-last..=last).map(|distance| sizes.row(distance)).collect(),
            pooler: linear(size, size, weights.pp("pooler.dense"))?,
            activation: sizes.pooler_hidden_act,
            classifier: linear(size, outputs, weights.pp("classifier"))?,
        })
    }

    /// Returns the row of the distance between each pair of tokens, of shape (tokens, tokens).
    fn distances(&self, tokens: usize, device: &Device) -> Result<Tensor> {
        let tokens = if self.rows.is_empty() { 0 } else { tokens };
        let zero = self.rows.len() / 2;
        let rows: Vec<u32> = (0..tokens)
            .flat_map(|from| (0..tokens).map(move |to| zero + from - to))
            .map(|at| self.rows[at])
            .collect();
        Tensor::from_vec(rows, (tokens, tokens), device)
    }
}

impl Forward for Deberta {
    fn forward(&self, ids: &Tensor, type_ids: &Tensor) -> Result<Tensor> {
        let embedded = self.embeddings.forward(ids, type_ids)?;
        let distances = self.distances(ids.dim(0)?, ids.device())?;
        let mut states = embedded.clone();
        for (index, layer) in self.layers.iter().enumerate() {
            states = layer.forward(&states, &distances)?;
            if let Some(convolution) = self.convolution.as_ref().filter(|_| index == 0) {
                states = convolution.forward(&embedded, &states)?;
            }
        }
        let first = self.activation.forward(&self.pooler.forward(&states.narrow(0, 0, 1)?)?)?;
        self.classifier.forward(&first)?.squeeze(0)
    }
}

/// Returns an embedding for each distance, of shape (2 × span, hidden size).
fn distance_embeddings(sizes: &Sizes, encoder: &VarBuilder<'_>) -> Result<Tensor> {
    let rows = encoder.pp("rel_embeddings").get((2 * sizes.span(), sizes.hidden_size), "weight")?;
    if sizes.norm_rel_ebd.as_deref().is_some_and(|norm| norm.contains("layer_norm")) {
        layer_norm(sizes.hidden_size, sizes.layer_norm_eps, encoder.pp("LayerNorm"))?.forward(&rows)
    } else {
        Ok(rows)
    }
}

impl Embeddings {
    fn load(sizes: &Sizes, weights: &VarBuilder<'_>) -> Result<Self> {
        let size = sizes.embedding_size.unwrap_or(sizes.hidden_size);
        let table = |rows, name| embedding(rows, size, weights.pp(name));
        let project = || linear_no_bias(size, sizes.hidden_size, weights.pp("embed_proj"));
        let positions = || table(sizes.max_position_embeddings, "position_embeddings");
        let types = || table(sizes.type_vocab_size, "token_type_embeddings");
        Ok(Self {
            words: table(sizes.vocab_size, "word_embeddings")?,
            positions: sizes.position_biased_input.then(positions).transpose()?,
            types: (sizes.type_vocab_size > 0).then(types).transpose()?,
            projection: (size != sizes.hidden_size).then(project).transpose()?,
            norm: layer_norm(sizes.hidden_size, sizes.layer_norm_eps, weights.pp("LayerNorm"))?,
        })
    }

    fn forward(&self, ids: &Tensor, type_ids: &Tensor) -> Result<Tensor> {
        let mut sum = self.words.forward(ids)?;
        if let Some(table) = &self.positions {
            let positions = Tensor::arange(0, ids.dim(0)? as u32, ids.device())?;
            sum = (sum + table.forward(&positions)?)?;
        }
        if let Some(table) = &self.types {
            sum = (sum + table.forward(type_ids)?)?;
        }
        if let Some(projection) = &self.projection {
            sum = projection.forward(&sum)?;
        }
        self.norm.forward(&sum)
    }
}

impl Layer {
    fn load(sizes: &Sizes, distances: Option<&Tensor>, layer: &VarBuilder<'_>) -> Result<Self> {
        let size = sizes.hidden_size;
        let weights = layer.pp("attention.self");
        let projection = |name| linear(size, size, weights.pp(name));
        let heads = Heads::new(size, sizes.num_attention_heads)?;
        let block = BlockSizes {
            hidden: size,
            intermediate: sizes.intermediate_size,
            activation: sizes.hidden_act,
            epsilon: sizes.layer_norm_eps,
        };
        let position = |score, shared, own| {
            let name = if sizes.share_att_key { shared } else { own };
            let project = |rows| heads.split(&projection(name)?.forward(rows)?);
            distances.filter(|_| sizes.has_position_score(score)).map(project).transpose()
        };
        let position_keys = position("c2p", "key_proj", "pos_key_proj")?;
        let position_queries = position("p2c", "query_proj", "pos_query_proj")?;
        let score_count = 1 + usize::from(position_keys.is_some()) + usize::from(position_queries.is_some());
        Ok(Self {
            queries: projection("query_proj")?,
            keys: projection("key_proj")?,
            values: projection("value_proj")?,
            heads,
            scale: ((heads.size() * score_count) as f64).powf(-0.5),
            position_keys,
            position_queries,
            block: Block::load(&BERT_BLOCK, block, layer)?,
        })
    }

    fn forward(&self, states: &Tensor, distances: &Tensor) -> Result<Tensor> {
        let split = |projection: &Linear| self.heads.split(&projection.forward(states)?);
        let (queries, keys) = (split(&self.queries)?, split(&self.keys)?);
        let mut scores = attention_scores(&queries, &keys)?;
        let shape = scores.shape().clone();
        if let Some(positions) = &self.position_keys {
            let rows = distances.broadcast_as(&shape)?.contiguous()?;
            scores = (scores + attention_scores(&queries, positions)?.gather(&rows, 2)?)?;
        }
        if let Some(positions) = &self.position_queries {
            let rows = distances.t()?.broadcast_as(&shape)?.contiguous()?;
            scores = (scores + attention_scores(&keys, positions)?.gather(&rows, 2)?.transpose(1, 2)?)?;
        }
        let scores = (scores * self.scale)?;
        self.block.forward(&self.heads.attend(&scores, &split(&self.values)?)?, states)
    }
}

impl Convolution {
    fn load(sizes: &Sizes, encoder: &VarBuilder<'_>) -> Result<Self> {
        let (size, kernel, weights) = (sizes.hidden_size, sizes.conv_kernel_size, encoder.pp("conv"));
        let groups = sizes.conv_groups.unwrap_or(1);
        let config = Conv1dConfig { padding: (kernel - 1) / 2, groups, ..Conv1dConfig::default() };
        Ok(Self {
            convolution: conv1d(size, size, kernel, config, weights.pp("conv"))?,
            activation: sizes.conv_act.unwrap_or(Activation::Tanh),
            norm: layer_norm(size, sizes.layer_norm_eps, weights.pp("LayerNorm"))?,
        })
    }

    fn forward(&self, embedded: &Tensor, states: &Tensor) -> Result<Tensor> {
        let channels = embedded.t()?.unsqueeze(0)?.contiguous()?;
        let convolved = self.convolution.forward(&channels)?.squeeze(0)?.t()?;
        self.norm.forward(&(self.activation.forward(&convolved.contiguous()?)? + states)?)
    }
}
