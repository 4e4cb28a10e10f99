//! Scores every part of a request with the encoder: each view, each window, in the role that the part has. Another
//! classifier scores the same text beside it.

use std::{fmt, ops::Range};

use guardengine_engine::{
    deadline::Deadline,
    evidence::{Author, Origin, Part},
    scores::{LABELS, Scores, WindowScores, WindowVector},
    span::Span,
    topics::TopicEncoder,
};

use super::{
    MultilingualEncoder, Piece, ScoreOptions, TextScores, WindowCache, WindowLogits, topics::TopicVectors,
};
use crate::{
    Classifier, Unavailable,
    calibration::{EPSILON, log_odds, logistic},
};

/// The encoder as a classifier of requests.
pub struct MultilingualClassifier {
    pub(super) encoder: MultilingualEncoder,
    beside: &'static dyn Classifier,
    /// The encoder's label for each of [`LABELS`]; one that it lacks scores nothing.
    labels: [Option<usize>; LABELS.len()],
    pub(super) roles: Roles,
    pub(super) cache: WindowCache,
    pub(super) topics: Option<TopicVectors>,
    version: String,
}

/// The numbers of the roles.
#[derive(Debug)]
pub(super) struct Roles {
    user: usize,
    document: usize,
    tool: usize,
    model: usize,
}

impl MultilingualClassifier {
    /// Scores with `encoder`, and with `beside` beside it.
    pub fn new(encoder: MultilingualEncoder, beside: &'static dyn Classifier) -> Self {
        let label = |name: &str| encoder.labels().iter().position(|label| label == name);
        let role = |name| encoder.role(name).unwrap_or(0);
        Self {
            labels: LABELS.map(label),
            roles: Roles {
                user: role("user"),
                document: role("document"),
                tool: role("tool"),
                model: role("model"),
            },
            cache: WindowCache::default(),
            topics: None,
            version: format!("{}+multilingual-{:016x}", beside.version(), encoder.version()),
            encoder,
            beside,
        }
    }

    /// Compares topics with this background, a file that the same weights made.
    #[must_use]
    pub fn with_background(self, background: &'static [u8]) -> Self {
        Self { topics: Some(TopicVectors::new(background)), ..self }
    }

    /// Reads a view of a part, of which the classifier beside said this.
    fn read(
        &self,
        part: &Part<'_>,
        view: usize,
        said: &[&WindowScores],
        options: ScoreOptions<'_>,
    ) -> Result<(Vec<Piece>, TextScores), Unavailable> {
        let pieces = self.encoder.encode(&part.text.views()[view].text);
        let beside = |window| self.log_odds_beside(said, &pieces, window);
        let scores = self.encoder.score_beside(&pieces, self.roles.of(part.origin), options, beside)?;
        Ok((pieces, scores))
    }

    /// Reads the text of a part as it is after cleaning, with every layer.
    pub fn read_whole(&self, part: Part<'_>) -> Result<TextScores, Unavailable> {
        let parts = [part];
        let said = self.beside.score(&parts)?.scored;
        let options = ScoreOptions { exit_below: Some(f32::NEG_INFINITY), ..ScoreOptions::default() };
        let (_, scores) = self.read(&parts[0], 0, &windows_of(&said, 0, 0), options)?;
        Ok(scores)
    }

    fn window_scores(
        &self,
        part: usize,
        view: usize,
        pieces: &[Piece],
        window: &WindowLogits,
    ) -> Option<WindowScores> {
        let probability = |label: Option<usize>| {
            label.map_or(0.0, |label| logistic(window.logits()[label]).clamp(EPSILON, 1.0 - EPSILON))
        };
        let span = span(pieces, window.pieces.clone())?;
        Some(WindowScores { part, view, span, scores: self.labels.map(probability) })
    }

    /// Log-odds of the classifier beside for each of the encoder's labels: the highest of its windows that overlap the pieces.
    fn log_odds_beside(&self, said: &[&WindowScores], pieces: &[Piece], window: Range<usize>) -> Vec<f32> {
        let mut found = vec![log_odds(EPSILON); self.encoder.labels().len()];
        let Some(span) = span(pieces, window) else { return found };
        let first = said.partition_point(|one| one.span.end <= span.start);
        for one in said[first..].iter().take_while(|one| one.span.start < span.end) {
            for (place, score) in self.labels.iter().zip(&one.scores) {
                if let Some(highest) = place.and_then(|place| found.get_mut(place)) {
                    *highest = highest.max(log_odds(*score));
                }
            }
        }
        found
    }
}

/// The stretch of a view that pieces cover.
pub(super) fn span(pieces: &[Piece], window: Range<usize>) -> Option<Span> {
    let pieces = &pieces[window];
    pieces.first().zip(pieces.last()).map(|(first, last)| Span::new(first.start, last.end))
}

/// The windows of a view, in order. The whole view counts only where it is the one window.
fn windows_of(scored: &[WindowScores], part: usize, view: usize) -> Vec<&WindowScores> {
    let mut own: Vec<_> = scored.iter().filter(|one| (one.part, one.view) == (part, view)).collect();
    if own.len() > 1 {
        own.remove(0);
    }
    own
}

impl fmt::Debug for MultilingualClassifier {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("MultilingualClassifier")
            .field("version", &self.version)
            .finish_non_exhaustive()
    }
}

impl Roles {
    /// Text read from an image is content that the model is given, as a document is.
    pub(super) const fn of(&self, origin: Origin) -> usize {
        match origin {
            Origin::Document(_) | Origin::Image(_) => self.document,
            Origin::Turn(_, Author::Tool) => self.tool,
            Origin::Turn(_, Author::Model) => self.model,
            Origin::Turn(_, Author::User)
            | Origin::Subject
            | Origin::Audio
            | Origin::PriorTurns(_)
            | Origin::PriorTurnsAndSubject(_) => self.user,
        }
    }
}

impl Classifier for MultilingualClassifier {
    fn version(&self) -> &str {
        &self.version
    }

    fn score_until(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Scores, Unavailable> {
        let said = self.beside.score_until(parts, deadline)?.scored;
        let mut scored = Vec::new();
        let options =
            ScoreOptions { cache: Some(&self.cache), deadline: Some(deadline), ..ScoreOptions::default() };
        for (index, part) in parts.iter().enumerate() {
            for number in 0..part.text.views().len() {
                let said = windows_of(&said, index, number);
                let (pieces, scores) = self.read(part, number, &said, options)?;
                let windows = scores.windows.iter();
                scored
                    .extend(windows.filter_map(|window| self.window_scores(index, number, &pieces, window)));
            }
        }
        Ok(Scores { scored, ..Scores::default() })
    }

    fn vectors(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Vec<WindowVector>, Unavailable> {
        let mut vectors = Vec::new();
        for (index, part) in parts.iter().enumerate().filter(|(_, part)| part.origin.is_evaluated()) {
            self.add_vectors(index, part, deadline, &mut vectors)?;
        }
        Ok(vectors)
    }

    fn topic_encoder(&self) -> Result<&dyn TopicEncoder, Unavailable> {
        Ok(self)
    }
}
