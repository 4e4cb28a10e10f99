//! JSON that more than one crate sends: guard decisions, log entries, events and error bodies, and the links in it.
//!
//! This crate owns the shape of these objects and nothing else. It depends on the engine and the store, whose values it
//! converts. JSON of a single endpoint stays beside its handler.

mod base_url;
pub mod choices;
mod error_body;
mod event;
mod guard_decision;
mod log_entry;
mod spans;

pub use base_url::BaseUrl;
pub use error_body::ErrorBody;
pub use event::Event;
pub use guard_decision::{CoverageAnswer, GuardDecision, TriggeredGuardrail, rounded};
pub use log_entry::{LogRecord, residual_risk_level};
