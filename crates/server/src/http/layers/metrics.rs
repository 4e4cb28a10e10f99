//! Request metrics.

use std::{sync::LazyLock, time::Instant};

use axum::{
    extract::{MatchedPath, Request},
    http::Method,
    middleware::Next,
    response::Response,
};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};

use super::metric_catalog;

const SECONDS: [f64; 12] = [0.0005, 0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 5.0];

// One per process, even if several services run in it.
static RECORDER: LazyLock<PrometheusHandle> = LazyLock::new(install);

/// Returns the metrics recorder of the process.
pub fn recorder() -> PrometheusHandle {
    RECORDER.clone()
}

fn install() -> PrometheusHandle {
    let builder = PrometheusBuilder::new();
    let builder = builder.set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS);
    let recorder =
        builder.map_or_else(|_| PrometheusBuilder::new().build_recorder(), PrometheusBuilder::build_recorder);
    let handle = recorder.handle();
    // Fails only if another recorder is already installed.
    let _installed = metrics::set_global_recorder(recorder);
    metric_catalog::describe();
    handle
}

/// Returns the label of a method. Clients can invent methods, so the labels are a closed set.
pub fn method_label(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "PATCH" => "PATCH",
        "DELETE" => "DELETE",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

/// Counts requests by route, method and status, and records their duration.
pub async fn meter(request: Request, next: Next) -> Response {
    let path = request.extensions().get::<MatchedPath>().map_or("unmatched", MatchedPath::as_str).to_owned();
    let method = method_label(request.method());
    let began = Instant::now();
    let response = next.run(request).await;
    let status = response.status().as_str().to_owned();
    metrics::counter!("guardengine_requests_total", "path" => path.clone(), "method" => method, "status" => status).increment(1);
    metrics::histogram!("guardengine_request_duration_seconds", "path" => path).record(began.elapsed());
    response
}
