//! The multilingual encoder: one small transformer that reads every window of a text and predicts guardrails, PII tags
//! for each piece, and the language.
//!
//! `training/multilingual/FORMAT.md` is the reference of the file and of every formula. [`weights`] and [`config`] read
//! the file, [`normalize`], [`trie`] and [`tokenizer`] make pieces of a text, [`windows`] cuts them, and [`network`]
//! computes, layer by [`layer`]. [`entities`] makes stretches of the text from the tags. [`classifier`] scores the parts
//! of a request.

mod classifier;
mod config;
mod entities;
mod layer;
mod network;
mod normalize;
mod tokenizer;
mod trie;
mod weights;
mod windows;

use std::{borrow::Cow, collections::HashMap, ops::Range, sync::Arc};

pub use self::{
    classifier::MultilingualClassifier, entities::TaggedEntity, tokenizer::Piece, weights::WeightsError,
};
use self::{
    config::{Combination, Config},
    network::{Network, Outputs, Scratch},
    tokenizer::{Tokenizer, UNKNOWN},
    weights::WeightsFile,
};
use crate::{ScoreCache, Unavailable, scratch_pool::ScratchPool};

/// Windows that are read at a time. More of them leave the processor's cache (100 kB with 1, 2, 4 and 8: 5.4, 5.3, 5.8 and
/// 5.9 s).
const BATCH: usize = 2;

/// Windows that are remembered, of up to 8 kB each.
const REMEMBERED: u64 = 2_500;

/// A model with its tokenizer.
pub struct MultilingualEncoder {
    config: Config,
    tokenizer: Tokenizer,
    network: Network,
    scratch: ScratchPool<Scratch>,
}

/// Answers for windows that were read before.
#[derive(Debug)]
pub struct WindowCache(ScoreCache<Arc<Outputs>>);

/// Bounds of a reading.
#[derive(Clone, Copy, Debug)]
pub struct ScoreOptions<'m> {
    /// Windows at most. A window takes some milliseconds.
    pub max_windows: usize,
    /// Windows in which the early exit gives every label less than this logit are not read by the upper layers. `None`
    /// leaves it to the weights file.
    pub exit_below: Option<f32>,
    /// Windows that are remembered are not read again. Those it learns were read with the same `exit_below`.
    pub cache: Option<&'m WindowCache>,
}

/// The scores of a text.
#[derive(Clone, Debug)]
pub struct TextScores {
    /// The windows that were read, in order.
    pub windows: Vec<WindowLogits>,
    /// Pieces that were read: all of the text, or those before the first window that was too many.
    pub pieces_read: usize,
    /// The share of each language, which sum up to 1.
    pub languages: Vec<f32>,
    terms: Vec<[f32; 2]>,
    tags: Vec<f32>,
    tag_count: usize,
}

/// The scores of a window.
#[derive(Clone, Debug)]
pub struct WindowLogits {
    /// Its pieces.
    pub pieces: Range<usize>,
    /// One for each label.
    pub logits: Vec<f32>,
    /// True where the lower layers alone have read it.
    pub left_early: bool,
}

impl Default for WindowCache {
    fn default() -> Self {
        Self(ScoreCache::new(REMEMBERED))
    }
}

impl Default for ScoreOptions<'_> {
    /// The longest prompt that a policy accepts has a million characters, which are 13,000 windows at most.
    fn default() -> Self {
        Self { max_windows: 16_384, exit_below: None, cache: None }
    }
}

impl std::fmt::Debug for MultilingualEncoder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("MultilingualEncoder")
            .field("shape", &self.config.shape)
            .finish_non_exhaustive()
    }
}

impl MultilingualEncoder {
    /// Reads a weights file as `training/multilingual/export.py` writes it, and copies what it keeps.
    pub fn from_bytes(file: &[u8]) -> Result<Self, WeightsError> {
        Self::new(file, |blocks| Cow::Owned(blocks.to_vec()))
    }

    /// Reads a weights file that stays in memory. The embeddings, more than half of it, are not copied.
    pub fn from_static(file: &'static [u8]) -> Result<Self, WeightsError> {
        Self::new(file, Cow::Borrowed)
    }

