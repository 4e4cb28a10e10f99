//! Scores every part of a request with the encoder: each view, each window, in the role that the part has.

use guardengine_engine::{
    evidence::{Author, Origin, Part},
    scores::{LABELS, Scores, WindowScores},
    span::Span,
};

use super::{MultilingualEncoder, Piece, ScoreOptions, TextScores, WeightsError, WindowCache, WindowLogits};
use crate::{
    Classifier, Unavailable,
    calibration::{EPSILON, logistic},
    format::fnv1a,
};

/// The encoder as a classifier of requests.
#[derive(Debug)]
pub struct MultilingualClassifier {
    encoder: MultilingualEncoder,
    /// The encoder's label for each of [`LABELS`]; one that it lacks scores nothing.
    labels: [Option<usize>; LABELS.len()],
    roles: Roles,
    cache: WindowCache,
    version: String,
}

/// The numbers of the roles.
#[derive(Debug)]
struct Roles {
    user: usize,
    document: usize,
    tool: usize,
    model: usize,
}

impl MultilingualClassifier {
    /// Reads a weights file that stays in memory.
    pub fn from_static(file: &'static [u8]) -> Result<Self, WeightsError> {
        let encoder = MultilingualEncoder::from_static(file)?;
        let label = |name: &str| encoder.labels().iter().position(|label| label == name);
        let role = |name| encoder.role(name).unwrap_or(0);
        Ok(Self {
            labels: LABELS.map(label),
            roles: Roles {
                user: role("user"),
                document: role("document"),
                tool: role("tool"),
                model: role("model"),
            },
            cache: WindowCache::default(),
            version: format!("multilingual-{:016x}", fnv1a(file)),
            encoder,
        })
    }

    fn scored(&self, part: usize, view: usize, pieces: &[Piece], scores: &TextScores) -> Vec<WindowScores> {
        let span = |window: &WindowLogits| {
            let pieces = &pieces[window.pieces.clone()];
            pieces.first().zip(pieces.last()).map(|(first, last)| Span::new(first.start, last.end))
        };
        let of_window = |window: &WindowLogits| {
            let probability = |label: Option<usize>| {
                label.map_or(0.0, |label| {
                    logistic(scores.window_logit(window, label)).clamp(EPSILON, 1.0 - EPSILON)
                })
            };
            Some(WindowScores { part, view, span: span(window)?, scores: self.labels.map(probability) })
        };
        scores.windows.iter().filter_map(of_window).collect()
    }
}

impl Roles {
    /// Text read from an image is content that the model is given, as a document is.
    const fn of(&self, origin: Origin) -> usize {
        match origin {
            Origin::Document(_) | Origin::Image(_) => self.document,
            Origin::Turn(_, Author::Tool) => self.tool,
            Origin::Turn(_, Author::Model) => self.model,
            Origin::Turn(_, Author::User)
            | Origin::Subject
            | Origin::Audio
            | Origin::PriorTurns
            | Origin::PriorTurnsAndSubject => self.user,
        }
    }
}

impl Classifier for MultilingualClassifier {
    fn version(&self) -> &str {
        &self.version
    }

    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        let mut scored = Vec::new();
        let options = ScoreOptions { cache: Some(&self.cache), ..ScoreOptions::default() };
        for (index, part) in parts.iter().enumerate() {
            for (number, view) in part.text.views().iter().enumerate() {
                let pieces = self.encoder.encode(&view.text);
                let scores = self.encoder.score(&pieces, self.roles.of(part.origin), options)?;
                scored.extend(self.scored(index, number, &pieces, &scores));
            }
        }
        Ok(Scores { scored })
    }
}
