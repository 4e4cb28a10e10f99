//! The data behind the dashboard: hourly counts, log entries not counted yet, and requests without a log entry.

mod hourly_counts;
mod metrics;
mod unevaluated;

pub use hourly_counts::{ALL_PROJECTS, HourlyCount, LogSummary};
pub use metrics::{MetricCounts, MetricQuery, Period};
pub use unevaluated::UnevaluatedCount;
