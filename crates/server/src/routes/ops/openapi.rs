use std::sync::LazyLock;

use axum::{http::header, response::IntoResponse};

use crate::router;

static DOCUMENT: LazyLock<String> = LazyLock::new(router::openapi);

/// Get the OpenAPI document
#[utoipa::path(
    get, path = "/openapi.json", tag = "system", operation_id = "system_openapi",
    responses((status = 200, description = "The OpenAPI document", body = Object))
)]
pub async fn handle() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], DOCUMENT.as_str())
}
