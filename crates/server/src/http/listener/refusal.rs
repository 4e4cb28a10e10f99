//! Responses to requests that never reach a route: malformed, too long, or not complete in time.

use axum::http::StatusCode;
use serde_json::json;

use crate::http::CorrelationId;

/// A refused request.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    /// The `date` header, with its line end. Empty if the date is unknown.
    date: String,
}

impl Refusal {
    /// 408: the headers did not arrive in time.
    pub const fn late() -> Self {
        Self { status: StatusCode::REQUEST_TIMEOUT, date: String::new() }
    }

    /// Recognizes the whole response, without body and correlation identifier, with which hyper refuses a request.
    pub fn of_bare(bytes: &[u8]) -> Option<Self> {
        let head = bytes.strip_prefix(b"HTTP/1.1 4")?.strip_suffix(b"\r\n\r\n")?;
        let mut lines = std::str::from_utf8(head).ok()?.split("\r\n");
        let status = match lines.next()?.get(..2)? {
            "00" => StatusCode::BAD_REQUEST,
            "14" => StatusCode::URI_TOO_LONG,
            "31" => StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE,
            _ => return None,
        };
        let mut date = String::new();
        for line in lines {
            match line.split_once(':')?.0.to_ascii_lowercase().as_str() {
                "date" => date = format!("{line}\r\n"),
                "connection" | "content-length" => {}
                _ => return None,
            }
        }
        Some(Self { status, date })
    }

    /// Returns the whole response, and counts and logs it.
    pub fn response(self) -> Vec<u8> {
        let Self { status, date } = self;
        let detail = match status {
            StatusCode::REQUEST_TIMEOUT => "request headers not received in time",
            StatusCode::URI_TOO_LONG => "request target too long",
            StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE => "request headers too large",
            _ => "malformed HTTP request",
        };
        let id = CorrelationId::current();
        let id = id.as_str();
        metrics::counter!("guardengine_requests_total", "path" => "unmatched", "method" => "other", "status" => status.as_str().to_owned())
            .increment(1);
        tracing::info!(correlation_id = id, status = status.as_u16(), detail, "refused request");
        let body = json!({ "detail": detail }).to_string();
        let length = body.len();
        format!(
            "HTTP/1.1 {status}\r\n{date}content-type: application/json\r\ncontent-length: {length}\r\nconnection: close\r\n\
             x-correlation-id: {id}\r\n\r\n{body}"
        )
        .into_bytes()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn completes_bare_refusals() {
        let bare = b"HTTP/1.1 431 Request Header Fields Too Large\r\nconnection: close\r\ncontent-length: 0\r\ndate: Thu, 26 Nov 2026 02:00:00 GMT\r\n\r\n";
        let response = String::from_utf8(Refusal::of_bare(bare).unwrap().response()).unwrap();
        let (head, body) = response.split_once("\r\n\r\n").unwrap();
        assert!(head.starts_with("HTTP/1.1 431 Request Header Fields Too Large\r\ndate: Thu, 26"), "{head}");
        assert!(
            head.contains("\r\nx-correlation-id: ") && head.contains("\r\ncontent-length: 38\r\n"),
            "{head}"
        );
        assert_eq!(body, r#"{"detail":"request headers too large"}"#);
    }

    #[test]
    fn leaves_other_bytes_alone() {
        for bytes in [
            "",
            "HTTP/1.1 400 Bad Request\r\n",
            "HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\nx-correlation-id: 1\r\ncontent-length: 0\r\n\r\n",
            "HTTP/1.1 400 Bad Request\r\ncontent-length: 2\r\n\r\n{}",
            "HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n",
        ] {
            assert!(Refusal::of_bare(bytes.as_bytes()).is_none(), "{bytes}");
        }
    }
}
