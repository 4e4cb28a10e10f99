//! The multilingual encoder: one small transformer that reads every window of a text and predicts guardrails, PII tags
//! for each piece, and the language.
//!
//! `training/multilingual/FORMAT.md` is the reference of the file and of every formula. [`weights`] and [`config`] read
//! the file, [`normalize`], [`trie`] and [`tokenizer`] make pieces of a text, [`windows`] cuts them, and [`network`]
//! computes, layer by [`layer`]. [`combination`] makes logits of its answers and of another model's. [`entities`] makes
//! stretches of the text from the tags. [`classifier`] scores the parts of a request.

mod background;
mod classifier;
mod combination;
mod config;
mod entities;
mod layer;
mod network;
mod normalize;
mod tokenizer;
mod topics;
mod trie;
mod weights;
mod windows;

use std::{borrow::Cow, collections::HashMap, ops::Range, sync::Arc};

use guardengine_engine::deadline::Deadline;

pub use self::{
    background::{BackgroundError, from_bytes as read_background, to_bytes as write_background},
    classifier::MultilingualClassifier,
    entities::TaggedEntity,
    network::Outputs,
    tokenizer::Piece,
    weights::WeightsError,
};
use self::{
    combination::Combination,
    config::Config,
    network::{Network, Scratch},
    tokenizer::{Tokenizer, UNKNOWN},
    weights::WeightsFile,
};
use crate::{ScoreCache, TOO_LONG, Unavailable, format::fnv1a, scratch_pool::ScratchPool};

/// Windows that are read at a time. More of them leave the processor's cache (100 kB with 1, 2, 4 and 8: 5.4, 5.3, 5.8 and
/// 5.9 s).
const BATCH: usize = 2;

/// Windows that are remembered, of up to 10 kB each.
const REMEMBERED: u64 = 2_500;

/// A model with its tokenizer.
pub struct MultilingualEncoder {
    config: Config,
    combination: Combination,
    tokenizer: Tokenizer,
    network: Network,
    scratch: ScratchPool<Scratch>,
    checksum: u64,
    version: u64,
}

/// Answers for windows that were read before.
#[derive(Debug)]
pub struct WindowCache(ScoreCache<Arc<Outputs>>);

/// Bounds of a reading.
#[derive(Clone, Copy, Debug)]
pub struct ScoreOptions<'m> {
    /// Windows at most. A window takes some milliseconds.
    pub max_windows: usize,
    /// Windows that have less than this logit for every label after the lower layers are not read by the upper ones.
    /// `None` leaves it to the combination.
    pub exit_below: Option<f32>,
    /// Windows that are remembered are not read again.
    pub cache: Option<&'m WindowCache>,
    /// Between two batches of windows, the end of the time is an error.
    pub deadline: Option<&'m Deadline>,
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
    tags: Vec<f32>,
    tag_count: usize,
}

/// The scores of a window.
#[derive(Clone, Debug)]
pub struct WindowLogits {
    /// Its pieces.
    pub pieces: Range<usize>,
    /// Scores and answers for them.
    pub reading: Arc<Reading>,
}

/// Scores of the pieces of a window, and the answers that they follow from.
#[derive(Debug)]
pub struct Reading {
    /// The logits, one for each label.
    pub logits: Vec<f32>,
    /// Log-odds of another model for each label, or nothing.
    pub beside: Vec<f32>,
    /// The answers of the network.
    pub outputs: Arc<Outputs>,
}

/// A window that repeats no other one.
struct Window<'w> {
    ids: &'w Vec<u32>,
    /// Log-odds of another model for each label, or nothing.
    beside: Vec<f32>,
}

impl Default for WindowCache {
    fn default() -> Self {
        Self(ScoreCache::new(REMEMBERED))
    }
}

