use axum::{extract::State, http::header, response::IntoResponse};

use crate::app::Operations;

/// Get Prometheus metrics
#[utoipa::path(
    get, path = "/metrics", tag = "system", operation_id = "system_metrics",
    responses((status = 200, description = "Text exposition format", body = String, content_type = "text/plain"))
)]
pub async fn handle(State(operations): State<Operations>) -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "text/plain; version=0.0.4; charset=utf-8")], operations.metrics.render())
}
