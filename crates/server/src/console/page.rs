//! Addresses that only the console knows, and what stands there without a console.

use axum::{
    http::{HeaderMap, header},
    response::{Html, IntoResponse as _, Response},
};

use super::headers;

/// Where the API lives: a path there that is not known is a mistake, also for a browser.
const API: [&str; 4] = ["api/", "api-keys/", "auth/", "v2/"];

/// Whether a browser asks for a page, rather than a client for an endpoint or a file.
pub fn is_page(path: &str, asked: &HeaderMap) -> bool {
    let accepted = asked.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    !is_file
        && !API.iter().any(|prefix| path.starts_with(prefix))
        && accepted.collect::<String>().contains("text/html")
}

/// The page of a binary that was built without the console.
pub fn not_built() -> Response {
    let mut response = Html(include_str!("not_built.html")).into_response();
    headers::set(response.headers_mut(), "index.html");
    response
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    fn is_page_for(path: &str, accept: &'static str) -> bool {
        is_page(path, &HeaderMap::from_iter([(header::ACCEPT, HeaderValue::from_static(accept))]))
    }

    #[test]
    fn browsers_get_the_page_and_clients_their_404() {
        assert!(is_page_for("logs", "text/html,application/xhtml+xml"));
        assert!(is_page_for("policies/01890a5d", "text/html"));
        assert!(!is_page_for("logs", "application/json"));
        assert!(!is_page_for("logs", "*/*"));
    }

    #[test]
    fn nothing_below_the_api_and_no_file_is_a_page() {
        for path in ["api/nothing", "v2/nothing", "auth/nothing", "api-keys/nothing", "assets/gone-1.js"] {
            assert!(!is_page_for(path, "text/html"), "{path}");
        }
    }
}
