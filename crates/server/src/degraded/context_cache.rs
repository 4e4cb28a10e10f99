//! What the store said last of those who call and of the projects that they call for, believed while it does not answer.
//!
//! As long as the store answers, it is asked with every request, and nothing here counts. What was changed since it was
//! read, by whichever replica, counts no more: every change stands in the audit trail of its organisation, and how far
//! those have come is read with every question whether the store answers.

use std::{
    collections::HashMap,
    net::IpAddr,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use guardengine_store::{Heads, Probe, Timestamp};
use moka::sync::Cache;
use uuid::Uuid;

use crate::{guard::PolicyContext, http::Principal};

/// Callers, and projects of callers, that are kept.
const KEPT: u64 = 10_000;

/// When something was read: the number of times that something had been found changed by then.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct CacheEpoch(u64);

#[derive(Clone)]
struct Kept<T> {
    read: CacheEpoch,
    org: Uuid,
    what: T,
}

#[derive(Default)]
struct Changes {
    count: u64,
    of_orgs: HashMap<Uuid, u64>,
    heads: Heads,
}

/// What the store said last.
pub struct ContextCache {
    callers: Cache<[u8; 32], Kept<(Principal, Option<Timestamp>)>>,
    standings: Cache<(Uuid, Uuid), Kept<PolicyContext>>,
    changes: Mutex<Changes>,
}

impl ContextCache {
    /// Nothing yet; what is kept is believed for so long.
    pub fn new(trust: Duration) -> Self {
        Self {
            callers: Cache::builder().max_capacity(KEPT).time_to_live(trust).build(),
            standings: Cache::builder().max_capacity(KEPT).time_to_live(trust).build(),
            changes: Mutex::default(),
        }
    }

    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.changes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What is read from now on is as new as this.
    pub fn read(&self) -> CacheEpoch {
        CacheEpoch(self.changes().count)
    }

    fn holds<T>(&self, kept: &Kept<T>) -> bool {
        self.changes().of_orgs.get(&kept.org).is_none_or(|changed| kept.read.0 >= *changed)
    }

    /// Keeps who showed the API key with that digest, and when it expires.
    pub fn keep_caller(
        &self,
        digest: [u8; 32],
        caller: &Principal,
        expires_at: Option<Timestamp>,
        read: CacheEpoch,
    ) {
        let (org, what) = (caller.org_id, (caller.clone(), expires_at));
        self.callers.insert(digest, Kept { read, org, what });
    }

    /// Forgets a key that the store refuses.
    pub fn forget_caller(&self, digest: &[u8; 32]) {
        self.callers.invalidate(digest);
    }

    /// Who shows the API key with that digest from there.
    pub fn caller(&self, digest: &[u8; 32], address: IpAddr, now: Timestamp) -> Option<Principal> {
        let kept = self.callers.get(digest).filter(|kept| self.holds(kept))?;
        let (caller, expires_at) = kept.what;
        expires_at.is_none_or(|end| end > now).then_some(Principal { address, ..caller })
    }

    /// Keeps how a user's calls for a project stand.
    pub fn keep_standing(
        &self,
        caller: &Principal,
        project: Uuid,
        standing: &PolicyContext,
        read: CacheEpoch,
    ) {
        let kept = Kept { read, org: caller.org_id, what: standing.clone() };
        self.standings.insert((caller.user_id, project), kept);
    }

    /// How a user's calls for a project stand.
    pub fn standing(&self, caller: &Principal, project: Uuid) -> Option<PolicyContext> {
        let kept = self.standings.get(&(caller.user_id, project))?;
        (kept.org == caller.org_id && self.holds(&kept)).then_some(kept.what)
    }

    /// Believes nothing any more of organisations in which something was changed since the audit trails stood elsewhere.
    pub async fn follow(&self, probe: &mut Probe, heads: Heads) -> guardengine_store::Result<()> {
        let moved: Vec<(Uuid, Option<i64>)> = {
            let known = &self.changes().heads;
            let before = |org: &Uuid| known.get(org).copied();
            let moved = heads.iter().filter(|(org, head)| before(org) != Some(**head));
            moved.map(|(org, _)| (*org, before(org))).collect()
        };
        for (org, before) in moved {
            let is_changed = match before {
                Some(before) => probe.was_changed_after(org, before).await?,
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
    fn whoever_was_seen_is_known_until_something_changes_in_their_organisation() {
        let known = ContextCache::new(Duration::from_mins(1));
        let (acme, other) = (Uuid::from_u128(1), Uuid::from_u128(2));
        let is_known = || known.caller(&KEY, ADDRESS, at(0)).is_some();
        assert!(!is_known());
        known.keep_caller(KEY, &caller(acme), None, known.read());
        known.forget_org(other);
        assert!(is_known());
        known.forget_org(acme);
        assert!(!is_known());
        known.keep_caller(KEY, &caller(acme), None, known.read());
        assert!(is_known());
        known.forget_caller(&KEY);
        assert!(!is_known());
    }

    #[test]
    fn what_was_read_before_a_change_is_not_kept_after_it() {
        let known = ContextCache::new(Duration::from_mins(1));
        let read = known.read();
        known.forget_org(Uuid::nil());
        known.keep_caller(KEY, &caller(Uuid::nil()), None, read);
        assert!(known.caller(&KEY, ADDRESS, at(0)).is_none());
    }

    #[test]
    fn a_key_expires_without_the_store_too() {
        let known = ContextCache::new(Duration::from_mins(1));
        known.keep_caller(KEY, &caller(Uuid::nil()), Some(at(10)), known.read());
        assert!(known.caller(&KEY, ADDRESS, at(9)).is_some());
        assert!(known.caller(&KEY, ADDRESS, at(10)).is_none());
    }
}
