//! The keys that sign access tokens.

use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, Result, Timestamp, new_id};

/// A key that signs access tokens, sealed under the master key.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct SigningKey {
    /// `kid` in the token header.
    pub id: Uuid,
    /// The key, sealed.
    pub sealed: Vec<u8>,
    /// Creation time. The newest key signs once every replica has read it; all keys verify.
    pub created_at: Timestamp,
}

impl Tx {
    /// Adds a sealed signing key. Two replicas that start together may each add one: both verify.
    pub async fn add_signing_key(&mut self, sealed: &[u8], now: Timestamp) -> Result<SigningKey> {
        let key = SigningKey { id: new_id(now), sealed: sealed.to_owned(), created_at: now };
        on!(self.connection(), |c| {
            sqlx::query("INSERT INTO signing_keys (id, sealed, created_at) VALUES ($1, $2, $3)")
                .bind(key.id)
                .bind(sealed)
                .bind(now)
                .execute(c)
                .await?;
        });
        Ok(key)
    }
}

impl Db {
    /// Like [`Tx::add_signing_key`], in a transaction of its own and without an audit entry.
    pub async fn add_signing_key(&self, sealed: &[u8], now: Timestamp) -> Result<SigningKey> {
        let mut tx = self.write().await?;
        let outcome = tx.add_signing_key(sealed, now).await?;
        tx.commit().await?;
        Ok(outcome)
    }

    /// Deletes the signing keys that are older than the newest one before that time and returns how many.
    pub async fn delete_signing_keys_before(&self, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM signing_keys
                 WHERE id < (SELECT id FROM signing_keys WHERE created_at < $1 ORDER BY id DESC LIMIT 1)",
            )
            .bind(time)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }

    /// Lists the signing keys, newest first.
    pub async fn signing_keys(&self) -> Result<Vec<SigningKey>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, sealed, created_at FROM signing_keys ORDER BY id DESC")
                .fetch_all(pool)
                .await?
        }))
    }

    /// Replaces a sealed signing key by the same key sealed again. Returns false when it is no longer `old`.
    pub async fn replace_signing_key(&self, id: Uuid, old: &[u8], resealed: &[u8]) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("UPDATE signing_keys SET sealed = $3 WHERE id = $1 AND sealed = $2")
                .bind(id)
                .bind(old)
                .bind(resealed)
                .execute(pool)
                .await?
                .rows_affected()
                == 1
        }))
    }
}
