//! Lakera's guard, version 2, as the callers of LiteLLM 1.110, Kong and APISIX use it.

mod detectors;
mod guard;

use axum::{http::StatusCode, routing::post};
use guardengine_guard::Operation;
use serde_json::{Value, json};

use super::{SurfaceRoute, route};
use crate::http::Access;

/// The routes of this surface. The last message says which permission a request needs.
pub fn routes() -> Vec<SurfaceRoute> {
    let signed_in = |path, handler| route(path, Access::SignedIn, Operation::Analyze, handler, error);
    vec![signed_in("/v2/guard", post(guard::decide)), signed_in("/v2/guard/results", post(guard::results))]
}

/// Returns an error as Lakera answers it, with 400 for an invalid field.
fn error(status: StatusCode, detail: &str) -> (StatusCode, Value) {
    let status = if status == StatusCode::UNPROCESSABLE_ENTITY { StatusCode::BAD_REQUEST } else { status };
    (status, json!({ "error": { "code": status.as_u16(), "message": detail } }))
}
