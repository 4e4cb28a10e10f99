//! HTTP response, read completely.

use std::{fmt, time::Duration};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// Longest time that a peer can ask to wait.
pub(crate) const MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// An HTTP response with its complete body.
#[derive(Clone)]
pub struct Response {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// Body.
    pub body: Vec<u8>,
}

// The body may contain confidential text.
impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Response({}, {} bytes)", self.status, self.body.len())
    }
}

impl Response {
    /// Parses the body as JSON. Returns null if it is not JSON.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// Returns the `Retry-After` header if it is a number of seconds (RFC 9110, section 10.2.3), up to a day. Dates are
    /// ignored.
    pub fn retry_after(&self) -> Option<Duration> {
        let seconds =
            self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs);
        seconds.map(|seconds| seconds.min(MAX_RETRY_AFTER))
    }
}

#[cfg(test)]
mod tests {
    use reqwest::header::HeaderValue;

    use super::*;

    #[test]
    fn a_peer_cannot_ask_to_wait_for_more_than_a_day() {
        let wait = |value: &'static str| {
            let headers = HeaderMap::from_iter([(RETRY_AFTER, HeaderValue::from_static(value))]);
            Response { status: 503, headers, body: Vec::new() }.retry_after()
        };
        assert_eq!(wait(" 7 "), Some(Duration::from_secs(7)));
        assert_eq!(wait("18446744073709551615"), Some(MAX_RETRY_AFTER));
        assert_eq!(wait("Fri, 31 Dec 1999 23:59:59 GMT"), None);
    }
}
