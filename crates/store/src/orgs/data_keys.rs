//! Sealed data keys of organizations.

use uuid::Uuid;

use crate::{Db, Result};

impl Db {
    /// Returns whether anything is sealed under the master key: the data key of an organization, a signing
    /// key, or the key of the audit trails.
    pub async fn has_sealed_keys(&self) -> Result<bool> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT EXISTS (SELECT 1 FROM signing_keys) OR EXISTS (SELECT 1 FROM audit_key)
                 OR EXISTS (SELECT 1 FROM orgs WHERE sealed_data_key IS NOT NULL)",
            )
            .fetch_one(pool)
            .await?
        }))
    }

    /// Returns the organization's data key, sealed under the master key; `None` before the first use.
    pub async fn sealed_data_key(&self, org_id: Uuid) -> Result<Option<Vec<u8>>> {
        let key: Option<Option<Vec<u8>>> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT sealed_data_key FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(key.flatten())
    }

    /// Stores a sealed data key unless there is one and returns the stored one; `None` when the organization does not
    /// exist.
    pub async fn get_or_insert_sealed_data_key(
        &self,
        org_id: Uuid,
        sealed: &[u8],
    ) -> Result<Option<Vec<u8>>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_scalar(
                "UPDATE orgs SET sealed_data_key = COALESCE(sealed_data_key, $2) WHERE id = $1
                 RETURNING sealed_data_key",
            )
            .bind(org_id)
            .bind(sealed)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Returns the sealed data keys of all organizations that have one.
    pub async fn sealed_data_keys(&self) -> Result<Vec<(Uuid, Vec<u8>)>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, sealed_data_key FROM orgs WHERE sealed_data_key IS NOT NULL ORDER BY id",
            )
            .fetch_all(pool)
            .await?
        }))
    }

    /// Replaces a sealed data key by the same key sealed again. Returns false when it is no longer `old`.
    pub async fn replace_sealed_data_key(&self, org_id: Uuid, old: &[u8], resealed: &[u8]) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("UPDATE orgs SET sealed_data_key = $3 WHERE id = $1 AND sealed_data_key = $2")
                .bind(org_id)
                .bind(old)
                .bind(resealed)
                .execute(pool)
                .await?
                .rows_affected()
                == 1
        }))
    }
}