    fn new<'f>(
        file: &'f [u8],
        own: impl FnOnce(&'f [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, WeightsError> {
        let file = WeightsFile::new(file)?;
        let config = file.config()?;
        let tokenizer = Tokenizer::new(&file, &config)?;
        let network = Network::new(&file, &config, own)?;
        Ok(Self { config, tokenizer, network, scratch: ScratchPool::default() })
    }

    /// Names of the guardrails, in the order of the logits.
    pub fn labels(&self) -> &[String] {
        &self.config.labels
    }

    /// Names of the tags: `O`, then `B-X` and `I-X` for each PII type.
    pub fn tags(&self) -> &[String] {
        &self.config.tags
    }

    /// Language codes; the first is `und`.
    pub fn languages(&self) -> &[String] {
        &self.config.languages
    }

    /// The number of a role, such as `user` or `document`.
    pub fn role(&self, name: &str) -> Option<usize> {
        self.config.roles.iter().position(|role| role == name)
    }

    /// The pieces of a text, with the bytes that each covers.
    pub fn encode(&self, text: &str) -> Vec<Piece> {
        self.tokenizer.encode(text)
    }

    /// Scores a text in the role of that number. A number that is no role counts as the last one.
    pub fn score(
        &self,
        pieces: &[Piece],
        role: usize,
        options: ScoreOptions<'_>,
    ) -> Result<TextScores, Unavailable> {
        let role = role.min(self.config.roles.len() - 1);
        let windows: Vec<_> =
            windows::windows(pieces, &self.config.windows).take(options.max_windows.max(1)).collect();
        let ids: Vec<_> = windows.iter().map(|window| self.ids(&pieces[window.clone()])).collect();
        let mut places = HashMap::new();
        // Windows that repeat are read once and count once.
        let repeats: Vec<_> =
            ids.iter().enumerate().map(|(place, ids)| *places.entry(ids).or_insert(place)).collect();
        let outputs = self.outputs(&ids, &repeats, role, options)?;
        Ok(self.text_scores(windows, &repeats, &outputs, role))
    }

    /// The answers for the windows that repeat no other; the others have those of the window that they repeat.
    fn outputs(
        &self,
        ids: &[Vec<u32>],
        repeats: &[usize],
        role: usize,
        options: ScoreOptions<'_>,
    ) -> Result<Vec<Arc<Outputs>>, Unavailable> {
        let recall = |ids: &Vec<u32>| options.cache.and_then(|cache| cache.0.get(&(role, ids)));
        let mut found: Vec<Option<Arc<Outputs>>> = vec![None; ids.len()];
        let mut unread = Vec::new();
        for (place, ids) in ids.iter().enumerate().filter(|(place, _)| repeats[*place] == *place) {
            found[place] = recall(ids);
            if found[place].is_none() {
                unread.push(place);
            }
        }
        let exit_below = options.exit_below.unwrap_or(self.config.document.exit_below);
        let read = |scratch: &mut Scratch| {
            for batch in unread.chunks(BATCH) {
                let windows: Vec<_> = batch.iter().map(|place| ids[*place].as_slice()).collect();
                for (place, outputs) in
                    batch.iter().zip(self.network.read(&windows, role, exit_below, scratch))
                {
                    let outputs = Arc::new(outputs);
                    if let Some(cache) = options.cache {
                        cache.0.insert(&(role, &ids[*place]), Arc::clone(&outputs));
                    }
                    found[*place] = Some(outputs);
                }
            }
        };
        if !unread.is_empty() {
            self.scratch.with(read)?;
        }
        Ok(repeats.iter().filter_map(|place| found[*place].clone()).collect())
    }

    /// The code of the language that most of a scored text is in.
    pub fn language(&self, scores: &TextScores) -> &str {
        let likeliest =
            scores.languages.iter().enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
        likeliest.map_or("und", |(place, _)| &self.config.languages[place])
    }

