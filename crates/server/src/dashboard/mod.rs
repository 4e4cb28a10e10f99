//! The dashboard's figures: what is counted of a row, rows added up by the hour, and what is told of a period.

mod cache;
mod counts;
mod latency_buckets;
mod metrics;
mod rollup;

pub use cache::MetricsCache;
pub use metrics::DashboardMetrics;
pub use rollup::roll_up;
