//! Dashboard metrics: hourly counts of log entries, their rollup, and the metrics of a period.

mod cache;
mod counts;
mod latency_buckets;
mod metrics;
pub mod outcomes;
mod rollup;
pub mod usage;

pub use cache::MetricsCache;
pub use metrics::DashboardMetrics;
pub use rollup::roll_up;
