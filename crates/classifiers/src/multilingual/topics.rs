//! The encoder's vectors of texts, to which topics are fitted.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use guardengine_engine::{
    deadline::Deadline,
    evidence::{Origin, Part},
    scores::WindowVector,
    text::Text,
    topics::{NoVectors, Space, TextVector, TopicEncoder},
};

use super::{MultilingualClassifier, ScoreOptions, background, classifier::span};
use crate::{ScoreCache, Unavailable};

/// Vectors of examples that are remembered, so that a changed policy is fitted at once.
const REMEMBERED: u64 = 4_000;

/// Reads every window by every layer, however many there are.
const WHOLE: ScoreOptions<'static> = ScoreOptions {
    exit_below: Some(f32::NEG_INFINITY),
    max_windows: usize::MAX,
    cache: None,
    deadline: None,
};

/// The background of an encoder, and the vectors of examples.
pub struct TopicVectors {
    background: &'static [u8],
    space: OnceLock<Result<Arc<Space>, NoVectors>>,
    examples: ScoreCache<TextVector>,
}

impl TopicVectors {
    /// Compares with this background file. It is read when it is needed first.
    pub fn new(background: &'static [u8]) -> Self {
        Self { background, space: OnceLock::new(), examples: ScoreCache::new(REMEMBERED) }
    }

    /// Returns the space of vectors by weights with this checksum.
    fn space(&self, checksum: u64) -> Result<Arc<Space>, NoVectors> {
        let read = || {
            let vectors = background::from_bytes(self.background, checksum)
                .map_err(|error| NoVectors(error.to_string().into()))?;
            Space::of(&vectors).map(Arc::new).ok_or(NoVectors("the background is too small".into()))
        };
        self.space.get_or_init(read).clone()
    }
}

impl fmt::Debug for TopicVectors {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("TopicVectors").finish_non_exhaustive()
    }
}

impl MultilingualClassifier {
    /// Adds the vectors of the windows of a part, each read by every layer.
    pub(super) fn add_vectors(
        &self,
        index: usize,
        part: &Part<'_>,
        deadline: &Deadline,
        vectors: &mut Vec<WindowVector>,
    ) -> Result<(), Unavailable> {
        let options = ScoreOptions { cache: Some(&self.cache), deadline: Some(deadline), ..WHOLE };
        let role = self.roles.of(part.origin);
        for (view, text) in part.text.views().iter().enumerate() {
            let pieces = self.encoder.encode(&text.text);
            let scores = self.encoder.score(&pieces, role, options)?;
            for window in &scores.windows {
                let vector = window.reading.outputs.vector.clone();
                let placed = span(&pieces, window.pieces.clone()).zip(vector);
                vectors.extend(placed.map(|(span, vector)| WindowVector { part: index, view, span, vector }));
            }
        }
        Ok(())
    }

    /// Returns the vector of a text as a part of a request from `origin`, as it is after cleaning: the mean of those of its
    /// windows.
    pub fn text_vector(&self, origin: Origin, text: &str) -> Result<TextVector, Unavailable> {
        let pieces = self.encoder.encode(&Text::new(text).clean().text);
        let scores = self.encoder.score(&pieces, self.roles.of(origin), WHOLE)?;
        let windows = scores.windows.iter().filter_map(|window| window.reading.outputs.vector.as_ref());
        let sum = windows.map(|vector| vector.to_vec()).reduce(|mut sum, vector| {
            sum.iter_mut().zip(vector).for_each(|(sum, number)| *sum += number);
            sum
        });
        let sum = sum.ok_or(Unavailable("the encoder gives no vectors".into()))?;
        let count = scores.windows.len() as f32;
        let numbers = sum.iter().map(|number| number / count).collect();
        Ok(TextVector { numbers, language: likeliest(&scores.languages) })
    }

    /// Returns the number of a language with this code, as vectors have it.
    pub fn language(&self, code: &str) -> Option<u8> {
        self.encoder.languages().iter().position(|known| known == code)?.try_into().ok()
    }
}

/// Returns the number of the language with the largest share.
fn likeliest(shares: &[f32]) -> u8 {
    let likeliest = shares.iter().enumerate().max_by(|(_, one), (_, other)| one.total_cmp(other));
    likeliest.and_then(|(number, _)| number.try_into().ok()).unwrap_or_default()
}

impl TopicEncoder for MultilingualClassifier {
    fn vector(&self, text: &str) -> Result<TextVector, NoVectors> {
        let known = self.topics.as_ref().map(|topics| &topics.examples);
        if let Some(vector) = known.and_then(|known| known.get(&text)) {
            return Ok(vector);
        }
        let vector = self.text_vector(Origin::Subject, text).map_err(|error| NoVectors(error.0))?;
        if let Some(known) = known {
            known.insert(&text, vector.clone());
        }
        Ok(vector)
    }

    fn space(&self) -> Result<Arc<Space>, NoVectors> {
        let topics = self.topics.as_ref().ok_or(NoVectors("the classifier has no background".into()))?;
        topics.space(self.encoder.checksum())
    }
}
