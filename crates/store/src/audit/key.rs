//! The key of the audit trails.

use std::fmt;
use std::sync::{Arc, OnceLock};

use hmac::{Hmac, KeyInit as _, Mac as _};
use sha2::Sha256;
use uuid::Uuid;
use zeroize::ZeroizeOnDrop;

use super::SEAL_ACTION;
use crate::db::Tx;
use crate::{Actor, Db, Error, Result, Timestamp};

/// The installation's key of the audit trails. Its bytes are overwritten when it is dropped.
#[derive(Clone, PartialEq, Eq, ZeroizeOnDrop)]
pub struct AuditKey([u8; 32]);

impl fmt::Debug for AuditKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuditKey")
    }
}

impl AuditKey {
    /// Creates the key from its bytes.
    pub const fn new(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// Returns HMAC-SHA-256 (RFC 2104) over the parts, one after the other. `purpose` separates what is authenticated:
    /// no purpose is the beginning of another.
    pub(super) fn mac<'p>(&self, purpose: &str, parts: impl IntoIterator<Item = &'p [u8]>) -> Vec<u8> {
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else {
            unreachable!("HMAC takes keys of any length")
        };
        mac.update(purpose.as_bytes());
        parts.into_iter().for_each(|part| mac.update(part));
        mac.finalize().into_bytes().to_vec()
    }

    /// Returns the MAC of the place where retention cut a trail.
    pub(super) fn origin_mac(&self, org_id: Uuid, sequence: i64, hash: &[u8]) -> Vec<u8> {
        self.mac("audit origin", [org_id.as_bytes(), &sequence.to_be_bytes()[..], hash])
    }
}

/// The key of a database's trails once it is known; shared by all handles of the database.
#[derive(Clone, Debug, Default)]
pub(crate) struct AuditKeySlot(Arc<OnceLock<AuditKey>>);

impl AuditKeySlot {
    pub(crate) fn get(&self) -> Option<&AuditKey> {
        self.0.get()
    }
}

impl From<AuditKey> for AuditKeySlot {
    fn from(key: AuditKey) -> Self {
        Self(Arc::new(OnceLock::from(key)))
    }
}

impl Db {
    /// Sets the key of the audit trails, which appending and verifying need. The first key stays.
    pub fn set_audit_key(&self, key: AuditKey) {
        self.audit_key_slot().0.get_or_init(|| key);
    }

    /// Returns the key of the audit trails, sealed under the master key; `None` before the first start.
    pub async fn sealed_audit_key(&self) -> Result<Option<Vec<u8>>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT sealed FROM audit_key").fetch_optional(pool).await?
        }))
    }

    /// Stores a new key of the audit trails, sealed, and appends an entry under it to every trail that has entries.
    /// Does neither if there is a key, and returns the stored one.
    ///
    /// # Errors
    ///
    /// [`Error::AuditKeyMissing`] if entries under a key exist.
    pub async fn create_audit_key(&self, sealed: &[u8], key: &AuditKey, now: Timestamp) -> Result<Vec<u8>> {
        let mut tx = self.write().await?;
        if !tx.insert_audit_key(sealed, now).await? {
            drop(tx);
            return self.sealed_audit_key().await?.ok_or(Error::AuditKeyMissing);
        }
        if tx.has_keyed_entries().await? {
            return Err(Error::AuditKeyMissing);
        }
        tx.use_audit_key(key.clone());
        tx.seal_trails(key, now).await?;
        tx.commit().await?;
        Ok(sealed.to_owned())
    }

    /// Replaces the sealed key by the same key sealed again. Returns false when it is no longer `old`.
    pub async fn replace_sealed_audit_key(&self, old: &[u8], resealed: &[u8]) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("UPDATE audit_key SET sealed = $2 WHERE sealed = $1")
                .bind(old)
                .bind(resealed)
                .execute(pool)
                .await?
                .rows_affected()
                == 1
        }))
    }
}

impl Tx {
    async fn insert_audit_key(&mut self, sealed: &[u8], now: Timestamp) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO audit_key (id, sealed, created_at) VALUES (1, $1, $2) ON CONFLICT (id) DO NOTHING",
            )
            .bind(sealed)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }

    async fn has_keyed_entries(&mut self) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM audit_entries WHERE keyed)").fetch_one(c).await?
        }))
    }

    /// Appends an entry under the key to every trail that has entries, and authenticates where trails begin.
    async fn seal_trails(&mut self, key: &AuditKey, now: Timestamp) -> Result<()> {
        let trails: Vec<Uuid> = on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT org_id FROM audit_heads WHERE sequence > 0 ORDER BY org_id")
                .fetch_all(c)
                .await?
        });
        for org_id in trails {
            let actor = Actor { org_id, principal: "upgrade".to_owned(), address: String::new() };
            self.audit(&actor, SEAL_ACTION, "", "{}", now).await?;
        }
        let origins: Vec<(Uuid, i64, Vec<u8>)> = on!(self.connection(), |c| {
            sqlx::query_as("SELECT org_id, sequence, hash FROM audit_origins").fetch_all(c).await?
        });
        for (org_id, sequence, hash) in origins {
            let mac = key.origin_mac(org_id, sequence, &hash);
            on!(self.connection(), |c| {
                sqlx::query("UPDATE audit_origins SET mac = $2 WHERE org_id = $1")
                    .bind(org_id)
                    .bind(mac)
                    .execute(c)
                    .await?;
            });
        }
        Ok(())
    }
}
