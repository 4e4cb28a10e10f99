//! Cache of the principals of API keys, so that their requests can be served while the database is unavailable.
//!
//! While the database answers, every request reads from it and the cache is only filled. An entry is ignored once its
//! organization has changed after the entry was read.

use std::{net::IpAddr, time::Duration};

use guardengine_store::{Epoch, OrgChanges, Timestamp};
use moka::sync::Cache;

use crate::Principal;

/// Maximum number of cached principals.
const MAX_ENTRIES: u64 = 10_000;

#[derive(Clone)]
struct Entry {
    epoch: Epoch,
    principal: Principal,
    expires_at: Option<Timestamp>,
}

/// Cache of principals by the digest of their API key.
pub struct PrincipalCache {
    principals: Cache<[u8; 32], Entry>,
    changes: OrgChanges,
}

impl PrincipalCache {
    /// Creates an empty cache whose entries are valid for `lifetime`.
    pub fn new(changes: OrgChanges, lifetime: Duration) -> Self {
        Self {
            principals: Cache::builder().max_capacity(MAX_ENTRIES).time_to_live(lifetime).build(),
            changes,
        }
    }

    /// Returns the epoch of a read that starts now.
    pub fn epoch(&self) -> Epoch {
        self.changes.epoch()
    }

    /// Caches the principal of the API key with this digest, and the key's expiry.
    pub fn insert(
        &self,
        digest: [u8; 32],
        principal: &Principal,
        expires_at: Option<Timestamp>,
        epoch: Epoch,
    ) {
        self.principals.insert(digest, Entry { epoch, principal: principal.clone(), expires_at });
    }

    /// Drops a key that the database rejects.
    pub fn remove(&self, digest: &[u8; 32]) {
        self.principals.invalidate(digest);
    }

    /// Returns the principal of the API key with this digest, calling from `address`.
    pub fn get(&self, digest: &[u8; 32], address: IpAddr, now: Timestamp) -> Option<Principal> {
        let Entry { epoch, principal, expires_at } = self.principals.get(digest)?;
        let is_valid = self.changes.is_unchanged_since(principal.org_id, epoch)
            && expires_at.is_none_or(|end| end > now);
        is_valid.then_some(Principal { address, ..principal })
    }
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::{Credential, OrgLimits, Permissions};

    const KEY: [u8; 32] = [7; 32];
    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn principal(org_id: Uuid) -> Principal {
        Principal {
            user_id: Uuid::max(),
            username: "jane".into(),
            org_id,
            role: "developer".into(),
            permissions: Permissions::of_role("developer", None),
            project_id: None,
            requires_project: false,
            limits: OrgLimits::default(),
            credential: Credential::ApiKey(Uuid::max()),
            address: ADDRESS,
        }
    }

    fn cache() -> PrincipalCache {
        PrincipalCache::new(OrgChanges::default(), Duration::from_mins(1))
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn keeps_a_principal_until_their_organization_changes() {
        let (cache, acme, other) = (cache(), Uuid::from_u128(1), Uuid::from_u128(2));
        let is_cached = || cache.get(&KEY, ADDRESS, at(0)).is_some();
        assert!(!is_cached());
        cache.insert(KEY, &principal(acme), None, cache.epoch());
        cache.changes.record(other);
        assert!(is_cached());
        cache.changes.record(acme);
        assert!(!is_cached());
        cache.insert(KEY, &principal(acme), None, cache.epoch());
        assert!(is_cached());
        cache.remove(&KEY);
        assert!(!is_cached());
    }

    #[test]
    fn ignores_entries_read_before_a_change() {
        let cache = cache();
        let epoch = cache.epoch();
        cache.changes.record(Uuid::nil());
        cache.insert(KEY, &principal(Uuid::nil()), None, epoch);
        assert!(cache.get(&KEY, ADDRESS, at(0)).is_none());
    }

    #[test]
    fn a_cached_key_expires() {
        let cache = cache();
        cache.insert(KEY, &principal(Uuid::nil()), Some(at(10)), cache.epoch());
        assert!(cache.get(&KEY, ADDRESS, at(9)).is_some());
        assert!(cache.get(&KEY, ADDRESS, at(10)).is_none());
    }
}
