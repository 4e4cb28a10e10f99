//! API keys, known by the hash of their secret.

use uuid::Uuid;

use crate::acting::acting_columns;
use crate::name::storable;
use crate::{Acting, Db, Result, Timestamp, new_id};

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ApiKey {
    /// Its id.
    pub id: Uuid,
    /// The organisation it opens.
    pub org_id: Uuid,
    /// The user it acts as.
    pub user_id: Uuid,
    /// The secret's first characters.
    pub prefix: String,
    /// What its maker called it.
    pub name: String,
    /// False once revoked.
    pub is_active: bool,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it ends; `None` for never.
    pub expires_at: Option<Timestamp>,
    /// The last request with it, up to the delay with which these are written.
    pub last_used_at: Option<Timestamp>,
    /// Requests with it, up to that delay.
    pub usage_count: i64,
}

/// An API key with who it acts as.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ApiKeyUser {
    /// The key, active or not, expired or not.
    #[sqlx(flatten)]
    pub key: ApiKey,
    /// Who it acts as.
    #[sqlx(flatten)]
    pub acting: Acting,
}

/// An API key to be made.
#[derive(Clone, Copy, Debug)]
pub struct NewApiKey<'a> {
    /// The organisation it opens.
    pub org_id: Uuid,
    /// The user it acts as.
    pub user_id: Uuid,
    /// The hash of the secret.
    pub hash: &'a [u8],
    /// The secret's first characters.
    pub prefix: &'a str,
    /// What its maker calls it.
    pub name: &'a str,
    /// When it ends; `None` for never.
    pub expires_at: Option<Timestamp>,
}

/// Requests with a key since they were written last.
#[derive(Clone, Copy, Debug)]
pub struct ApiKeyUse {
    /// The key.
    pub key_id: Uuid,
    /// How many.
    pub count: i64,
    /// The last of them.
    pub last_used_at: Timestamp,
}

impl Db {
    /// Makes an API key.
    pub async fn create_api_key(&self, new: NewApiKey<'_>, now: Timestamp) -> Result<ApiKey> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query_as(
                "INSERT INTO api_keys
                 (id, org_id, user_id, hash, prefix, name, is_active, created_at, expires_at, usage_count)
                 VALUES ($1, $2, $3, $4, $5, $6, TRUE, $7, $8, 0)
                 RETURNING id, org_id, user_id, prefix, name, is_active, created_at, expires_at, last_used_at,
                 usage_count",
            )
            .bind(new_id(now))
            .bind(new.org_id)
            .bind(new.user_id)
            .bind(new.hash)
            .bind(new.prefix)
            .bind(storable(new.name))
            .bind(now)
            .bind(new.expires_at)
            .fetch_one(pool)
            .await?
        }))
    }

    /// The key whose secret has that hash, with who it acts as.
    pub async fn api_key_by_hash(&self, hash: &[u8]) -> Result<Option<ApiKeyUser>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT api_keys.id, api_keys.org_id, api_keys.user_id, prefix, api_keys.name, is_active,
                 api_keys.created_at, expires_at, last_used_at, usage_count, ",
                acting_columns!("api_keys"),
                "WHERE hash = $1"
            ))
            .bind(hash)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// The key with that id.
    pub async fn api_key(&self, org_id: Uuid, id: Uuid) -> Result<Option<ApiKey>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, user_id, prefix, name, is_active, created_at, expires_at, last_used_at,
                 usage_count FROM api_keys WHERE org_id = $1 AND id = $2",
            )
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// The keys of an organisation, of all users or of one, newest first.
    pub async fn api_keys(&self, org_id: Uuid, user_id: Option<Uuid>) -> Result<Vec<ApiKey>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, user_id, prefix, name, is_active, created_at, expires_at, last_used_at,
                 usage_count FROM api_keys WHERE org_id = $1 AND user_id = COALESCE($2, user_id) ORDER BY id DESC",
            )
            .bind(org_id)
            .bind(user_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Revokes a key, again and again; false when there is none.
    pub async fn revoke_api_key(&self, org_id: Uuid, id: Uuid) -> Result<bool> {
        let revoked = on!(self.writer(), |pool| {
            sqlx::query("UPDATE api_keys SET is_active = FALSE WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(revoked == 1)
    }

    /// Adds up the use of many keys, all or none.
    pub async fn add_api_key_uses(&self, uses: &[ApiKeyUse]) -> Result<()> {
        let mut tx = self.write().await?;
        on!(tx.connection(), |c| {
            for used in uses {
                sqlx::query(
                    "UPDATE api_keys SET usage_count = usage_count + $2,
                     last_used_at = CASE WHEN last_used_at > $3 THEN last_used_at ELSE $3 END WHERE id = $1",
                )
                .bind(used.key_id)
                .bind(used.count)
                .bind(used.last_used_at)
                .execute(&mut *c)
                .await?;
            }
        });
        tx.commit().await
    }
}
