//! Dashboard metrics: hourly counts of log entries, their rollup, and the metrics of a period.

pub mod breakdown;
mod cache;
mod counts;
mod latency_buckets;
mod metrics;
pub mod outcomes;
mod rollup;
pub mod usage;
mod usage_counts;

pub use cache::MetricsCache;
pub use metrics::DashboardMetrics;
pub use rollup::roll_up;
pub use usage_counts::UsageBy;
