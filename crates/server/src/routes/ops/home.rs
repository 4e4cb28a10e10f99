use axum::{extract::State, http::HeaderMap, response::Response};

use crate::{app::Operations, console};

/// Open the web console
#[utoipa::path(
    get, path = "/", tag = "system", operation_id = "system_home",
    responses((status = 200, description = "The console's HTML page", body = String, content_type = "text/html"))
)]
pub async fn handle(State(operations): State<Operations>, headers: HeaderMap) -> Response {
    console::index(&headers, &operations.settings.base_url)
}
