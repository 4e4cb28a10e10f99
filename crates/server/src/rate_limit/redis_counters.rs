//! Windows that replicas share, in Redis or what speaks its protocol.

use std::time::Duration;

use guardengine_store::Timestamp;
use redis::{
    Client, RedisResult, Script,
    aio::{ConnectionManager, ConnectionManagerConfig},
};

use super::{Figures, Key, LimitKey, micros};
use crate::config::Secret;

/// A counter that takes longer is as good as none: requests wait for it.
const ANSWER: Duration = Duration::from_millis(250);
const CONNECT: Duration = Duration::from_secs(1);
/// What is counted to see whether it counts.
const PROBE: &str = "guardengine:window:probe";
const PROBED: Duration = Duration::from_secs(1);

/// The address is none that the client understands. It may hold a password and is not told.
#[derive(Debug, thiserror::Error)]
#[error("redis_url is no address of a Redis, such as redis://host:6379/0 or rediss://user:password@host")]
pub struct InvalidRedisUrl;

/// The windows of all replicas.
#[derive(Clone)]
pub(super) struct Shared {
    connection: ConnectionManager,
    window: Script,
}

impl Shared {
    /// Connects when it is asked first, and again whenever the connection is lost.
    pub fn at(address: &Secret) -> Result<Self, InvalidRedisUrl> {
        // Who asks again does so in a second: none waits for another try.
        let config = ConnectionManagerConfig::new()
            .set_response_timeout(Some(ANSWER))
            .set_connection_timeout(Some(CONNECT))
            .set_number_of_retries(0);
        let client = Client::open(address.expose()).map_err(|_| InvalidRedisUrl)?;
        let connection =
            ConnectionManager::new_lazy_with_config(client, config).map_err(|_| InvalidRedisUrl)?;
        Ok(Self { connection, window: Script::new(include_str!("window.lua")) })
    }

    /// Counts a request.
    pub async fn count(&self, key: &Key, span: Duration) -> RedisResult<Figures> {
        self.count_as(name(key), span).await
    }

    async fn count_as(&self, name: String, span: Duration) -> RedisResult<Figures> {
        let mut connection = self.connection.clone();
        let counted = self.window.key(name).arg(micros(span)).invoke_async(&mut connection).await?;
        let (requests, ends, now): (u64, i64, i64) = counted;
        let at = Timestamp::from_micros;
        Ok(Figures { requests, ends: at(ends), now: at(now) })
    }

    /// Whether it counts: one that answers may be out of memory, or a copy that nobody may write to.
    pub async fn counts(&self) -> RedisResult<()> {
        self.count_as(PROBE.to_owned(), PROBED).await.map(drop)
    }
}

fn name(((method, path), counted): &Key) -> String {
    match counted {
        LimitKey::Principal(id) => format!("guardengine:window:{method}:{path}:{id}"),
        LimitKey::Address(address) => format!("guardengine:window:{method}:{path}:{address}"),
    }
}

#[cfg(test)]
mod tests {
    use axum::http::Method;
    use uuid::Uuid;

    use super::*;

    #[test]
    fn what_is_counted_apart_has_a_name_of_its_own() {
        let named = |method, path, counted| name(&((method, path), counted));
        let (nobody, loopback) = (LimitKey::Principal(Uuid::nil()), LimitKey::Address([127, 0, 0, 1].into()));
        let names = [
            named(Method::GET, "/x", nobody),
            named(Method::PUT, "/x", nobody),
            named(Method::GET, "/y", nobody),
            named(Method::GET, "/x", loopback),
        ];
        let apart: std::collections::BTreeSet<_> = names.iter().collect();
        assert_eq!(apart.len(), names.len());
        assert_eq!(names[3], "guardengine:window:GET:/x:127.0.0.1");
    }

    #[test]
    fn a_bad_address_is_refused_without_being_told() {
        let secret = Secret::new("http://me:hunter2@host".to_owned());
        let fault = Shared::at(&secret).err().unwrap();
        assert!(!fault.to_string().contains("hunter2"));
    }
}
