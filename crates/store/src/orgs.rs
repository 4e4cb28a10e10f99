//! Organizations, their limits and their sealed data keys.

use uuid::Uuid;

use crate::name::{key, storable};
use crate::tx::Tx;
use crate::{Created, CreditEntry, Db, Result, Timestamp, new_id};

/// An organization.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Org {
    /// Identifier.
    pub id: Uuid,
    /// Name, unique when trimmed and case-folded.
    pub name: String,
    /// Balance in credits.
    pub credits: i64,
    /// Creation time.
    pub created_at: Timestamp,
}

/// An organization as seen by one of its members.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OrgOfUser {
    /// Identifier of the organization.
    pub org_id: Uuid,
    /// Name.
    pub name: String,
    /// Role of the member.
    pub role: String,
}

impl Org {
    pub(crate) fn new(name: &str, credits: i64, now: Timestamp) -> Self {
        Self { id: new_id(now), name: storable(name.trim()).into_owned(), credits, created_at: now }
    }
}

impl Tx {
    /// Inserts an organization with the ledger entry of its first balance. Returns false when the name is taken.
    pub(crate) async fn insert_org(&mut self, org: &Org) -> Result<bool> {
        let inserted = on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO orgs (id, name, name_key, credits, entry_count, created_at) VALUES ($1, $2, $3, $4, 1, $5)
                 ON CONFLICT (name_key) DO NOTHING",
            )
            .bind(org.id)
            .bind(&org.name)
            .bind(key(&org.name))
            .bind(org.credits)
            .bind(org.created_at)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        if inserted {
            self.insert_credit_entry(&CreditEntry::opening(org)).await?;
        }
        Ok(inserted)
    }
}

impl Db {
    /// Creates an organization with a first balance and a ledger entry `initial`.
    pub async fn create_org(&self, name: &str, credits: i64, now: Timestamp) -> Result<Created<Org>> {
        let org = Org::new(name, credits, now);
        let mut tx = self.write().await?;
        let inserted = tx.insert_org(&org).await?;
        tx.commit().await?;
        Ok(Created::when(inserted, org))
    }

    /// Returns the organization with that identifier.
    pub async fn org(&self, id: Uuid) -> Result<Option<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, name, credits, created_at FROM orgs WHERE id = $1")
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Returns the organization with that name, ignoring case.
    pub async fn org_named(&self, name: &str) -> Result<Option<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, name, credits, created_at FROM orgs WHERE name_key = $1")
                .bind(key(name))
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Lists all organizations by name.
    pub async fn orgs(&self) -> Result<Vec<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, name, credits, created_at FROM orgs ORDER BY name_key")
                .fetch_all(pool)
                .await?
        }))
    }

    /// Lists a user's organizations by name.
    pub async fn orgs_of_user(&self, user_id: Uuid) -> Result<Vec<OrgOfUser>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT org_id, name, role FROM memberships JOIN orgs ON orgs.id = org_id
                 WHERE user_id = $1 ORDER BY name_key",
            )
            .bind(user_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Returns the organization's own rate limits; `None` when the configured ones apply.
    pub async fn limits(&self, org_id: Uuid) -> Result<Option<String>> {
        let limits: Option<Option<String>> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT limits FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(limits.flatten())
    }

    /// Sets an organization's own rate limits, a JSON object, or removes them. Returns false when the organization
    /// does not exist.
    pub async fn set_limits(&self, org_id: Uuid, limits: Option<&str>) -> Result<bool> {
        let changed = on!(self.writer(), |pool| {
            sqlx::query("UPDATE orgs SET limits = $2 WHERE id = $1")
                .bind(org_id)
                .bind(limits)
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(changed == 1)
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
    pub async fn keep_sealed_data_key(&self, org_id: Uuid, sealed: &[u8]) -> Result<Option<Vec<u8>>> {
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
    pub async fn replace_sealed_data_key(&self, org_id: Uuid, old: &[u8], anew: &[u8]) -> Result<bool> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("UPDATE orgs SET sealed_data_key = $3 WHERE id = $1 AND sealed_data_key = $2")
                .bind(org_id)
                .bind(old)
                .bind(anew)
                .execute(pool)
                .await?
                .rows_affected()
                == 1
        }))
    }
}
