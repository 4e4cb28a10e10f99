//! Deletion of the oldest entries of audit trails.

use uuid::Uuid;

use super::chain::{BATCH, Origin, Walk};
use super::{AuditKey, COLUMNS};
use crate::db::Tx;
use crate::{AuditEntry, Db, Error, Result, Timestamp};

const ORIGIN: &str = "SELECT sequence, hash, mac FROM audit_origins WHERE org_id = $1";

impl Default for Origin {
    fn default() -> Self {
        Self { sequence: 0, hash: vec![0; 32], mac: Vec::new() }
    }
}

impl Db {
    pub(super) async fn audit_origin(&self, org_id: Uuid) -> Result<Origin> {
        let origin: Option<Origin> =
            on!(self.reader(), |pool| { sqlx::query_as(ORIGIN).bind(org_id).fetch_optional(pool).await? });
        Ok(origin.unwrap_or_default())
    }

    /// Deletes some entries before that time, oldest first, and returns how many. Keeps the hash of the last one under
    /// the key: the chain begins there from then on.
    ///
    /// # Errors
    ///
    /// [`Error::AuditTrailAltered`] if what would be deleted is not as it was written: deleting it would hide that.
    pub async fn delete_audit_entries_before(&self, org_id: Uuid, time: Timestamp) -> Result<u64> {
        if !self.has_audit_entry_before(org_id, time).await? {
            return Ok(0);
        }
        let key = self.audit_key_slot().get().ok_or(Error::AuditKeyMissing)?;
        let mut tx = self.write().await?;
        tx.lock_trail(org_id).await?;
        let origin = tx.last_to_delete(org_id, time, key).await?;
        let deleted = tx.delete_audit_entries_until(org_id, &origin).await?;
        tx.commit().await?;
        Ok(deleted)
    }

    async fn has_audit_entry_before(&self, org_id: Uuid, time: Timestamp) -> Result<bool> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM audit_entries WHERE org_id = $1 AND created_at < $2)",
            )
            .bind(org_id)
            .bind(time)
            .fetch_one(pool)
            .await?
        }))
    }
}

impl Tx {
    /// Returns the origin after the oldest entries that are all before that time. Only a prefix of the chain may be
    /// deleted.
    async fn last_to_delete(&mut self, org_id: Uuid, time: Timestamp, key: &AuditKey) -> Result<Origin> {
        let (origin, oldest): (Option<Origin>, Vec<AuditEntry>) = on!(self.connection(), |c| {
            let origin = sqlx::query_as(ORIGIN).bind(org_id).fetch_optional(&mut *c).await?;
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM audit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" ORDER BY sequence LIMIT ").push_bind(BATCH);
            (origin, query.build_query_as().fetch_all(c).await?)
        });
        let origin = origin.unwrap_or_default();
        if !origin.is_genuine(org_id, Some(key)) {
            return Err(Error::AuditTrailAltered(org_id, origin.sequence));
        }
        let mut walk = Walk::new(&origin, Some(key));
        for entry in oldest.into_iter().take_while(|entry| entry.created_at < time) {
            let next = walk.last.sequence + 1;
            if !walk.step(entry)? {
                return Err(Error::AuditTrailAltered(org_id, next));
            }
        }
        let mac = key.origin_mac(org_id, walk.last.sequence, &walk.last.hash);
        Ok(Origin { sequence: walk.last.sequence, hash: walk.last.hash, mac })
    }

    async fn delete_audit_entries_until(&mut self, org_id: Uuid, origin: &Origin) -> Result<u64> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO audit_origins (org_id, sequence, hash, mac) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (org_id) DO UPDATE
                 SET sequence = excluded.sequence, hash = excluded.hash, mac = excluded.mac",
            )
            .bind(org_id)
            .bind(origin.sequence)
            .bind(&origin.hash)
            .bind(&origin.mac)
            .execute(&mut *c)
            .await?;
            sqlx::query("DELETE FROM audit_entries WHERE org_id = $1 AND sequence <= $2")
                .bind(org_id)
                .bind(origin.sequence)
                .execute(c)
                .await?
                .rows_affected()
        }))
    }
}
