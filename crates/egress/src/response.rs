//! HTTP response, read completely.

use std::{fmt, time::Duration};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

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

    /// Returns the `Retry-After` header if it is a number of seconds (RFC 9110, section 10.2.3). Dates are ignored.
    pub fn retry_after(&self) -> Option<Duration> {
        self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
    }
}
