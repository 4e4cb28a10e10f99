//! Verification of an audit trail.

use uuid::Uuid;

use super::{AuditKey, COLUMNS};
use crate::{AuditEntry, Db, Error, Result};

pub(super) const BATCH: i64 = 1000;

/// A link of a chain.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Link {
    pub sequence: i64,
    pub hash: Vec<u8>,
}

/// The place where the rest of a trail begins.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub(super) struct Origin {
    pub sequence: i64,
    pub hash: Vec<u8>,
    pub mac: Vec<u8>,
}

/// Result of verifying a trail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditVerdict {
    /// Sequence of the last entry deleted for its age; 0 for none. Earlier entries can no longer be verified.
    pub begins_after: i64,
    /// Sequence of the newest entry.
    pub ends_with: i64,
    /// Hash of the newest entry; 32 zeros for none.
    pub head_hash: Vec<u8>,
    /// Sequence of the first verified entry that is chained under the key; `None` if no entry is.
    pub keyed_from: Option<i64>,
    /// Sequence of the first entry that was altered or is missing.
    pub first_altered: Option<i64>,
}

impl Origin {
    /// Returns whether retention wrote it. Without a key, nothing proves it.
    pub(super) fn is_genuine(&self, org_id: Uuid, key: Option<&AuditKey>) -> bool {
        let mac = |key: &AuditKey| key.origin_mac(org_id, self.sequence, &self.hash);
        self.sequence == 0 || key.is_none_or(|key| self.mac == mac(key))
    }
}

/// A walk along a chain, from where it begins.
pub(super) struct Walk<'a> {
    pub last: Link,
    keyed_from: Option<i64>,
    key: Option<&'a AuditKey>,
}

impl<'a> Walk<'a> {
    pub(super) fn new(origin: &Origin, key: Option<&'a AuditKey>) -> Self {
        let last = Link { sequence: origin.sequence, hash: origin.hash.clone() };
        Self { last, keyed_from: None, key }
    }

    /// Steps to the next entry. Returns false if it is altered, not the next one, or not keyed after a keyed one.
    pub(super) fn step(&mut self, entry: AuditEntry) -> Result<bool> {
        let expected = entry.expected_hash(self.key).ok_or(Error::AuditKeyMissing)?;
        let follows = entry.sequence == self.last.sequence + 1 && entry.previous_hash == self.last.hash;
        let is_downgrade = !entry.keyed && self.keyed_from.is_some();
        if !follows || is_downgrade || entry.hash != expected {
            return Ok(false);
        }
        if entry.keyed {
            self.keyed_from.get_or_insert(entry.sequence);
        }
        self.last = Link { sequence: entry.sequence, hash: entry.hash };
        Ok(true)
    }

    /// Returns the first missing or altered entry at the end of the walk. Where a key exists, every trail has keyed
    /// entries: without one, its end was cut off.
    fn flaw_at_end(&self, head: &Link, origin: &Origin) -> Option<i64> {
        if self.last.hash != head.hash {
            return Some(self.last.sequence);
        }
        let is_sealed = self.key.is_none() || self.keyed_from.is_some() || head.sequence == origin.sequence;
        (!is_sealed).then_some(head.sequence + 1)
    }
}

impl Db {
    /// Verifies an organization's trail up to the entry that is the newest at the start.
    ///
    /// # Errors
    ///
    /// [`Error::AuditKeyMissing`] if the trail is keyed and this process does not have the key.
    pub async fn verify_audit(&self, org_id: Uuid) -> Result<AuditVerdict> {
        let key = self.audit_key_slot().get();
        if key.is_none() && self.sealed_audit_key().await?.is_some() {
            return Err(Error::AuditKeyMissing);
        }
        let head = self.audit_head(org_id).await?;
        loop {
            let origin = self.audit_origin(org_id).await?;
            let mut walk = Walk::new(&origin, key);
            let first_altered = self.first_altered_entry(org_id, &origin, &head, &mut walk).await?;
            // Entries may be deleted meanwhile: verify the rest again.
            if first_altered.is_none() || self.audit_origin(org_id).await? == origin {
                return Ok(AuditVerdict {
                    begins_after: origin.sequence,
                    ends_with: head.sequence,
                    head_hash: head.hash,
                    keyed_from: walk.keyed_from,
                    first_altered,
                });
            }
        }
    }

    async fn first_altered_entry(
        &self,
        org_id: Uuid,
        origin: &Origin,
        head: &Link,
        walk: &mut Walk<'_>,
    ) -> Result<Option<i64>> {
        if !origin.is_genuine(org_id, walk.key) {
            return Ok(Some(origin.sequence));
        }
        while walk.last.sequence < head.sequence {
            let entries = self.audit_entries_between(org_id, walk.last.sequence, head.sequence).await?;
            if entries.is_empty() {
                return Ok(Some(walk.last.sequence + 1));
            }
            for entry in entries {
                let next = walk.last.sequence + 1;
                if !walk.step(entry)? {
                    return Ok(Some(next));
                }
            }
        }
        Ok(walk.flaw_at_end(head, origin))
    }

    /// Returns the next entries of a trail after a sequence, up to another.
    pub(crate) async fn audit_entries_between(
        &self,
        org_id: Uuid,
        after: i64,
        until: i64,
    ) -> Result<Vec<AuditEntry>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM audit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > ").push_bind(after).push(" AND sequence <= ").push_bind(until);
            query.push(" ORDER BY sequence LIMIT ").push_bind(BATCH);
            query.build_query_as().fetch_all(pool).await?
        }))
    }

    async fn audit_head(&self, org_id: Uuid) -> Result<Link> {
        let head: Option<Link> = on!(self.reader(), |pool| {
            sqlx::query_as("SELECT sequence, hash FROM audit_heads WHERE org_id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(head.unwrap_or_else(|| Link { sequence: 0, hash: vec![0; 32] }))
    }
}
