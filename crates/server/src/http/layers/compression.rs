//! Compresses answers to GET requests.
//!
//! Answers to other methods can hold a new secret beside a text of the request, and their length would hint at it
//! (BREACH). They are small, too. Streams and exports are sent as they are.

use std::{io::Write as _, ops::RangeInclusive};

use axum::{
    body::{Body, Bytes, HttpBody as _, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};
use flate2::{Compression, write::GzEncoder};

use crate::http::Error;

/// Bytes of bodies that are compressed. A smaller one fits in a packet.
const SIZES: RangeInclusive<u64> = 1_400..=16 * 1024 * 1024;
/// Bytes from which another thread compresses: about half a millisecond of work.
const LARGE: usize = 64 * 1024;
const GZIP: HeaderValue = HeaderValue::from_static("gzip");
const ACCEPT_ENCODING: HeaderValue = HeaderValue::from_static("accept-encoding");

/// Compresses the answer to a GET request if the client accepts gzip.
pub async fn compress(request: Request, next: Next) -> Response {
    let is_get = *request.method() == Method::GET;
    let is_accepted = is_get && accepts_gzip(request.headers());
    let mut response = next.run(request).await;
    if !is_get || !is_compressible(&response) {
        return response;
    }
    response.headers_mut().append(header::VARY, ACCEPT_ENCODING);
    if is_accepted { gzipped(response).await } else { response }
}

/// Returns true if `Accept-Encoding` accepts gzip (RFC 9110, section 12.5.3).
pub fn accepts_gzip(headers: &HeaderMap) -> bool {
    let listed = headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    listed.flat_map(|value| value.split(',')).any(|coding| {
        let (name, weight) = coding.split_once(';').unwrap_or((coding, "q=1"));
        let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.parse::<f32>().ok());
        name.trim().eq_ignore_ascii_case("gzip") && weight.is_some_and(|weight| weight > 0.0)
    })
}

/// Text of a known size that nobody has encoded.
fn is_compressible(response: &Response) -> bool {
    let headers = response.headers();
    let media_type = headers.get(header::CONTENT_TYPE).map_or(&b""[..], HeaderValue::as_bytes);
    let is_text = [&b"application/json"[..], b"text/"].iter().any(|prefix| media_type.starts_with(prefix));
    is_text
        && !headers.contains_key(header::CONTENT_ENCODING)
        && !headers.contains_key(header::VARY)
        && response.body().size_hint().exact().is_some_and(|size| SIZES.contains(&size))
}

async fn gzipped(response: Response) -> Response {
    let (mut head, body) = response.into_parts();
    let compressed = match to_bytes(body, *SIZES.end() as usize).await {
        Ok(body) => gzip(body).await,
        Err(error) => return Error::internal(error).into_response(),
    };
    let body = match compressed {
        Ok(body) => body,
        Err(error) => return Error::internal(error).into_response(),
    };
    head.headers.insert(header::CONTENT_ENCODING, GZIP);
    head.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(head, Body::from(body))
}

async fn gzip(body: Bytes) -> std::io::Result<Vec<u8>> {
    let is_small = body.len() < LARGE;
    let encode = move || {
        let mut encoder = GzEncoder::new(Vec::with_capacity(body.len() / 4), Compression::fast());
        encoder.write_all(&body)?;
        encoder.finish()
    };
    if is_small { encode() } else { tokio::task::spawn_blocking(encode).await? }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accepts(value: &'static str) -> bool {
        accepts_gzip(&HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(value))]))
    }

    #[test]
    fn detects_accepted_gzip() {
        assert!(accepts("gzip"));
        assert!(accepts("br, GZIP;q=0.5"));
        assert!(!accepts("br"));
        assert!(!accepts("gzip;q=0, br"));
        assert!(!accepts_gzip(&HeaderMap::new()));
    }
}
