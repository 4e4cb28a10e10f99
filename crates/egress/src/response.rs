//! What a peer answered.

use std::{fmt, time::Duration};

use reqwest::header::{HeaderMap, RETRY_AFTER};
use serde_json::Value;

/// An answer, whole.
#[derive(Clone)]
pub struct Response {
    /// Its status.
    pub status: u16,
    /// Its headers.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Vec<u8>,
}

// A body may hold what somebody wrote in confidence.
impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Answer({}, {} bytes)", self.status, self.body.len())
    }
}

impl Response {
    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// How long the peer asks to be left alone, in seconds (RFC 9110, section 10.2.3; a date is not read).
    pub fn retry_after(&self) -> Option<Duration> {
        self.headers.get(RETRY_AFTER)?.to_str().ok()?.trim().parse().ok().map(Duration::from_secs)
    }
}
