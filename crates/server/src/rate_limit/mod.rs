//! Rate limits: fixed windows that begin with the first request, counted in this process or by a Redis that all
//! replicas share.

mod fallback;
mod memory;
mod redis_counters;
mod status;

use std::{net::IpAddr, time::Duration};

use axum::http::Method;
use guardengine_store::Timestamp;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::config::{Limit, Secret};
use fallback::Fallback;
use memory::Local;
pub use redis_counters::InvalidRedisUrl;
use redis_counters::Shared;
use status::Counted as Figures;
pub use status::LimitStatus;

/// Whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKey {
    /// A user or an API key.
    Principal(Uuid),
    /// A client that has not signed in.
    Address(IpAddr),
}

/// What is called: a path may serve several methods, each counted alone.
pub type Operation = (Method, &'static str);

/// Where requests are counted.
pub enum RateLimiter {
    /// In this process.
    Local(Local),
    /// By Redis, and in this process while that does not answer.
    Shared(Fallback),
}

impl RateLimiter {
    /// Counters in the Redis of that address, in this process where there is none. Whether it answers is asked as one of
    /// `tasks`, until `stop`; one that does not is no reason not to start.
    pub fn open(
        address: Option<&Secret>,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self, InvalidRedisUrl> {
        let Some(address) = address else { return Ok(Self::Local(Local::default())) };
        let shared = Shared::at(address)?;
        Ok(Self::Shared(Fallback::start(shared, tasks, stop)))
    }

    /// Counts a request to `operation`; `None` when it has no limit.
    pub async fn count(
        &self,
        operation: Operation,
        counted: LimitKey,
        limit: Limit,
        now: Timestamp,
    ) -> Option<LimitStatus> {
        let Limit::Per { count, window } = limit else { return None };
        let figures = match self {
            Self::Local(local) => local.count((operation, counted), window, now),
            Self::Shared(shared) => shared.count((operation, counted), window, now).await,
        };
        Some(LimitStatus::of(figures, count.get(), window))
    }
}

/// What is counted apart.
type Key = (Operation, LimitKey);

/// A window of so many microseconds.
fn micros(window: Duration) -> i64 {
    i64::try_from(window.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
