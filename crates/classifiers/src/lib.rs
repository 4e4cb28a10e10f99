//! Learned classifiers: calibrated scores of a text for every guardrail that has one.
//!
//! Callers only know [`Classifier`], and [`embedded`] for what is compiled in. [`Linear`] is the fast tier; [`Cascade`] has an
//! English encoder read what it suspects; [`MultilingualClassifier`] reads every window, and combines what it finds with
//! the cascade's scores. A remote service implements the same trait.

mod cache;
pub mod calibration;
mod cascade;
mod encoder;
mod feature_sums;
pub mod features;
mod format;
mod fusion;
mod gloss;
mod linear;
mod multilingual;
mod scratch_pool;
mod tokens;
pub mod wordpiece;

use std::{
    borrow::Cow,
    sync::{Arc, LazyLock},
};

use guardengine_engine::{
    deadline::Deadline,
    evidence::Part,
    policy::CompiledPolicy,
    scores::{LABELS, Scores, WindowVector},
    topics::TopicEncoder,
};

pub use cache::ScoreCache;
pub use cascade::{Cascade, MAX_WINDOW_BYTES};
pub use encoder::{Begun, Encoder, Misshapen, PIECES, Unusable};
pub use feature_sums::{ChunkSums, SMOOTHING, Sums};
pub use format::{FormatError, Weights};
pub use fusion::{FusionError, FusionWeights, ScoreFusion};
pub use gloss::in_english;
pub use linear::Linear;
pub use multilingual::{
    BackgroundError, MultilingualClassifier, MultilingualEncoder, Outputs, Piece, Reading, ScoreOptions,
    TaggedEntity, TextScores, WeightsError, WindowCache, WindowLogits, probability, read_background,
    write_background,
};

/// Returns the classifier that is compiled in: the multilingual encoder, and the [`Cascade`] beside it. The first call loads
/// both.
pub fn embedded() -> &'static MultilingualClassifier {
    &EMBEDDED
}

static EMBEDDED: LazyLock<MultilingualClassifier> = LazyLock::new(|| {
    let weights = include_bytes!("../../../models/multilingual/encoder.safetensors");
    let combination = include_str!("../../../models/multilingual/combination.json");
    let encoder = MultilingualEncoder::from_static(weights).and_then(|encoder| encoder.combined(combination));
    let encoder = encoder.expect("the files that are compiled in are read by a test");
    MultilingualClassifier::new(encoder, Cascade::embedded()).with_background(BACKGROUND)
});

/// Vectors of harmless texts by the encoder that is compiled in.
static BACKGROUND: &[u8] = include_bytes!("../../../models/multilingual/background.bin");

/// The guardrails that the linear model and the English encoder know. Of the later ones the [`Cascade`] says nothing.
pub const CASCADE_LABELS: [&str; 14] = *LABELS.first_chunk().unwrap();

/// Scores the parts of a request.
pub trait Classifier: Send + Sync {
    /// Returns the version of the model and its weights, which changes whenever a score could change.
    fn version(&self) -> &str;

    /// Scores every view of every part: the whole view, and each of its windows if there are several. Gives up with
    /// [`TOO_LONG`] between two of them when the time is over.
    fn score_until(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Scores, Unavailable>;

    /// Scores without a limit on the time.
    fn score(&self, parts: &[Part<'_>]) -> Result<Scores, Unavailable> {
        self.score_until(parts, &Deadline::none())
    }

    /// Returns the vectors of every window of every view of the evaluated parts, in which topics are found. Gives up with
    /// [`TOO_LONG`] between two windows when the time is over. Call it before [`Self::score_until`]: what was read for the
    /// vectors is not read again for the scores.
    fn vectors(&self, _: &[Part<'_>], _: &Deadline) -> Result<Vec<WindowVector>, Unavailable> {
        Err(no_vectors())
    }

    /// Returns what topics are fitted with.
    fn topic_encoder(&self) -> Result<&dyn TopicEncoder, Unavailable> {
        Err(no_vectors())
    }
}

/// Fits the topics of a compiled policy, if it has any.
pub fn fit_topics(policy: &mut CompiledPolicy, classifier: &dyn Classifier) -> Result<(), Unavailable> {
    if !policy.needs_vectors() {
        return Ok(());
    }
    policy.fit(classifier.topic_encoder()?).map_err(|error| Unavailable(error.to_string().into()))
}

fn no_vectors() -> Unavailable {
    Unavailable("this classifier gives no vectors for topics".into())
}

/// Reason of an evaluation that was given up at its deadline.
pub const TOO_LONG: &str = "the evaluation took longer than `evaluation.deadline`";

/// Returns an error if the time is over.
pub fn in_time(deadline: &Deadline) -> Result<(), Unavailable> {
    if deadline.is_over() { Err(Unavailable(TOO_LONG.into())) } else { Ok(()) }
}

impl<C: Classifier + ?Sized> Classifier for &C {
    fn version(&self) -> &str {
        (**self).version()
    }

    fn score_until(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Scores, Unavailable> {
        (**self).score_until(parts, deadline)
    }

    fn vectors(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Vec<WindowVector>, Unavailable> {
        (**self).vectors(parts, deadline)
    }

    fn topic_encoder(&self) -> Result<&dyn TopicEncoder, Unavailable> {
        (**self).topic_encoder()
    }
}

impl<C: Classifier + ?Sized> Classifier for Arc<C> {
    fn version(&self) -> &str {
        (**self).version()
    }

    fn score_until(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Scores, Unavailable> {
        (**self).score_until(parts, deadline)
    }

    fn vectors(&self, parts: &[Part<'_>], deadline: &Deadline) -> Result<Vec<WindowVector>, Unavailable> {
        (**self).vectors(parts, deadline)
    }

    fn topic_encoder(&self) -> Result<&dyn TopicEncoder, Unavailable> {
        (**self).topic_encoder()
    }
}

/// The classifier is unavailable, so nothing may be allowed on its score.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the classifier is unavailable: {0}")]
pub struct Unavailable(pub Cow<'static, str>);