    /// Returns the entities that the tags mark in a scored text, such as names of people.
    pub fn entities(&self, text: &str, pieces: &[Piece], scores: &TextScores) -> Vec<TaggedEntity<'_>> {
        entities::entities(&self.config.tags, text, pieces, scores)
    }

    /// The ids of a window between those of the marks. One that the vocabulary lacks, of another model, is unknown.
    fn ids(&self, pieces: &[Piece]) -> Vec<u32> {
        let (rules, count) = (&self.config.windows, self.config.shape.pieces);
        let inner = pieces.iter().map(|piece| if (piece.id as usize) < count { piece.id } else { UNKNOWN });
        std::iter::once(rules.begin).chain(inner).chain([rules.end]).collect()
    }

    /// Joins the answers for the windows. The later of two windows decides the tags of a piece.
    fn text_scores(
        &self,
        windows: Vec<Range<usize>>,
        repeats: &[usize],
        outputs: &[Arc<Outputs>],
        role: usize,
    ) -> TextScores {
        let tag_count = self.config.tags.len();
        let pieces_read = windows.last().map_or(0, |window| window.end);
        let mut tags = vec![0.0; pieces_read * tag_count];
        let mut languages = vec![0.0; self.config.languages.len()];
        let mut scores = Vec::with_capacity(windows.len());
        for (window, output) in windows.into_iter().zip(outputs) {
            let own = &mut tags[window.start * tag_count..window.end * tag_count];
            own.copy_from_slice(&output.tags);
            for (sum, probability) in languages.iter_mut().zip(&output.languages) {
                *sum += probability * window.len() as f32;
            }
            let (logits, left_early) = (output.logits.clone(), output.left_early);
            scores.push(WindowLogits { pieces: window, logits, left_early });
        }
        if pieces_read == 0 {
            languages[0] = 1.0;
        }
        let total: f32 = languages.iter().sum();
        for share in &mut languages {
            *share /= total;
        }
        let distinct = scores.iter().zip(repeats).enumerate();
        let distinct: Vec<_> =
            distinct.filter(|(place, (_, repeats))| place == *repeats).map(|(_, (one, _))| one).collect();
        let terms = self.terms(&distinct, role);
        TextScores { windows: scores, pieces_read, languages, terms, tags, tag_count }
    }

    /// For each label a factor and an offset that make the logit of a text of its highest window's.
    fn terms(&self, windows: &[&WindowLogits], role: usize) -> Vec<[f32; 2]> {
        let Combination { weights, biases, .. } = &self.config.document;
        let count = (windows.len() as f32).ln();
        let of_label = |(label, [highest, three, length]): (usize, &[f32; 3])| {
            let mut top = [f32::NEG_INFINITY; 3];
            for window in windows {
                insert(&mut top, window.logits[label]);
            }
            let top = &top[..windows.len().min(3)];
            let mean = top.iter().sum::<f32>() / top.len() as f32;
            [*highest, three * mean + length * count + biases[label][role]]
        };
        weights.iter().enumerate().map(of_label).collect()
    }
}

impl TextScores {
    /// The logit of the text for a label.
    pub fn logit(&self, label: usize) -> f32 {
        let logits = self.windows.iter().map(|window| self.window_logit(window, label));
        logits.fold(f32::NEG_INFINITY, f32::max)
    }

    /// The logit of the text for a label if this window were its highest one.
    pub fn window_logit(&self, window: &WindowLogits, label: usize) -> f32 {
        let [factor, offset] = self.terms[label];
        factor * window.logits[label] + offset
    }

    /// The probability of each tag of a piece. `None` for a piece that was not read.
    pub fn tags(&self, piece: usize) -> Option<&[f32]> {
        self.tags.chunks_exact(self.tag_count).nth(piece)
    }
}

/// Puts a number where it belongs among the highest ones, which fall.
fn insert(top: &mut [f32; 3], number: f32) {
    let place = top.partition_point(|higher| *higher >= number);
    if let Some(tail) = top.get_mut(place..)
        && !tail.is_empty()
    {
        tail.rotate_right(1);
        tail[0] = number;
    }
}

/// The probability that a logit stands for.
pub fn probability(logit: f32) -> f32 {
    (1.0 + (-logit).exp()).recip()
}
