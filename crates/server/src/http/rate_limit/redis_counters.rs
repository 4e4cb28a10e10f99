//! Rate limit windows shared by replicas, in Redis or a compatible server.

use std::{
    sync::{PoisonError, RwLock},
    time::Duration,
};

use guardengine_store::Timestamp;
use redis::{
    Client, RedisResult, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use super::{Key, LimitKey, WindowCount, micros};
use crate::config::Secret;

/// Longest wait for a response. Requests wait for the counter, so a slow one counts as unreachable.
const RESPONSE_TIMEOUT: Duration = Duration::from_millis(250);
const CONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// Key of the window that health checks count in.
const PROBE_KEY: &str = "guardengine:window:probe";
const PROBE_WINDOW: Duration = Duration::from_secs(1);

/// The Redis URL is invalid. The error does not contain it, because it may include a password.
#[derive(Debug, thiserror::Error)]
#[error("redis_url: expected redis://host:port/db or rediss://user:password@host")]
pub struct InvalidRedisUrl;

/// Rate limit windows of all replicas.
pub(super) struct Shared {
    client: Client,
    connection: RwLock<ConnectionManager>,
    window: Script,
}

impl Shared {
    /// Creates a client. It connects on first use, and again after the connection is lost.
    pub fn at(address: &Secret) -> Result<Self, InvalidRedisUrl> {
        let client = Client::open(address.expose()).map_err(|_| InvalidRedisUrl)?;
        let connection = RwLock::new(connection(&client).map_err(|_| InvalidRedisUrl)?);
        Ok(Self { client, connection, window: Script::new(include_str!("window.lua")) })
    }

    /// Connects anew at the next use. A server that became a replica keeps its connections, while its address leads to the
    /// new primary.
    pub fn reconnect(&self) {
        if let Ok(connection) = connection(&self.client) {
            *self.connection.write().unwrap_or_else(PoisonError::into_inner) = connection;
        }
    }

    fn connection(&self) -> ConnectionManager {
        self.connection.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Counts a request in a window of length `span`.
    pub async fn count(&self, key: &Key, span: Duration) -> RedisResult<WindowCount> {
        self.count_as(name(key), span).await
    }

    async fn count_as(&self, name: String, span: Duration) -> RedisResult<WindowCount> {
        let mut connection = self.connection();
        let counted = self.window.key(name).arg(micros(span)).invoke_async(&mut connection).await?;
        let (requests, ends, now): (u64, i64, i64) = counted;
        let at = Timestamp::from_micros;
        Ok(WindowCount { requests, ends: at(ends), now: at(now) })
    }

    /// Returns the policy by which the server drops keys when its memory is full, if it does. `None` also where its rules
    /// forbid the question.
    pub async fn evicting_policy(&self) -> Option<String> {
        let mut connection = self.connection();
        let info = redis::cmd("INFO").arg("memory").query_async::<String>(&mut connection).await;
        evicting_policy(&info.ok()?)
    }

    /// Checks that Redis can count: a reachable server may be out of memory or a read-only replica.
    pub async fn check(&self) -> RedisResult<()> {
        self.count_as(PROBE_KEY.to_owned(), PROBE_WINDOW).await.map(drop)
    }
}

/// Connects on first use. Does not retry: requests must not wait, and the health check runs again in a second.
fn connection(client: &Client) -> RedisResult<ConnectionManager> {
    let config = ConnectionManagerConfig::new()
        .set_response_timeout(Some(RESPONSE_TIMEOUT))
        .set_connection_timeout(Some(CONNECT_TIMEOUT))
        .set_number_of_retries(0);
    ConnectionManager::new_lazy_with_config(client.clone(), config)
}

/// Returns the eviction policy that `INFO memory` shows, if the server has a memory limit and evicts keys at it.
fn evicting_policy(info: &str) -> Option<String> {
    let value = |name: &str| info.lines().find_map(|line| line.trim().strip_prefix(name)?.strip_prefix(':'));
    let is_limited = value("maxmemory").is_some_and(|bytes| bytes != "0");
    value("maxmemory_policy").filter(|policy| is_limited && *policy != "noeviction").map(str::to_owned)
}

fn name(((method, path), counted): &Key) -> String {
    match counted {
        LimitKey::Principal(id) => format!("guardengine:window:{method}:{path}:{id}"),
        LimitKey::KeysOf { user_id, org_id } => {
            format!("guardengine:window:{method}:{path}:keys:{org_id}:{user_id}")
        }
        LimitKey::Address(address) => format!("guardengine:window:{method}:{path}:{address}"),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Method;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn separate_windows_have_separate_names() {
        let named = |method, path, counted| name(&((method, path), counted));
        let (nobody, loopback) = (LimitKey::Principal(Uuid::nil()), LimitKey::Address([127, 0, 0, 1].into()));
        let names = [
            named(Method::GET, "/x", nobody),
            named(Method::PUT, "/x", nobody),
            named(Method::GET, "/y", nobody),
            named(Method::GET, "/x", loopback),
            named(Method::GET, "/x", LimitKey::KeysOf { user_id: Uuid::nil(), org_id: Uuid::nil() }),
        ];
        let unique: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(unique.len(), names.len());
        assert_eq!(names[3], "guardengine:window:GET:/x:127.0.0.1");
    }

    #[test]
    fn only_a_server_with_a_limit_evicts() {
        let info = |limit: &str, policy: &str| {
            evicting_policy(&format!("# Memory\r\nmaxmemory:{limit}\r\nmaxmemory_policy:{policy}\r\n"))
        };
        assert_eq!(info("1048576", "allkeys-lru").as_deref(), Some("allkeys-lru"));
        assert_eq!(info("0", "allkeys-lru"), None);
        assert_eq!(info("1048576", "noeviction"), None);
    }

    #[test]
    fn hides_a_refused_url() {
        let secret = Secret::new("http://me:hunter2@host".to_owned());
        let error = Shared::at(&secret).err().unwrap();
        assert!(!error.to_string().contains("hunter2"));
    }
}
