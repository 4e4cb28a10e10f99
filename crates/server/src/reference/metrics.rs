//! Prometheus metrics.

use super::markdown::{code, codes, table};
use crate::http::layers::metric_catalog::{Label, METRICS, Metric, MetricType};

/// Every metric.
pub fn metrics() -> String {
    let row = |metric: &Metric| {
        let labels = metric.labels.iter().map(label).collect::<Vec<_>>().join("; ");
        vec![code(metric.name), name(metric.metric_type).to_owned(), labels, metric.help.to_owned()]
    };
    table(&["metric", "type", "labels", "meaning"], METRICS.iter().map(row))
}

fn label(label: &Label) -> String {
    let name = code(label.name);
    if label.values.is_empty() { name } else { format!("{name}: {}", codes(label.values.iter().copied())) }
}

const fn name(metric_type: MetricType) -> &'static str {
    match metric_type {
        MetricType::Counter => "counter",
        MetricType::Gauge => "gauge",
        MetricType::Histogram => "histogram",
        MetricType::Summary => "summary",
    }
}
