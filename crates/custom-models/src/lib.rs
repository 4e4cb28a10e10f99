//! Operators' own models: what a sequence classifier in Hugging Face's format, or one behind a URL, says of a text
//! counts instead of ours, for the guardrails that its labels are mapped to.
//!
//! [`Checkpoint`] loads a folder, [`Remote`] asks a server; both are a [`Model`]. [`Overruled`] is the classifier that
//! asks one of them after another classifier has scored.
//!
//! Models in folders are behind the feature `local`: tokenizers and two runtimes are most of what this crate compiles.

#[cfg(feature = "local")]
mod checkpoint;
#[cfg(feature = "local")]
mod description;
mod fault;
mod labels;
#[cfg(feature = "local")]
mod network;
#[cfg(feature = "local")]
mod onnx;
mod overruled;
#[cfg(feature = "local")]
mod pieces;
mod remote;
mod stretches;

use guardengine_classifiers::Unavailable;
use guardengine_engine::scores::LABELS;

#[cfg(feature = "local")]
pub use checkpoint::Checkpoint;
pub use fault::Fault;
pub use labels::{ACCEPTED, Labels};
pub use overruled::Overruled;
pub use remote::{Remote, Service};

/// Whether this build loads models from folders.
pub const LOCAL: bool = cfg!(feature = "local");

/// The probability of each of [`LABELS`]; `None` where the model has no say.
pub type Opinion = [Option<f32>; LABELS.len()];

/// A model that an operator brought.
pub trait Model: Send + Sync {
    /// Which model speaks.
    fn version(&self) -> &str;

    /// What it has a say in.
    fn labels(&self) -> &Labels;

    /// Whether it reads all of `text` at once.
    fn fits(&self, text: &str) -> bool;

    /// What it says of each stretch, in their order.
    fn read(&self, stretches: &[&str]) -> Result<Vec<Opinion>, Unavailable>;
}
