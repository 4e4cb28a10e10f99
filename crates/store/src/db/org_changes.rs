//! Which organizations changed since a read, so that caches can be used while the database is unavailable.
//!
//! Every change is in the organization's audit trail. Each health check reads the position of all audit trails, and so
//! finds changes made by any replica.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, MutexGuard, PoisonError},
};

use uuid::Uuid;

use super::{Heads, Probe};
use crate::Result;

/// Time of a read, as the number of changes found before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Epoch(u64);

#[derive(Default)]
struct Changes {
    count: u64,
    of_orgs: HashMap<Uuid, u64>,
    heads: Heads,
}

/// The changes that health checks have found; cheap to clone.
#[derive(Clone, Default)]
pub struct OrgChanges(Arc<Mutex<Changes>>);

impl OrgChanges {
    fn changes(&self) -> MutexGuard<'_, Changes> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the epoch of a read that starts now.
    pub fn epoch(&self) -> Epoch {
        Epoch(self.changes().count)
    }

    /// Returns true if no change of `org` was found after `epoch`.
    pub fn is_unchanged_since(&self, org: Uuid, epoch: Epoch) -> bool {
        self.changes().of_orgs.get(&org).is_none_or(|changed| epoch.0 >= *changed)
    }

    /// Records that `org` changed.
    pub fn record(&self, org: Uuid) {
        let mut changes = self.changes();
        changes.count += 1;
        let count = changes.count;
        changes.of_orgs.insert(org, count);
    }

    /// Records the organizations whose audit trail shows changes since the last call.
    pub(super) async fn update(&self, probe: &mut Probe, heads: Heads) -> Result<()> {
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
                self.record(org);
            }
            if let Some(head) = heads.get(&org) {
                self.changes().heads.insert(org, *head);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_concerns_reads_before_it_and_its_organization_alone() {
        let (changes, acme, other) = (OrgChanges::default(), Uuid::from_u128(1), Uuid::from_u128(2));
        let before = changes.epoch();
        assert!(changes.is_unchanged_since(acme, before));
        changes.record(acme);
        assert!(!changes.is_unchanged_since(acme, before) && changes.is_unchanged_since(other, before));
        assert!(changes.is_unchanged_since(acme, changes.epoch()));
    }
}
