//! The data behind the dashboard: hourly counts, log entries not counted yet, and requests without a log entry.

mod hourly_counts;
mod metrics;
mod unevaluated;

pub use hourly_counts::{EVERY_PROJECT, HourlyCount, LogSummary};
pub use metrics::{Gathered, Period, Wanted};
pub use unevaluated::Unjudged;
