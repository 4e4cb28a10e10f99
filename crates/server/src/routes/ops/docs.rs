use std::sync::LazyLock;

use axum::{
    http::{HeaderName, header},
    response::Html,
};
use base64::{Engine as _, prelude::BASE64_STANDARD};
use sha2::{Digest as _, Sha256};

const PAGE: &str = include_str!("docs.html");

/// Allows the page's own script and style and the API document, and no framing.
static POLICY: LazyLock<String> = LazyLock::new(|| {
    format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; connect-src 'self'; base-uri 'none'; form-action 'none'; \
         frame-ancestors 'none'",
        source("script"),
        source("style")
    )
});

/// Returns the hash of the page's only element of this name, as a source (Content Security Policy Level 3, section 2.3.1).
fn source(element: &str) -> String {
    let content = PAGE.split_once(&format!("<{element}>")).map_or("", |(_, rest)| rest);
    let content = content.split_once(&format!("</{element}>")).map_or("", |(content, _)| content);
    format!("sha256-{}", BASE64_STANDARD.encode(Sha256::digest(content)))
}

/// Show the API reference
#[utoipa::path(
    get, path = "/docs", tag = "system", operation_id = "system_docs",
    responses((status = 200, description = "An HTML page that renders `/openapi.json`", body = String, content_type = "text/html"))
)]
pub async fn handle() -> ([(HeaderName, &'static str); 3], Html<&'static str>) {
    let headers = [
        (header::CONTENT_SECURITY_POLICY, &**POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (headers, Html(PAGE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_covers_everything_that_is_inline() {
        for element in ["script", "style"] {
            assert_eq!(PAGE.matches(&format!("<{element}>")).count(), 1, "{element}");
            assert!(POLICY.contains(&source(element)), "{}", *POLICY);
        }
        for other in ["style=", "onclick", "src=", "<script ", "<style "] {
            assert!(!PAGE.contains(other), "{other}");
        }
    }
}
