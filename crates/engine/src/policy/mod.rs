//! Policies: from a policy document and evidence to a verdict.

mod action;
mod combine;
pub mod compile;
mod coverage;
mod decide;
pub mod document;
pub mod risk;
pub mod second_opinion;
pub mod verdict;
mod waivers;

pub use compile::{CompiledPolicy, GuardrailSummary};
pub use decide::{Confirmation, RequestOptions, decide, decide_with_opinion};
pub use second_opinion::Opinion;
pub use verdict::{Masking, Outcome, TriggeredGuardrail, Verdict};

pub use crate::{fields::FieldError, guardrail::Action};
