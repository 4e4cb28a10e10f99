use axum::response::Html;

/// Show the API reference
#[utoipa::path(
    get, path = "/docs", tag = "system", operation_id = "system_docs",
    responses((status = 200, description = "An HTML page that renders `/openapi.json`", body = String, content_type = "text/html"))
)]
pub async fn handle() -> Html<&'static str> {
    Html(include_str!("docs.html"))
}
