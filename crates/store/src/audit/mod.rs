//! The audit trail: entries chained under a key that is not in the database, so that a changed or missing entry is
//! detected, also when whoever changed it could write the whole database.

mod audited_tx;
mod chain;
mod heads;
mod key;
mod origins;

use sha2::{Digest, Sha256};
use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Error, Result, Timestamp, new_id};

pub use audited_tx::{Actor, AuditedTx};
pub use chain::AuditVerdict;
pub use heads::{AuditHead, HeadCheck, hexadecimal};
pub use key::AuditKey;
pub(crate) use key::AuditKeySlot;

/// Action of the entries that the first key appends to older trails.
pub const SEAL_ACTION: &str = "seal-audit-trail";

/// An audit entry to write.
#[derive(Clone, Copy, Debug)]
pub struct NewAuditEntry<'a> {
    /// Organization; the nil UUID for the whole installation.
    pub org_id: Uuid,
    /// Principal: a username, an API key's identifier or an operator's command.
    pub principal: &'a str,
    /// IP address; `""` for a local command.
    pub address: &'a str,
    /// Action: a permission such as `PROJECTS:CREATE_PROJECT`, or an operator's command.
    pub action: &'a str,
    /// Target: an identifier or a name.
    pub target: &'a str,
    /// Details as JSON, without secrets.
    pub details: &'a str,
}

/// An entry of the audit trail.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct AuditEntry {
    /// Organization.
    pub org_id: Uuid,
    /// Position in the organization's trail: 1 for the first entry, without gaps.
    pub sequence: i64,
    /// Identifier.
    pub id: Uuid,
    /// Creation time.
    pub created_at: Timestamp,
    /// Principal.
    pub principal: String,
    /// IP address.
    pub address: String,
    /// Action.
    pub action: String,
    /// Target.
    pub target: String,
    /// Details as JSON.
    pub details: String,
    /// Hash of the previous entry; 32 zeros for the first.
    pub previous_hash: Vec<u8>,
    /// Digest over the previous hash and every field, each text prefixed with its length: HMAC-SHA-256 if `keyed`, else
    /// SHA-256.
    pub hash: Vec<u8>,
    /// True if the hash depends on the installation's key. Only entries of earlier versions are not keyed.
    pub keyed: bool,
}

/// Filter for audit entries. `None` does not restrict.
#[derive(Clone, Debug, Default)]
pub struct AuditFilter {
    /// Only this action.
    pub action: Option<String>,
    /// Only this principal.
    pub principal: Option<String>,
    /// From this time, inclusive.
    pub from: Option<Timestamp>,
    /// Until this time, exclusive.
    pub to: Option<Timestamp>,
}

impl AuditFilter {
    /// Restricts by time. Entries are in order of time except for clock differences between processes, so sequence
    /// numbers near the given time bound the search.
    fn narrow_by_time<DB: Database>(&self, query: &mut QueryBuilder<DB>, org_id: Uuid)
    where
        for<'q> Uuid: Encode<'q, DB> + Type<DB>,
        for<'q> Timestamp: Encode<'q, DB> + Type<DB>,
    {
        let bounds = [
            (self.from, " AND sequence >= ", "MIN", " AND created_at >= ", " ORDER BY created_at"),
            (self.to, " AND sequence <= ", "MAX", " AND created_at < ", " ORDER BY created_at DESC"),
        ];
        for (time, bound, extreme, condition, order) in bounds {
            let Some(time) = time else { continue };
            query.push(condition).push_bind(time).push(bound).push("(SELECT ").push(extreme);
            query
                .push("(sequence) FROM (SELECT sequence FROM audit_entries WHERE org_id = ")
                .push_bind(org_id);
            query.push(condition).push_bind(time).push(order).push(" LIMIT 100) AS near_time)");
        }
    }
}

impl AuditEntry {
    fn new(
        new: NewAuditEntry<'_>,
        (sequence, previous_hash): (i64, Vec<u8>),
        key: &AuditKey,
        now: Timestamp,
    ) -> Self {
        let mut entry = Self {
            org_id: new.org_id,
            sequence,
            id: new_id(now),
            created_at: now,
            principal: storable(new.principal).into_owned(),
            address: storable(new.address).into_owned(),
            action: storable(new.action).into_owned(),
            target: storable(new.target).into_owned(),
            details: storable(new.details).into_owned(),
            previous_hash,
            hash: Vec::new(),
            keyed: true,
        };
        entry.hash = key.mac("audit entry", [&*entry.content()]);
        entry
    }

