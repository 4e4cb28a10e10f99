//! Rate limit status of a request, and its response headers.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use guardengine_store::Timestamp;
use serde_json::json;

use crate::http::Error;

/// Count of a window after a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WindowCount {
    /// Requests in the window, including this one.
    pub requests: u64,
    /// End of the window, by the clock of the counter.
    pub ends: Timestamp,
    /// Current time, by the same clock.
    pub now: Timestamp,
}

/// Rate limit status of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitStatus {
    limit: u32,
    remaining: u32,
    window: u64,
    reset_at: i64,
    wait: u64,
    admitted: bool,
}

impl LimitStatus {
    pub(super) fn of(counted: WindowCount, limit: u32, window: Duration) -> Self {
        let WindowCount { requests, ends, now } = counted;
        let requests = u32::try_from(requests).unwrap_or(u32::MAX);
        let wait = ends.since(now);
        Self {
            limit,
            remaining: limit.saturating_sub(requests),
            window: window.as_secs(),
            reset_at: (ends.micros() + 999_999).div_euclid(1_000_000),
            wait: wait.as_secs() + u64::from(wait.subsec_nanos() > 0),
            admitted: requests <= limit,
        }
    }

    /// Returns true unless the limit is exceeded.
    pub(super) const fn is_admitted(&self) -> bool {
        self.admitted
    }

    /// Returns this status with the limit of another one.
    pub(super) const fn within_limit_of(self, other: Self) -> Self {
        Self { limit: other.limit, ..self }
    }

    /// Returns a 429 error for `path` if the limit is exceeded.
    pub fn check(&self, path: &str) -> Result<(), Error> {
        if self.admitted {
            return Ok(());
        }
        metrics::counter!("guardengine_rate_limited_total").increment(1);
        let Self { limit, window, reset_at, wait, .. } = *self;
        let body = json!({
            "error": "rate_limit_exceeded",
            "message": format!("Rate limit exceeded for {path}: {limit} requests per {window} seconds"),
            "limit": limit,
            "window": window,
            "reset_at": reset_at,
            "retry_after": wait,
        });
        Err(Error::rate_limited(body, wait))
    }

    /// Adds the rate limit headers.
    pub fn write_headers(&self, headers: &mut HeaderMap) {
        let mut set =
            |name: &'static str, value: HeaderValue| headers.insert(HeaderName::from_static(name), value);
        set("x-ratelimit-limit", self.limit.into());
        set("x-ratelimit-remaining", self.remaining.into());
        set("x-ratelimit-reset", self.reset_at.into());
        set("x-ratelimit-window", self.window.into());
    }

    #[cfg(test)]
    pub(super) const fn values(&self) -> (bool, u32, i64, u64) {
        (self.admitted, self.remaining, self.reset_at, self.wait)
    }
}
