//! Layers around every request: compression, metrics, traces, the correlation id, and responses where no handler answers.

mod compression;
mod correlation_id;
mod fallback;
mod message_rules;
pub mod metric_catalog;
pub mod metrics;
mod traces;

pub use compression::{accepts_gzip, compress};
pub use correlation_id::{CorrelationId, correlate};
pub use fallback::{method_not_allowed, not_found, panicked};
pub use message_rules::check_message;
pub use traces::trace;