    /// Returns what the hash covers: the previous hash and every field.
    fn content(&self) -> Vec<u8> {
        let mut content = self.previous_hash.clone();
        content.extend_from_slice(self.org_id.as_bytes());
        content.extend_from_slice(&self.sequence.to_be_bytes());
        content.extend_from_slice(self.id.as_bytes());
        content.extend_from_slice(&self.created_at.micros().to_be_bytes());
        for text in [&self.principal, &self.address, &self.action, &self.target, &self.details] {
            content.extend_from_slice(&(text.len() as u64).to_be_bytes());
            content.extend_from_slice(text.as_bytes());
        }
        content
    }

    /// Returns the hash that the entry should have; `None` for a keyed entry without a key.
    fn expected_hash(&self, key: Option<&AuditKey>) -> Option<Vec<u8>> {
        match (self.keyed, key) {
            (true, Some(key)) => Some(key.mac("audit entry", [&*self.content()])),
            (true, None) => None,
            (false, _) => Some(Sha256::digest(self.content()).to_vec()),
        }
    }
}

pub(crate) const COLUMNS: &str = "org_id, sequence, id, created_at, principal, address, action, target, details, previous_hash, hash, \
     keyed";

impl Tx {
    /// Appends an entry to its organization's trail, which stays locked until the transaction ends.
    pub(crate) async fn append_audit(
        &mut self,
        new: NewAuditEntry<'_>,
        now: Timestamp,
    ) -> Result<AuditEntry> {
        let (sequence, hash) = self.lock_audit_head(new.org_id).await?;
        let key = self.audit_key().ok_or(Error::AuditKeyMissing)?;
        let entry = AuditEntry::new(new, (sequence + 1, hash), key, now);
        self.insert_audit_entry(&entry).await?;
        self.advance_audit_head(&entry).await?;
        Ok(entry)
    }

    /// Locks a trail until the transaction ends.
    pub(crate) async fn lock_trail(&mut self, org_id: Uuid) -> Result<()> {
        self.lock_audit_head(org_id).await.map(drop)
    }

    /// Returns the last sequence and hash of a chain and locks its row until the transaction ends.
    async fn lock_audit_head(&mut self, org_id: Uuid) -> Result<(i64, Vec<u8>)> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as::<_, (i64, Vec<u8>)>(
                "INSERT INTO audit_heads (org_id, sequence, hash) VALUES ($1, 0, $2)
                 ON CONFLICT (org_id) DO UPDATE SET sequence = audit_heads.sequence RETURNING sequence, hash",
            )
            .bind(org_id)
            .bind(&[0_u8; 32][..])
            .fetch_one(c)
            .await?
        }))
    }

    async fn insert_audit_entry(&mut self, entry: &AuditEntry) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO audit_entries
                 (org_id, sequence, id, created_at, principal, address, action, target, details, previous_hash, hash,
                  keyed)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
            )
            .bind(entry.org_id)
            .bind(entry.sequence)
            .bind(entry.id)
            .bind(entry.created_at)
            .bind(&entry.principal)
            .bind(&entry.address)
            .bind(&entry.action)
            .bind(&entry.target)
            .bind(&entry.details)
            .bind(&entry.previous_hash)
            .bind(&entry.hash)
            .bind(entry.keyed)
            .execute(c)
            .await?;
        });
        Ok(())
    }

    async fn advance_audit_head(&mut self, entry: &AuditEntry) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query("UPDATE audit_heads SET sequence = $2, hash = $3 WHERE org_id = $1")
                .bind(entry.org_id)
                .bind(entry.sequence)
                .bind(&entry.hash)
                .execute(c)
                .await?;
        });
        Ok(())
    }
}

impl Db {
    /// Appends an entry to the organization's trail.
    pub async fn append_audit(&self, new: NewAuditEntry<'_>, now: Timestamp) -> Result<AuditEntry> {
        let mut tx = self.write().await?;
        let entry = tx.append_audit(new, now).await?;
        tx.commit().await?;
        Ok(entry)
    }

    /// Lists up to `limit` entries before a sequence, newest first; `None` starts at the newest.
    pub async fn audit_entries(
        &self,
        org_id: Uuid,
        filter: &AuditFilter,
        before: Option<i64>,
        limit: u16,
    ) -> Result<Vec<AuditEntry>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = QueryBuilder::new("SELECT ");
            query.push(COLUMNS).push(" FROM audit_entries WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence < ").push_bind(before.unwrap_or(i64::MAX));
            let equal = [(" AND action = ", &filter.action), (" AND principal = ", &filter.principal)];
            for (condition, value) in equal {
                if let Some(value) = value {
                    query.push(condition).push_bind(storable(value).into_owned());
                }
            }
            filter.narrow_by_time(&mut query, org_id);
            query.push(" ORDER BY sequence DESC LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().persistent(false).fetch_all(pool).await?
        }))
    }
}
