//! Response headers of console files: content type, caching and security policy.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// Content encoding of compressed files.
pub const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// Allows files of this service only, no inline code and no framing. `data:` and `blob:` are for images and audio that the
/// page itself holds: the files to evaluate, and their masked versions.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      media-src blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'self'; \
                      frame-ancestors 'none'";

const COMMON_HEADERS: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::VARY, "accept-encoding"),
];

/// Sets the headers of the file at `path`.
pub fn set(headers: &mut HeaderMap, path: &str) {
    for (name, value) in COMMON_HEADERS {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(cache_control(path)));
}

/// Returns the caching rule. File names under `assets` contain a hash of the content; other files change in place.
fn cache_control(path: &str) -> &'static str {
    if path.starts_with("assets/") { "public, max-age=31536000, immutable" } else { "no-cache" }
}

fn content_type(path: &str) -> &'static str {
    match path.rsplit('.').next() {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_hashed_files_for_good() {
        assert_eq!(cache_control("index.html"), "no-cache");
        assert!(cache_control("assets/index-Bx2.js").contains("immutable"));
    }
}
