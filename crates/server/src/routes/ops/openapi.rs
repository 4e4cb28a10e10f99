use std::{borrow::Cow, sync::LazyLock};

use axum::{extract::State, http::header, response::IntoResponse};
use serde_json::json;

use crate::{app::Operations, router};

static DOCUMENT: LazyLock<String> = LazyLock::new(router::openapi);

/// Get the OpenAPI document
#[utoipa::path(
    get, path = "/openapi.json", tag = "system", operation_id = "system_openapi",
    responses((status = 200, description = "The OpenAPI document", body = Object))
)]
pub async fn handle(State(operations): State<Operations>) -> impl IntoResponse {
    let document = match operations.settings.base_url.url() {
        Some(url) => Cow::Owned(served_at(url)),
        None => Cow::Borrowed(DOCUMENT.as_str()),
    };
    ([(header::CONTENT_TYPE, "application/json")], document)
}

/// Returns the document with the address of the service, which clients put before the paths.
fn served_at(url: &str) -> String {
    let servers = format!("{{\n  \"servers\": {},", json!([{ "url": url }]));
    DOCUMENT.replacen('{', &servers, 1)
}
