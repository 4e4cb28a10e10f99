use axum::response::Html;

/// What runs here
#[utoipa::path(
    get, path = "/", tag = "system", operation_id = "system_home",
    responses((status = 200, description = "A page", body = String, content_type = "text/html"))
)]
pub async fn handle() -> Html<&'static str> {
    Html(include_str!("home.html"))
}
