//! Rate limits: fixed windows that begin with the first request.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, PoisonError},
};

use axum::http::{HeaderMap, HeaderName, HeaderValue, Method};
use guardengine_store::Timestamp;
use serde_json::json;
use uuid::Uuid;

use super::Error;
use crate::config::Limit;

// Windows that are over are dropped when so many are kept.
const MANY: usize = 10_000;

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Counted {
    /// A user or an API key.
    Principal(Uuid),
    /// A client that has not signed in.
    Address(IpAddr),
}

/// What is called: a path may serve several methods, each counted alone.
pub type Operation = (Method, &'static str);

struct Window {
    ends: Timestamp,
    requests: u32,
}

/// The windows of one process.
#[derive(Default)]
pub struct Windows(Mutex<HashMap<(Operation, Counted), Window>>);

/// How a request stands in its window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Standing {
    limit: u32,
    remaining: u32,
    window: u64,
    reset_at: i64,
    wait: u64,
    admitted: bool,
}

impl Windows {
    /// Counts a request to `operation`; `None` when it has no limit.
    pub fn count(
        &self,
        operation: Operation,
        counted: Counted,
        limit: Limit,
        now: Timestamp,
    ) -> Option<Standing> {
        let Limit::Per { count, window: span } = limit else { return None };
        let mut windows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if windows.len() >= MANY {
            windows.retain(|_, window| window.ends > now);
        }
        let window = windows.entry((operation, counted)).or_insert(Window { ends: now + span, requests: 0 });
        // A window that ends too late is from before the limit was changed.
        if window.ends <= now || window.ends > now + span {
            *window = Window { ends: now + span, requests: 0 };
        }
        window.requests = window.requests.saturating_add(1);
        let wait = window.ends.since(now);
        Some(Standing {
            limit: count.get(),
            remaining: count.get().saturating_sub(window.requests),
            window: span.as_secs(),
            reset_at: (window.ends.micros() + 999_999).div_euclid(1_000_000),
            wait: wait.as_secs() + u64::from(wait.subsec_nanos() > 0),
            admitted: window.requests <= count.get(),
        })
    }
}

impl Standing {
    /// Refuses a request to `path` when the window is full.
    pub fn within(&self, path: &str) -> Result<(), Error> {
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
    pub fn tell(&self, headers: &mut HeaderMap) {
        let mut tell =
            |name: &'static str, value: HeaderValue| headers.insert(HeaderName::from_static(name), value);
        tell("x-ratelimit-limit", self.limit.into());
        tell("x-ratelimit-remaining", self.remaining.into());
        tell("x-ratelimit-reset", self.reset_at.into());
        tell("x-ratelimit-window", self.window.into());
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn a_window_begins_with_its_first_request_and_a_refusal_does_not_move_it() {
        let windows = Windows::default();
        let limit = "2/60s".parse().unwrap();
        let at = |seconds| Timestamp::default() + Duration::from_secs(seconds);
        let count = |seconds| {
            let standing = windows
                .count((Method::GET, "/x"), Counted::Principal(Uuid::nil()), limit, at(seconds))
                .unwrap();
            (standing.admitted, standing.remaining, standing.reset_at, standing.wait)
        };
        assert_eq!(count(100), (true, 1, 160, 60));
        assert_eq!(count(130), (true, 0, 160, 30));
        assert_eq!(count(159), (false, 0, 160, 1));
        assert_eq!(count(160), (true, 1, 220, 60));
    }

    #[test]
    fn a_shorter_window_holds_at_once() {
        let windows = Windows::default();
        let admitted = |limit: &str| {
            let (operation, counted) = ((Method::GET, "/x"), Counted::Principal(Uuid::nil()));
            windows.count(operation, counted, limit.parse().unwrap(), Timestamp::default()).unwrap().admitted
        };
        assert!(admitted("1/60s") && !admitted("1/60s"));
        assert!(admitted("1/2s") && !admitted("1/2s"));
    }

    #[test]
    fn principals_paths_and_methods_are_counted_apart() {
        let windows = Windows::default();
        let limit = "1/60s".parse().unwrap();
        let count = |method, path, id| {
            let counted = Counted::Principal(Uuid::from_u128(id));
            windows.count((method, path), counted, limit, Timestamp::default()).unwrap().admitted
        };
        assert!(count(Method::GET, "/x", 1) && count(Method::GET, "/x", 2));
        assert!(count(Method::GET, "/y", 1) && count(Method::PUT, "/x", 1));
        assert!(!count(Method::GET, "/x", 1));
    }
}
