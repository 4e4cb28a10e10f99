//! Operators' own models: what a sequence classifier in Hugging Face's format, or one behind a URL, says of a text
//! counts instead of ours, for the guardrails that its labels are mapped to.
//!
//! [`LocalModel`] loads a folder, [`RemoteModel`] asks a server; both are a [`Model`]. [`OverrideClassifier`] is the classifier that
//! asks one of them after another classifier has scored.
//!
//! Models in folders are behind the feature `local`: tokenizers and two runtimes are most of what this crate compiles.

mod error;
mod labels;
#[cfg(feature = "local")]
mod local;
#[cfg(feature = "local")]
mod model_config;
#[cfg(feature = "local")]
mod network;
#[cfg(feature = "local")]
mod onnx;
mod override_classifier;
mod remote;
#[cfg(feature = "local")]
mod tokenizer;
mod windows;

use guardengine_classifiers::Unavailable;
use guardengine_engine::scores::LABELS;

pub use error::Error;
pub use labels::{ACCEPTED, Labels};
#[cfg(feature = "local")]
pub use local::LocalModel;
pub use override_classifier::OverrideClassifier;
pub use remote::{RemoteEndpoint, RemoteModel};

/// Whether this build loads models from folders.
pub const LOCAL: bool = cfg!(feature = "local");

/// The probability of each of [`LABELS`]; `None` where the model has no say.
pub type LabelProbabilities = [Option<f32>; LABELS.len()];

/// A model that an operator brought.
pub trait Model: Send + Sync {
    /// Which model speaks.
    fn version(&self) -> &str;

    /// What it has a say in.
    fn labels(&self) -> &Labels;

    /// Whether it reads all of `text` at once.
    fn fits(&self, text: &str) -> bool;

    /// What it says of each stretch, in their order.
    fn classify(&self, stretches: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable>;
}
