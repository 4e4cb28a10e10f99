//! From a written policy and evidence to a verdict.

mod actions;
pub mod compiled;
mod decide;
pub mod opinion;
pub mod risk;
pub mod verdict;
pub mod written;

pub use compiled::{Compiled, Listed};
pub use decide::{Asked, Confirmation, inspect, reconsider};
pub use opinion::Opinion;
pub use verdict::{Masking, Outcome, Triggered, Verdict};

pub use crate::{fields::Invalid, guardrail::Action};
