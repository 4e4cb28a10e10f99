//! Pre-authentication tokens, between the password check and the choice of an organization.

use uuid::Uuid;

use crate::{Db, Result, Timestamp};

impl Db {
    /// Stores a pre-authentication token and deletes expired ones.
    pub async fn insert_pre_auth_token(
        &self,
        hash: &[u8],
        user_id: Uuid,
        expires_at: Timestamp,
        now: Timestamp,
    ) -> Result<()> {
        let mut tx = self.write().await?;
        on!(tx.connection(), |c| {
            sqlx::query("DELETE FROM pre_auth_tokens WHERE expires_at <= $1")
                .bind(now)
                .execute(&mut *c)
                .await?;
            sqlx::query("INSERT INTO pre_auth_tokens (hash, user_id, expires_at) VALUES ($1, $2, $3)")
                .bind(hash)
                .bind(user_id)
                .bind(expires_at)
                .execute(c)
                .await?;
        });
        tx.commit().await
    }

    /// Returns the user of a valid token without using it up.
    pub async fn user_of_pre_auth_token(&self, hash: &[u8], now: Timestamp) -> Result<Option<Uuid>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT user_id FROM pre_auth_tokens WHERE hash = $1 AND used_at IS NULL AND expires_at > $2",
            )
            .bind(hash)
            .bind(now)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Uses up a token and returns its user; `None` for every use but the first.
    pub async fn consume_pre_auth_token(&self, hash: &[u8], now: Timestamp) -> Result<Option<Uuid>> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_scalar(
                "UPDATE pre_auth_tokens SET used_at = $2 WHERE hash = $1 AND used_at IS NULL AND expires_at > $2
                 RETURNING user_id",
            )
            .bind(hash)
            .bind(now)
            .fetch_optional(pool)
            .await?
        }))
    }
}
