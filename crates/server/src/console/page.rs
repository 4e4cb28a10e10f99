//! Detects requests for console pages, and provides the page of builds without a console.

use axum::{
    http::{HeaderMap, header},
    response::{Html, IntoResponse as _, Response},
};

use guardengine_api_types::BaseUrl;

use super::headers;

/// The element of a page that its other addresses are relative to.
const ROOT: &str = "<base href=\"/\"";

/// Prefixes of the API. An unknown path below them returns 404, also to browsers.
const API_PREFIXES: [&str; 4] = ["api/", "api-keys/", "auth/", "v2/"];

/// Returns true if a browser requests a page, not an endpoint or a file.
pub fn is_page(path: &str, headers: &HeaderMap) -> bool {
    let accepted = headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok());
    let is_file = path.rsplit('/').next().is_some_and(|name| name.contains('.'));
    !is_file
        && !API_PREFIXES.iter().any(|prefix| path.starts_with(prefix))
        && accepted.collect::<String>().contains("text/html")
}

/// Returns a page whose addresses are relative to the path of `base`.
pub fn under(base: &BaseUrl, page: &str) -> String {
    page.replacen(ROOT, &format!("<base href=\"{}/\"", base.path()), 1)
}

/// Returns the page of a binary that was built without the console.
pub fn not_built(base: &BaseUrl) -> Response {
    let mut response = Html(under(base, include_str!("not_built.html"))).into_response();
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
    fn browsers_get_the_page_and_other_clients_404() {
        assert!(is_page_for("logs", "text/html,application/xhtml+xml"));
        assert!(is_page_for("policies/01890a5d", "text/html"));
        assert!(!is_page_for("logs", "application/json"));
        assert!(!is_page_for("logs", "*/*"));
    }

    #[test]
    fn api_paths_and_files_are_not_pages() {
        for path in ["api/nothing", "v2/nothing", "auth/nothing", "api-keys/nothing", "assets/gone-1.js"] {
            assert!(!is_page_for(path, "text/html"), "{path}");
        }
    }
}
