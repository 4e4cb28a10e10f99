//! Cache of principals and policies, so that requests can be served while the store is unavailable.
//!
//! While the store answers, every request reads from it and the cache is only filled. An entry is dropped when its
//! organization changed after the entry was read, on whichever replica: every change is in the organization's audit
//! trail, and each probe of the store reads the position of all audit trails.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use guardengine_store::{AuditHeads, Probe, Timestamp};
use moka::sync::Cache;
use uuid::Uuid;

use crate::{guard::PolicyContext, http::Principal};

/// Maximum number of cached principals, and of cached contexts.
const MAX_ENTRIES: u64 = 10_000;

/// Time of a read, as the number of changes found before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CacheEpoch(u64);

#[derive(Clone)]
struct CacheEntry<T> {
    epoch: CacheEpoch,
    org: Uuid,
    value: T,
}

#[derive(Default)]
struct Changes {
    count: u64,
    of_orgs: HashMap<Uuid, u64>,
    heads: AuditHeads,
}

/// Cache of principals and policy contexts.
pub struct ContextCache {
    callers: Cache<[u8; 32], CacheEntry<(Principal, Option<Timestamp>)>>,
    contexts: Cache<(Uuid, Uuid), CacheEntry<PolicyContext>>,
    changes: Mutex<Changes>,
}

impl ContextCache {
    /// Creates an empty cache whose entries are valid for `lifetime`.
    pub fn new(lifetime: Duration) -> Self {
        Self {
            callers: Cache::builder().max_capacity(MAX_ENTRIES).time_to_live(lifetime).build(),
            contexts: Cache::builder().max_capacity(MAX_ENTRIES).time_to_live(lifetime).build(),
            changes: Mutex::default(),
        }
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the epoch of a read that starts now.
    pub fn read(&self) -> CacheEpoch {
        CacheEpoch(self.changes().count)
    }

    fn is_current<T>(&self, entry: &CacheEntry<T>) -> bool {
        self.changes().of_orgs.get(&entry.org).is_none_or(|changed| entry.epoch.0 >= *changed)
    }

    /// Caches the principal of the API key with this digest, and the key's expiry.
    pub fn keep_caller(
        &self,
        digest: [u8; 32],
        caller: &Principal,
        expires_at: Option<Timestamp>,
        epoch: CacheEpoch,
    ) {
        let (org, value) = (caller.org_id, (caller.clone(), expires_at));
        self.callers.insert(digest, CacheEntry { epoch, org, value });
    }

    /// Drops a key that the store rejects.
    pub fn forget_caller(&self, digest: &[u8; 32]) {
        self.callers.invalidate(digest);
    }

    /// Returns the principal of the API key with this digest, calling from `address`.
    pub fn caller(&self, digest: &[u8; 32], address: IpAddr, now: Timestamp) -> Option<Principal> {
        let entry = self.callers.get(digest).filter(|entry| self.is_current(entry))?;
        let (caller, expires_at) = entry.value;
        expires_at.is_none_or(|end| end > now).then_some(Principal { address, ..caller })
    }

    /// Caches the policy context of a user's calls for a project.
    pub fn save_context(
        &self,
        caller: &Principal,
        project: Uuid,
        context: &PolicyContext,
        epoch: CacheEpoch,
    ) {
        let entry = CacheEntry { epoch, org: caller.org_id, value: context.clone() };
        self.contexts.insert((caller.user_id, project), entry);
    }

    /// Returns the policy context of a user's calls for a project.
    pub fn context(&self, caller: &Principal, project: Uuid) -> Option<PolicyContext> {
        let entry = self.contexts.get(&(caller.user_id, project))?;
        (entry.org == caller.org_id && self.is_current(&entry)).then_some(entry.value)
    }

    /// Drops the entries of organizations whose audit trail shows changes since the last call.
    pub async fn invalidate_changed(
        &self,
        probe: &mut Probe,
        heads: AuditHeads,
    ) -> guardengine_store::Result<()> {
        let moved: Vec<(Uuid, Option<i64>)> = {
            let known = &self.changes().heads;
            let previous = |org: &Uuid| known.get(org).copied();
            let moved = heads.iter().filter(|(org, head)| previous(org) != Some(**head));
            moved.map(|(org, _)| (*org, previous(org))).collect()
        };
        for (org, previous) in moved {
            let is_changed = match previous {
                Some(previous) => probe.was_changed_after(org, previous).await?,
                None => true,
            };
            if is_changed {
                self.forget_org(org);
            }
            if let Some(head) = heads.get(&org) {
                self.changes().heads.insert(org, *head);
            }
        }
        Ok(())
    }

    fn forget_org(&self, org: Uuid) {
        let mut changes = self.changes();
        changes.count += 1;
        let count = changes.count;
        changes.of_orgs.insert(org, count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::{Credential, Permissions};

    const KEY: [u8; 32] = [7; 32];
    const ADDRESS: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn caller(org_id: Uuid) -> Principal {
        Principal {
            user_id: Uuid::max(),
            username: "jane".into(),
            org_id,
            role: "developer".into(),
            permissions: Permissions::of_role("developer", None),
            limits: crate::config::OrgLimits::default(),
            credential: Credential::ApiKey(Uuid::max()),
            address: ADDRESS,
        }
    }

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_micros(seconds * 1_000_000)
    }

    #[test]
    fn keeps_a_caller_until_their_organization_changes() {
        let cache = ContextCache::new(Duration::from_mins(1));
        let (acme, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let is_cached = || cache.caller(&KEY, ADDRESS, at(0)).is_some();
        assert!(!is_cached());
        cache.keep_caller(KEY, &caller(acme), None, cache.read());
        cache.forget_org(other);
        assert!(is_cached());
        cache.forget_org(acme);
        assert!(!is_cached());
        cache.keep_caller(KEY, &caller(acme), None, cache.read());
        assert!(is_cached());
        cache.forget_caller(&KEY);
        assert!(!is_cached());
    }

    #[test]
    fn does_not_use_entries_read_before_a_change() {
        let cache = ContextCache::new(Duration::from_mins(1));
        let epoch = cache.read();
        cache.forget_org(Uuid::nil());
        cache.keep_caller(KEY, &caller(Uuid::nil()), None, epoch);
        assert!(cache.caller(&KEY, ADDRESS, at(0)).is_none());
    }

    #[test]
    fn a_cached_key_expires() {
        let cache = ContextCache::new(Duration::from_mins(1));
        cache.keep_caller(KEY, &caller(Uuid::nil()), Some(at(10)), cache.read());
        assert!(cache.caller(&KEY, ADDRESS, at(9)).is_some());
        assert!(cache.caller(&KEY, ADDRESS, at(10)).is_none());
    }
}
