//! Verification of the audit trail's hash chain, and deletion of its oldest entries.

use uuid::Uuid;

use super::COLUMNS;
use crate::{AuditEntry, Db, Result, Timestamp};

const BATCH: i64 = 1000;

/// A link of a hash chain.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
struct Link {
    sequence: i64,
    hash: Vec<u8>,
}

/// Result of verifying a hash chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuditVerdict {
    /// Sequence of the last entry deleted for its age; 0 for none. Earlier entries can no longer be verified.
    pub begins_after: i64,
    /// Sequence of the newest entry.
    pub ends_with: i64,
    /// Sequence of the first entry that was altered or is missing.
    pub first_altered: Option<i64>,
}

impl Db {
    /// Verifies an organization's trail up to the entry that is the newest at the start.
    pub async fn verify_audit(&self, org_id: Uuid) -> Result<AuditVerdict> {
        let head = self.audit_link("audit_heads", org_id).await?;
        loop {
            let origin = self.audit_link("audit_origins", org_id).await?;
            let altered = self.first_altered_entry(org_id, &origin, &head).await?;
            // Entries may be deleted meanwhile: verify the rest again.
            if altered.is_none() || self.audit_link("audit_origins", org_id).await? == origin {
                let (begins_after, ends_with) = (origin.sequence, head.sequence);
                return Ok(AuditVerdict { begins_after, ends_with, first_altered: altered });
            }
        }
    }

    async fn first_altered_entry(&self, org_id: Uuid, origin: &Link, head: &Link) -> Result<Option<i64>> {
        let mut last = origin.clone();
        while last.sequence < head.sequence {
            let entries = self.audit_entries_between(org_id, last.sequence, head.sequence).await?;
            if entries.is_empty() {
                return Ok(Some(last.sequence + 1));
            }
            for entry in entries {
                if !entry.follows(last.sequence, &last.hash) {
                    return Ok(Some(last.sequence + 1));
                }
                last = Link { sequence: entry.sequence, hash: entry.hash };
            }
        }
        Ok((last.hash != head.hash).then_some(last.sequence))
    }

    async fn audit_entries_between(&self, org_id: Uuid, after: i64, until: i64) -> Result<Vec<AuditEntry>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM audit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > ").push_bind(after).push(" AND sequence <= ").push_bind(until);
            query.push(" ORDER BY sequence LIMIT ").push_bind(BATCH);
            query.build_query_as().fetch_all(pool).await?
        }))
    }

    async fn audit_link(&self, table: &'static str, org_id: Uuid) -> Result<Link> {
        let link: Option<Link> = on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT sequence, hash FROM ");
            query.push(table).push(" WHERE org_id = ").push_bind(org_id);
            query.build_query_as().fetch_optional(pool).await?
        });
        Ok(link.unwrap_or_else(|| Link { sequence: 0, hash: vec![0; 32] }))
    }

    /// Deletes some entries before that time, oldest first, and returns how many. Keeps the hash of the last one: the
    /// chain begins there from then on.
    pub async fn delete_audit_entries_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        let Some(last) = self.last_to_delete(org_id, time).await? else { return Ok(0) };
        let mut tx = self.write().await?;
        let deleted = on!(tx.connection(), |c| {
            sqlx::query(
                "INSERT INTO audit_origins (org_id, sequence, hash) VALUES ($1, $2, $3)
                 ON CONFLICT (org_id) DO UPDATE SET sequence = excluded.sequence, hash = excluded.hash
                 WHERE audit_origins.sequence < excluded.sequence",
            )
            .bind(org_id)
            .bind(last.sequence)
            .bind(&last.hash)
            .execute(&mut *c)
            .await?;
            sqlx::query("DELETE FROM audit_entries WHERE org_id = $1 AND sequence <= $2")
                .bind(org_id)
                .bind(last.sequence)
                .execute(c)
                .await?
                .rows_affected()
        });
        tx.commit().await?;
        Ok(deleted)
    }

    /// Returns the last of the oldest entries that are all before that time. Only a prefix of the chain may be
    /// deleted.
    async fn last_to_delete(&self, org_id: Uuid, time: Timestamp) -> Result<Option<Link>> {
        let oldest: Vec<AuditEntry> = on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM audit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" ORDER BY sequence LIMIT ").push_bind(BATCH);
            query.build_query_as().fetch_all(pool).await?
        });
        let old = oldest.into_iter().take_while(|entry| entry.created_at < time);
        Ok(old.last().map(|entry| Link { sequence: entry.sequence, hash: entry.hash }))
    }
}
