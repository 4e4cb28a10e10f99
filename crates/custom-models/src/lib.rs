//! Custom models: sequence classifiers in the Hugging Face format and remote classifiers.
//!
//! An operator maps a model's labels to guardrails. The model's scores then replace those of the built-in classifier
//! for these guardrails. [`LocalModel`] loads a model from a folder, [`RemoteModel`] queries a server, and both
//! implement [`Model`]. [`OverrideClassifier`] combines a model with another classifier.
//!
//! Local models need the feature `local`: tokenizers and two runtimes take most of this crate's compile time.

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
pub use labels::{Labels, accepted as accepted_labels};
#[cfg(feature = "local")]
pub use local::LocalModel;
pub use override_classifier::OverrideClassifier;
pub use remote::{RemoteEndpoint, RemoteModel};

/// True if this build can load models from folders.
pub const LOCAL: bool = cfg!(feature = "local");

/// Probability of each of [`LABELS`]; `None` for guardrails that the model's labels are not mapped to.
pub type LabelProbabilities = [Option<f32>; LABELS.len()];

/// A custom model.
pub trait Model: Send + Sync {
    /// Returns the name and version of the model.
    fn version(&self) -> &str;

    /// Returns the mapped labels.
    fn labels(&self) -> &Labels;

    /// Returns whether the model reads `text` without truncating it.
    fn fits(&self, text: &str) -> bool;

    /// Returns the probabilities of each text, in the same order.
    fn classify(&self, texts: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable>;
}
