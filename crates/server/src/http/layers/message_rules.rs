//! Rules of HTTP/1.1 that hyper leaves to the service: the `Host` header and transfer codings.

use axum::{
    extract::Request,
    http::{HeaderMap, HeaderValue, Version, header},
    middleware::Next,
    response::{IntoResponse as _, Response},
};

use crate::http::Error;

/// Refuses requests without exactly one valid `Host` header (RFC 9112, section 3.2), and transfer codings other than
/// `chunked`: a proxy that decodes them sees another body than the service.
pub async fn check_message(request: Request, next: Next) -> Response {
    let broken = broken_host_rule(request.version(), request.headers()).or_else(|| {
        let codings = request.headers().get_all(header::TRANSFER_ENCODING);
        let is_unknown = |coding: &HeaderValue| !coding.as_bytes().eq_ignore_ascii_case(b"chunked");
        let is_refused = codings.iter().any(is_unknown) || codings.iter().count() > 1;
        is_refused.then_some("unsupported transfer encoding: only chunked is accepted")
    });
    let Some(detail) = broken else { return next.run(request).await };
    let mut response = Error::bad_request(detail).into_response();
    // The bytes that follow may not be another request.
    response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}

fn broken_host_rule(version: Version, headers: &HeaderMap) -> Option<&'static str> {
    let mut hosts = headers.get_all(header::HOST).iter();
    match (hosts.next(), hosts.next()) {
        (None, _) => (version >= Version::HTTP_11).then_some("header required: Host"),
        (Some(_), Some(_)) => Some("more than one Host header"),
        (Some(host), None) => {
            (!is_host(host.as_bytes())).then_some("Host: must be a name or address, and an optional port")
        }
    }
}

/// Returns true for a host that is not empty, and an optional port (RFC 3986, section 3.2).
fn is_host(value: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(value) else { return false };
    let (host, port) = match text.find(']') {
        Some(end) => text.split_at(end + 1),
        None => text.split_at(text.find(':').unwrap_or(text.len())),
    };
    let is_port = |port: &str| port.len() <= 5 && port.bytes().all(|byte| byte.is_ascii_digit());
    let is_port_part = port.is_empty() || port.strip_prefix(':').is_some_and(is_port);
    is_port_part && (is_name(host) || is_ipv6(host))
}

fn is_ipv6(host: &str) -> bool {
    let address = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
    address.is_some_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok())
}

fn is_name(host: &str) -> bool {
    let is_allowed = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&byte);
    let (plain, escaped) = host.split_once('%').map_or((host, None), |(plain, rest)| (plain, Some(rest)));
    let are_escapes = escaped.is_none_or(|escaped| {
        escaped.split('%').all(|part| {
            let (digits, rest) = part.as_bytes().split_at(part.len().min(2));
            digits.len() == 2
                && digits.iter().all(u8::is_ascii_hexdigit)
                && rest.iter().copied().all(is_allowed)
        })
    });
    !host.is_empty() && plain.bytes().all(is_allowed) && are_escapes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hosts_are_names_or_addresses_with_an_optional_port() {
        for host in [
            "example.com",
            "example.com:8080",
            "127.0.0.1:1",
            "[::1]",
            "[2001:db8::1]:65535",
            "a_b",
            "x%2Dy",
            "a:",
        ] {
            assert!(is_host(host.as_bytes()), "{host}");
        }
        for host in [
            "",
            ":80",
            "a b",
            "a/b",
            "user@host",
            "a:b",
            "a:123456",
            "[::1",
            "::1",
            "[::1]x",
            "[1.2.3.4]",
            "a%2",
            "a%zz",
            "a\\b",
            "a?b",
            "a#b",
            "a, b",
            "\u{e9}",
        ] {
            assert!(!is_host(host.as_bytes()), "{host}");
        }
    }

    #[test]
    fn http_1_0_needs_no_host() {
        let none = HeaderMap::new();
        assert_eq!(broken_host_rule(Version::HTTP_10, &none), None);
        assert_eq!(broken_host_rule(Version::HTTP_11, &none), Some("header required: Host"));
    }
}
