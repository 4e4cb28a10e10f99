//! The data behind the dashboard: hourly counts, usage by caller, log entries not counted yet, and requests without a log entry.

mod hourly_counts;
mod metrics;
mod unevaluated;
mod usage_counts;

pub use hourly_counts::{ALL_PROJECTS, HourlyCount, LogSummary};
pub use metrics::{MetricCounts, MetricQuery, Period};
pub use unevaluated::UnevaluatedCount;
pub use usage_counts::{PeriodUsage, Usage, UsageCount};
