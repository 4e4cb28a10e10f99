//! Text in, verdict out.
//!
//! The engine is pure: no input or output, no clock, no randomness. Model scores are an input ([`scores`]), keys for
//! masking are an input ([`pii::mask`]), and the same evidence under the same policy always gives the same verdict.
//!
//! Data flows one way: [`text`] makes views of what was sent, [`detectors`] turn views and scores into
//! [`finding::Finding`]s, and [`policy`] turns findings into a verdict (`policy`).

pub mod deadline;
pub mod detectors;
pub mod evidence;
pub mod fields;
pub mod finding;
pub mod fingerprint;
pub mod guardrail;
pub mod inspection_times;
pub mod keywords;
mod patterns;
pub mod pii;
pub mod policy;
mod regex;
mod rules;
pub mod scores;
pub mod settings;
pub mod sources;
pub mod span;
pub mod stream;
pub mod text;
pub mod topics;
mod warm_up;
mod word_matcher;

pub use evidence::Evidence;
pub use policy::{Confirmation, RequestOptions, Verdict, decide};
pub use warm_up::warm_up;
