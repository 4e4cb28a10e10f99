//! How a request stands in its window, as clients read it.

use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue};
use guardengine_store::Timestamp;
use serde_json::json;

use crate::http::Error;

/// A request counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Counted {
    /// The requests of its window, this one included.
    pub requests: u64,
    /// When the window ends, by the clock that it is counted by.
    pub ends: Timestamp,
    /// Now, by the same clock.
    pub now: Timestamp,
}

/// How a request stands in its window.
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
    pub(super) fn of(counted: Counted, limit: u32, window: Duration) -> Self {
        let Counted { requests, ends, now } = counted;
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

    /// Refuses a request to `path` when the window is full.
    pub fn check(&self, path: &str) -> Result<(), Error> {
        if self.admitted {
            return Ok(());
        }
        metrics::counter!("guardengine_rate_limited_total").increment(1);
        let Self { limit, window, reset_at, wait, .. } = *self;
        let figures = json!({
            "error": "rate_limit_exceeded",
            "message": format!("Rate limit exceeded for {path}: {limit} requests per {window} seconds"),
            "limit": limit,
            "window": window,
            "reset_at": reset_at,
            "retry_after": wait,
        });
        Err(Error::rate_limited(figures, wait))
    }

    /// Tells the figures in `headers`.
    pub fn write_headers(&self, headers: &mut HeaderMap) {
        let mut tell =
            |name: &'static str, value: HeaderValue| headers.insert(HeaderName::from_static(name), value);
        tell("x-ratelimit-limit", self.limit.into());
        tell("x-ratelimit-remaining", self.remaining.into());
        tell("x-ratelimit-reset", self.reset_at.into());
        tell("x-ratelimit-window", self.window.into());
    }

    #[cfg(test)]
    pub(super) const fn figures(&self) -> (bool, u32, i64, u64) {
        (self.admitted, self.remaining, self.reset_at, self.wait)
    }
}
