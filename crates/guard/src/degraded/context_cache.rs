//! Cache of policy contexts, so that requests can be served while the database is unavailable.
//!
//! While the database answers, every request reads from it and the cache is only filled. An entry is ignored once its
//! organization has changed after the entry was read.

use std::time::Duration;

use guardengine_auth::Principal;
use guardengine_store::{Epoch, OrgChanges};
use moka::sync::Cache;
use uuid::Uuid;

use crate::PolicyContext;

/// Maximum number of cached contexts.
const MAX_ENTRIES: u64 = 10_000;

#[derive(Clone)]
struct Entry {
    epoch: Epoch,
    org: Uuid,
    context: PolicyContext,
}

/// Cache of policy contexts by user and project.
pub struct ContextCache {
    contexts: Cache<(Uuid, Uuid), Entry>,
    changes: OrgChanges,
}

impl ContextCache {
    /// Creates an empty cache whose entries are valid for `lifetime`.
    pub fn new(changes: OrgChanges, lifetime: Duration) -> Self {
        Self { contexts: Cache::builder().max_capacity(MAX_ENTRIES).time_to_live(lifetime).build(), changes }
    }

    /// Returns the epoch of a read that starts now.
    pub fn epoch(&self) -> Epoch {
        self.changes.epoch()
    }

    /// Caches the policy context of a user's calls for a project.
    pub fn insert(&self, caller: &Principal, project: Uuid, context: &PolicyContext, epoch: Epoch) {
        let entry = Entry { epoch, org: caller.org_id, context: context.clone() };
        self.contexts.insert((caller.user_id, project), entry);
    }

    /// Returns the policy context of a user's calls for a project.
    pub fn get(&self, caller: &Principal, project: Uuid) -> Option<PolicyContext> {
        let entry = self.contexts.get(&(caller.user_id, project))?;
        let is_valid = entry.org == caller.org_id && self.changes.is_unchanged_since(entry.org, entry.epoch);
        is_valid.then_some(entry.context)
    }
}
