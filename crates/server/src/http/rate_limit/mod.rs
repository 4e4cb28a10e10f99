//! Rate limits: fixed windows that start with the first request, counted in this process or in a Redis shared by all
//! replicas.

mod fallback;
mod memory;
mod redis_counters;
mod status;

use std::{net::IpAddr, time::Duration};

use axum::http::Method;
use guardengine_store::Timestamp;
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use uuid::Uuid;

use crate::config::Secret;
use fallback::Fallback;
use guardengine_auth::{Credential, Limit, Principal};
use memory::Local;
pub use redis_counters::InvalidRedisUrl;
use redis_counters::Shared;
pub use status::LimitStatus;
use status::WindowCount;

/// Client whose requests are counted together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LimitKey {
    /// A user or an API key.
    Principal(Uuid),
    /// All API keys of a user in an organization.
    KeysOf {
        /// User.
        user_id: Uuid,
        /// Organization.
        org_id: Uuid,
    },
    /// A client that has not signed in. For IPv6, its /64 network, see [`LimitKey::client`].
    Address(IpAddr),
}

impl LimitKey {
    /// Returns the key of a client that has not signed in.
    pub fn client(address: IpAddr) -> Self {
        Self::Address(client_network(address))
    }
}

/// Returns the address under which a client is counted. Sites and hosts own whole /64 networks of IPv6 (RFC 6177), so all
/// addresses of one count together.
pub fn client_network(address: IpAddr) -> IpAddr {
    const NETWORK: u128 = u128::MAX << 64;
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() & NETWORK).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// Number of times that all API keys of a user together reach the limit of one.
const KEYS_PER_USER: u32 = 10;

/// Counter of requests with API keys that were refused, over all endpoints.
const REFUSED_KEYS: Operation = (Method::POST, "API keys");

/// Method and path of an endpoint. Every method of a path is counted separately.
pub type Operation = (Method, &'static str);

/// Counter of requests.
pub enum RateLimiter {
    /// Counts in this process.
    Local(Local),
    /// Counts in Redis, or in this process while Redis is unreachable.
    Shared(Fallback),
}

impl RateLimiter {
    /// Creates a limiter that counts in the Redis at `address`, or in this process without one. Health checks run as one of
    /// `tasks` until `stop` is cancelled. Succeeds even if Redis is unreachable.
    pub fn open(
        address: Option<&Secret>,
        tasks: &TaskTracker,
        stop: &CancellationToken,
    ) -> Result<Self, InvalidRedisUrl> {
        let Some(address) = address else { return Ok(Self::Local(Local::default())) };
        let shared = Shared::at(address)?;
        Ok(Self::Shared(Fallback::start(shared, tasks, stop)))
    }

    /// Checks that an address is one of a Redis. Connects to nothing.
    pub fn check_address(address: &Secret) -> Result<(), InvalidRedisUrl> {
        redis::Client::open(address.expose()).map(drop).map_err(|_| InvalidRedisUrl)
    }

    /// Checks that the Redis at `address` can count requests; returns the reason if it cannot. On success, returns the
    /// policy by which it drops running windows when its memory is full, if it does.
    pub async fn check(address: &Secret) -> Result<Option<String>, String> {
        let shared = Shared::at(address).map_err(|error| error.to_string())?;
        // The kind alone: the text of an error may name the address.
        shared.check().await.map_err(|error| format!("{:?}", error.kind()))?;
        Ok(shared.evicting_policy().await)
    }

    /// Returns whether Redis is reachable; `None` if requests are counted in this process.
    pub fn is_redis_up(&self) -> Option<bool> {
        match self {
            Self::Local(_) => None,
            Self::Shared(shared) => Some(shared.is_up()),
        }
    }

    /// Counts a request to `operation`. Returns `None` if it has no limit.
    pub async fn count(
        &self,
        operation: Operation,
        key: LimitKey,
        limit: Limit,
        now: Timestamp,
    ) -> Option<LimitStatus> {
        let Limit::Per { count, window } = limit else { return None };
        let counted = match self {
            Self::Local(local) => local.count((operation, key), window, now),
            Self::Shared(shared) => shared.count((operation, key), window, now).await,
        };
        Some(LimitStatus::of(counted, count.get(), window))
    }

    /// Counts a request of an authenticated caller: an API key by itself, and with the other keys of its user against ten
    /// times the limit.
    pub async fn count_caller(
        &self,
        operation: Operation,
        caller: &Principal,
        limit: Limit,
        now: Timestamp,
    ) -> Option<LimitStatus> {
        let own = self.count(operation.clone(), LimitKey::Principal(caller.principal()), limit, now).await?;
        if !own.is_admitted() || matches!(caller.credential, Credential::Session(_)) {
            return Some(own);
        }
        let keys = LimitKey::KeysOf { user_id: caller.user_id, org_id: caller.org_id };
        let all = self.count(operation, keys, limit.times(KEYS_PER_USER), now).await?;
        Some(if all.is_admitted() { own } else { all.within_limit_of(own) })
    }

    /// Counts a request whose API key was refused.
    pub async fn count_refused_key(
        &self,
        address: IpAddr,
        limit: Limit,
        now: Timestamp,
    ) -> Option<LimitStatus> {
        self.count(REFUSED_KEYS, LimitKey::client(address), limit, now).await
    }
}

/// Key of a window.
type Key = (Operation, LimitKey);

/// Returns the length of a window in microseconds.
fn micros(window: Duration) -> i64 {
    i64::try_from(window.as_micros()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests;
