//! API keys, looked up by the hash of their secret.

use uuid::Uuid;

use super::principal::principal_columns;
use crate::db::Tx;
use crate::name::storable;
use crate::{Db, PrincipalRow, Result, Timestamp, new_id};

/// An API key.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ApiKey {
    /// Identifier.
    pub id: Uuid,
    /// Organization the key gives access to.
    pub org_id: Uuid,
    /// User the key acts as.
    pub user_id: Uuid,
    /// First characters of the secret.
    pub prefix: String,
    /// Name given by its creator.
    pub name: String,
    /// The only project that the key may use; `None` for every project of its user.
    pub project_id: Option<Uuid>,
    /// Permissions that the key keeps of its user's, as a JSON array of names; `None` for all.
    pub permissions: Option<String>,
    /// False once revoked.
    pub is_active: bool,
    /// Creation time.
    pub created_at: Timestamp,
    /// Expiry; `None` for a key that never expires.
    pub expires_at: Option<Timestamp>,
    /// Time of the last request. Written with a delay.
    pub last_used_at: Option<Timestamp>,
    /// Number of requests. Written with a delay.
    pub usage_count: i64,
}

/// An API key with the user it acts as.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ApiKeyUser {
    /// The key, whether active or not, expired or not.
    #[sqlx(flatten)]
    pub key: ApiKey,
    /// The user and role.
    #[sqlx(flatten)]
    pub principal: PrincipalRow,
}

/// An API key to create.
#[derive(Clone, Copy, Debug)]
pub struct NewApiKey<'a> {
    /// Organization the key gives access to.
    pub org_id: Uuid,
    /// User the key acts as.
    pub user_id: Uuid,
    /// Hash of the secret.
    pub hash: &'a [u8],
    /// First characters of the secret.
    pub prefix: &'a str,
    /// Name given by its creator.
    pub name: &'a str,
    /// The only project that the key may use.
    pub project_id: Option<Uuid>,
    /// Permissions that the key keeps, as a JSON array of names.
    pub permissions: Option<&'a str>,
    /// Expiry; `None` for a key that never expires.
    pub expires_at: Option<Timestamp>,
}

/// Requests with a key since the last write.
#[derive(Clone, Copy, Debug)]
pub struct ApiKeyUse {
    /// Key.
    pub key_id: Uuid,
    /// Number of requests.
    pub count: i64,
    /// Time of the last one.
    pub last_used_at: Timestamp,
}

impl Tx {
    /// Creates an API key.
    pub async fn create_api_key(&mut self, new: NewApiKey<'_>, now: Timestamp) -> Result<ApiKey> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(
                "INSERT INTO api_keys
                 (id, org_id, user_id, hash, prefix, name, is_active, created_at, expires_at, usage_count,
                  project_id, permissions)
                 VALUES ($1, $2, $3, $4, $5, $6, TRUE, $7, $8, 0, $9, $10)
                 RETURNING id, org_id, user_id, prefix, name, project_id, permissions, is_active, created_at,
                 expires_at, last_used_at, usage_count",
            )
            .bind(new_id(now))
            .bind(new.org_id)
            .bind(new.user_id)
            .bind(new.hash)
            .bind(new.prefix)
            .bind(storable(new.name))
            .bind(now)
            .bind(new.expires_at)
            .bind(new.project_id)
            .bind(new.permissions)
            .fetch_one(c)
            .await?
        }))
    }

    /// Revokes a key. Returns false when it does not exist; revoking twice is allowed.
    pub async fn revoke_api_key(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        let revoked = on!(self.connection(), |c| {
            sqlx::query("UPDATE api_keys SET is_active = FALSE WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(revoked == 1)
    }
}

impl Db {
    /// Returns the key with that secret hash and the user it acts as.
    pub async fn api_key_by_hash(&self, hash: &[u8]) -> Result<Option<ApiKeyUser>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT api_keys.id, api_keys.org_id, api_keys.user_id, prefix, api_keys.name, api_keys.project_id,
                 api_keys.permissions, is_active, api_keys.created_at, expires_at, last_used_at, usage_count, ",
                principal_columns!("api_keys"),
                "WHERE hash = $1"
            ))
            .bind(hash)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Returns the key with that identifier.
    pub async fn api_key(&self, org_id: Uuid, id: Uuid) -> Result<Option<ApiKey>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, user_id, prefix, name, project_id, permissions, is_active, created_at, expires_at,
                 last_used_at, usage_count FROM api_keys WHERE org_id = $1 AND id = $2",
            )
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's keys, of all users or of one, newest first.
    pub async fn api_keys(&self, org_id: Uuid, user_id: Option<Uuid>) -> Result<Vec<ApiKey>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, user_id, prefix, name, project_id, permissions, is_active, created_at, expires_at,
                 last_used_at, usage_count FROM api_keys WHERE org_id = $1 AND user_id = COALESCE($2, user_id) ORDER BY id DESC",
            )
            .bind(org_id)
            .bind(user_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Returns identifier, name and owner of the keys with these identifiers, revoked ones included, in no order.
    pub async fn api_key_names(&self, org_id: Uuid, ids: &[Uuid]) -> Result<Vec<(Uuid, String, String)>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new(
                "SELECT api_keys.id, name, username FROM api_keys JOIN users ON users.id = user_id WHERE org_id = ",
            );
            query.push_bind(org_id).push(" AND api_keys.id IN (NULL");
            for id in ids {
                query.push(", ").push_bind(*id);
            }
            query.push(")").build_query_as().persistent(false).fetch_all(pool).await?
        }))
    }

    /// Returns the names of the active keys that are bound to a project, oldest first.
    pub async fn keys_bound_to_project(
        &self,
        org_id: Uuid,
        project_id: Uuid,
        now: Timestamp,
    ) -> Result<Vec<String>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT name FROM api_keys WHERE org_id = $1 AND project_id = $2 AND is_active
                 AND (expires_at IS NULL OR expires_at > $3) ORDER BY id",
            )
            .bind(org_id)
            .bind(project_id)
            .bind(now)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Adds request counts to many keys in one transaction.
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
