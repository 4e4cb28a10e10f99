//! Model scores: what a learned classifier says about a text, calibrated, for every guardrail that has one.
//!
//! Callers know [`Classifier`] alone. [`Linear`] is the fast tier and needs nothing but the weights compiled into this
//! library; an encoder, a cascade of both or a remote service stand behind the same trait.

mod cache;
pub mod calibration;
mod cascade;
mod encoder;
mod feature_sums;
pub mod features;
mod format;
mod fusion;
mod gloss;
mod int8_matmul;
mod linear;
mod multilingual;
mod scratch_pool;
mod tokens;
pub mod wordpiece;

use std::{borrow::Cow, sync::Arc};

use guardengine_engine::{evidence::Part, scores::Scores};

pub use cache::ScoreCache;
pub use cascade::{Cascade, MAX_WINDOW_BYTES};
pub use encoder::{Begun, Encoder, Misshapen, PIECES, Unusable};
pub use feature_sums::{ChunkSums, SMOOTHING, Sums};
pub use format::{FormatError, Weights};
pub use fusion::{FusionError, FusionWeights, ScoreFusion};
pub use gloss::in_english;
pub use linear::Linear;
pub use multilingual::{
    MultilingualClassifier, MultilingualEncoder, Piece, ScoreOptions, TaggedEntity, TextScores, WeightsError,
    WindowCache, WindowLogits, probability,
};

/// Gives calibrated scores to the parts of a request.
pub trait Classifier: Send + Sync {
    /// Which model with which weights speaks; changes whenever a score could.
    fn version(&self) -> &str;

    /// Scores every view of every part: the whole of it, and each of its windows when there are several.
    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable>;
}

impl<C: Classifier + ?Sized> Classifier for &C {
    fn version(&self) -> &str {
        (**self).version()
    }

    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        (**self).score(parts)
    }
}

impl<C: Classifier + ?Sized> Classifier for Arc<C> {
    fn version(&self) -> &str {
        (**self).version()
    }

    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        (**self).score(parts)
    }
}

/// The classifier cannot answer now, so nothing may be allowed on its word.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the classifier is unavailable: {0}")]
pub struct Unavailable(pub Cow<'static, str>);