impl Default for ScoreOptions<'_> {
    /// The longest prompt that a policy accepts has a million characters, which are 13,000 windows at most.
    fn default() -> Self {
        Self { max_windows: 16_384, exit_below: None, cache: None, deadline: None }
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
    /// Reads a weights file as `training/multilingual/export.py` writes it, and copies what it keeps. Until something
    /// else is [`combined`](Self::combined), the late logits are the scores and every window is read whole.
    pub fn from_bytes(file: &[u8]) -> Result<Self, WeightsError> {
        Self::new(file, |blocks| Cow::Owned(blocks.to_vec()))
    }

    /// Reads a weights file that stays in memory. The embeddings, more than half of it, are not copied.
    pub fn from_static(file: &'static [u8]) -> Result<Self, WeightsError> {
        Self::new(file, Cow::Borrowed)
    }

    /// Scores by a combination, as `training/multilingual/calibrate.py` writes it.
    pub fn combined(mut self, combination: &str) -> Result<Self, WeightsError> {
        self.combination = Combination::parse(combination, &self.config.labels)?;
        self.version ^= fnv1a(combination.as_bytes());
        Ok(self)
    }

    fn new<'f>(
        file: &'f [u8],
        own: impl FnOnce(&'f [u8]) -> Cow<'static, [u8]>,
    ) -> Result<Self, WeightsError> {
        let checksum = fnv1a(file);
        let file = WeightsFile::new(file)?;
        let config = file.config()?;
        let tokenizer = Tokenizer::new(&file, &config)?;
        let network = Network::new(&file, &config, own)?;
        let combination = Combination::late_only(config.labels.len());
        let scratch = ScratchPool::default();
        Ok(Self { config, combination, tokenizer, network, scratch, checksum, version: checksum })
    }

    /// A number that changes with the weights.
    pub fn checksum(&self) -> u64 {
        self.checksum
    }

    /// A number that changes with the weights and the combination.
    pub fn version(&self) -> u64 {
        self.version
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
        self.score_beside(pieces, role, options, |_| Vec::new())
    }

    /// Scores a text in the role of that number. `beside` gives what another model says of the pieces of a window: log-odds
    /// for each label, or nothing.
    pub fn score_beside(
        &self,
        pieces: &[Piece],
        role: usize,
        options: ScoreOptions<'_>,
        beside: impl Fn(Range<usize>) -> Vec<f32>,
    ) -> Result<TextScores, Unavailable> {
        let role = role.min(self.config.roles.len() - 1);
        let windows: Vec<_> =
            windows::windows(pieces, &self.config.windows).take(options.max_windows.max(1)).collect();
        let ids: Vec<_> = windows.iter().map(|window| self.ids(&pieces[window.clone()])).collect();
        let mut distinct = Vec::new();
        let mut places = HashMap::new();
        // Windows that repeat are read once.
        let repeats: Vec<usize> = ids
            .iter()
            .zip(&windows)
            .map(|(ids, window)| {
                *places.entry(ids).or_insert_with(|| {
                    distinct.push(Window { ids, beside: beside(window.clone()) });
                    distinct.len() - 1
                })
            })
            .collect();
        let outputs = self.outputs(&distinct, role, options)?;
        let readings: Vec<_> = distinct
            .into_iter()
            .zip(outputs)
            .map(|(window, outputs)| self.reading(window, outputs, options.exit_below))
            .collect();
        Ok(self.text_scores(windows, &repeats, &readings))
    }

    /// The answers of the network for windows.
    fn outputs(
        &self,
        windows: &[Window<'_>],
        role: usize,
        options: ScoreOptions<'_>,
    ) -> Result<Vec<Arc<Outputs>>, Unavailable> {
        let leaves = |window: &Window<'_>, early: &[f32]| {
            let combination = &self.combination;
            combination.leaves(&combination.early(early, &window.beside), options.exit_below)
        };
        // One that left early then may have to be read on now, when another model says more beside it.
        let recall = |window: &Window<'_>| {
            let known = options.cache.and_then(|cache| cache.0.get(&(role, window.ids)))?;
            (known.late.is_some() || leaves(window, &known.early)).then_some(known)
        };
        let mut found: Vec<_> = windows.iter().map(recall).collect();
        let unread: Vec<_> = (0..windows.len()).filter(|place| found[*place].is_none()).collect();
        let read = |scratch: &mut Scratch| {
            for batch in unread.chunks(BATCH) {
                if options.deadline.is_some_and(Deadline::is_over) {
                    return;
                }
                let ids: Vec<_> = batch.iter().map(|place| windows[*place].ids.as_slice()).collect();
                let leaves = |place: usize, early: &[f32]| leaves(&windows[batch[place]], early);
                for (place, outputs) in batch.iter().zip(self.network.read(&ids, role, leaves, scratch)) {
                    let outputs = Arc::new(outputs);
                    if let Some(cache) = options.cache {
                        cache.0.insert(&(role, windows[*place].ids), Arc::clone(&outputs));
                    }
                    found[*place] = Some(outputs);
                }
            }
        };
        if !unread.is_empty() {
            self.scratch.with(read)?;
        }
        if found.iter().any(Option::is_none) {
            return Err(Unavailable(TOO_LONG.into()));
        }
        Ok(found.into_iter().flatten().collect())
    }

    /// The scores of a window that would leave early are those of the exit, even if it was read whole for another reason:
    /// a text is scored the same whatever was read before.
    fn reading(&self, window: Window<'_>, outputs: Arc<Outputs>, exit_below: Option<f32>) -> Arc<Reading> {
        let (combination, beside) = (&self.combination, window.beside);
        let early = combination.early(&outputs.early, &beside);
        let late = outputs.late.as_ref().filter(|_| !combination.leaves(&early, exit_below));
        let logits = match late {
            Some(late) => combination.late(late, &outputs.early, &beside),
            None => early,
        };
        Arc::new(Reading { logits, beside, outputs })
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
        readings: &[Arc<Reading>],
    ) -> TextScores {
        let tag_count = self.config.tags.len();
        let pieces_read = windows.last().map_or(0, |window| window.end);
        let mut tags = vec![0.0; pieces_read * tag_count];
        let mut languages = vec![0.0; self.config.languages.len()];
        let mut scores = Vec::with_capacity(windows.len());
        for (window, place) in windows.into_iter().zip(repeats) {
            let reading = &readings[*place];
            let outputs = &reading.outputs;
            let own = &mut tags[window.start * tag_count..window.end * tag_count];
            own.copy_from_slice(&outputs.tags);
            for (sum, probability) in languages.iter_mut().zip(&outputs.languages) {
                *sum += probability * window.len() as f32;
            }
            scores.push(WindowLogits { pieces: window, reading: Arc::clone(reading) });
        }
        if pieces_read == 0 {
            languages[0] = 1.0;
        }
        let total: f32 = languages.iter().sum();
        for share in &mut languages {
            *share /= total;
        }
        TextScores { windows: scores, pieces_read, languages, tags, tag_count }
    }
}

impl WindowLogits {
    /// The logits, one for each label.
    pub fn logits(&self) -> &[f32] {
        &self.reading.logits
    }

    /// Returns whether the lower layers alone have read it.
    pub fn left_early(&self) -> bool {
        self.reading.outputs.late.is_none()
    }
}

impl TextScores {
    /// The logit of the text for a label: the highest of its windows.
    pub fn logit(&self, label: usize) -> f32 {
        self.windows.iter().map(|window| window.logits()[label]).fold(f32::NEG_INFINITY, f32::max)
    }

    /// The probability of each tag of a piece. `None` for a piece that was not read.
    pub fn tags(&self, piece: usize) -> Option<&[f32]> {
        self.tags.chunks_exact(self.tag_count).nth(piece)
    }
}

/// The probability that a logit stands for.
pub fn probability(logit: f32) -> f32 {
    (1.0 + (-logit).exp()).recip()
}
