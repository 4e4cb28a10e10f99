use axum::response::Html;

/// The API as a page
#[utoipa::path(
    get, path = "/docs", tag = "system", operation_id = "system_docs",
    responses((status = 200, description = "A page over openapi.json", body = String, content_type = "text/html"))
)]
pub async fn handle() -> Html<&'static str> {
    Html(include_str!("docs.html"))
}
