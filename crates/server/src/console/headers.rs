//! What a browser is told beside a file.

use axum::http::{HeaderMap, HeaderName, HeaderValue, header};

/// The encoding of packed files.
pub const GZIP: HeaderValue = HeaderValue::from_static("gzip");

/// Everything comes from here, nothing is written into the page, and nobody frames it. `data:` is for pictures and `blob:`
/// for recordings that the page itself holds: what was chosen to be judged, and what came back masked.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
                      media-src blob:; font-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; \
                      frame-ancestors 'none'";

const EVERYWHERE: [(HeaderName, &str); 4] = [
    (header::CONTENT_SECURITY_POLICY, POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    (header::REFERRER_POLICY, "no-referrer"),
    (header::VARY, "accept-encoding"),
];

/// Sets the headers of the file at `path`.
pub fn set(headers: &mut HeaderMap, path: &str) {
    for (name, value) in EVERYWHERE {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type(path)));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static(caching(path)));
}

/// The name of a file under `assets` holds the hash of its content; the others change in place.
fn caching(path: &str) -> &'static str {
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

/// Whether `Accept-Encoding` names gzip (RFC 9110, 12.5.3) without refusing it.
pub fn takes_gzip(headers: &HeaderMap) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(value: &'static str) -> bool {
        takes_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
    }

    #[test]
    fn gzip_is_sent_to_those_who_take_it() {
        assert!(takes("gzip"));
        assert!(takes("br, GZIP;q=0.5"));
        assert!(!takes("br"));
        assert!(!takes("gzip;q=0, br"));
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn only_what_is_named_by_its_content_is_kept_for_good() {
        assert_eq!(caching("index.html"), "no-cache");
        assert!(caching("assets/index-Bx2.js").contains("immutable"));
    }
}
