//! Organisations and their sealed data keys.

use uuid::Uuid;

use crate::name::{key, storable};
use crate::tx::Tx;
use crate::{Created, CreditEntry, Db, Result, Timestamp, new_id};

/// An organisation.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Org {
    /// Its id.
    pub id: Uuid,
    /// Its name, unique when trimmed and case-folded.
    pub name: String,
    /// Its balance.
    pub credits: i64,
    /// When it was made.
    pub created_at: Timestamp,
}

/// An organisation as one of its members sees it.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct OrgOfUser {
    /// The organisation's id.
    pub org_id: Uuid,
    /// Its name.
    pub name: String,
    /// The member's role.
    pub role: String,
}

impl Org {
    pub(crate) fn new(name: &str, credits: i64, now: Timestamp) -> Self {
        Self { id: new_id(now), name: storable(name.trim()).into_owned(), credits, created_at: now }
    }
}

impl Tx {
    /// Inserts an organisation with the ledger entry of its first balance; false when the name is taken.
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
    /// Makes an organisation with a first balance, which the ledger shows as `initial`.
    pub async fn create_org(&self, name: &str, credits: i64, now: Timestamp) -> Result<Created<Org>> {
        let org = Org::new(name, credits, now);
        let mut tx = self.write().await?;
        let inserted = tx.insert_org(&org).await?;
        tx.commit().await?;
        Ok(Created::when(inserted, org))
    }

    /// The organisation with that id.
    pub async fn org(&self, id: Uuid) -> Result<Option<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, name, credits, created_at FROM orgs WHERE id = $1")
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// The organisation with that name, however it is written.
    pub async fn org_named(&self, name: &str) -> Result<Option<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, name, credits, created_at FROM orgs WHERE name_key = $1")
                .bind(key(name))
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Every organisation, by name.
    pub async fn orgs(&self) -> Result<Vec<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, name, credits, created_at FROM orgs ORDER BY name_key")
                .fetch_all(pool)
                .await?
        }))
    }

    /// The organisations a user belongs to, by name.
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

    /// The organisation's own rate limits; `None` where the configuration's hold.
    pub async fn limits(&self, org_id: Uuid) -> Result<Option<String>> {
        let limits: Option<Option<String>> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT limits FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(limits.flatten())
    }

    /// Gives an organisation its own rate limits, a JSON object, or none; false without the organisation.
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

    /// The organisation's data key, sealed under the master key; `None` before the first.
    pub async fn sealed_data_key(&self, org_id: Uuid) -> Result<Option<Vec<u8>>> {
        let key: Option<Option<Vec<u8>>> = on!(self.reader(), |pool| {
            sqlx::query_scalar("SELECT sealed_data_key FROM orgs WHERE id = $1")
                .bind(org_id)
                .fetch_optional(pool)
                .await?
        });
        Ok(key.flatten())
    }

    /// Keeps a sealed data key unless there is one; answers the one that is kept, `None` without the organisation.
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

    /// The sealed data keys of all organisations that have one.
    pub async fn sealed_data_keys(&self) -> Result<Vec<(Uuid, Vec<u8>)>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, sealed_data_key FROM orgs WHERE sealed_data_key IS NOT NULL ORDER BY id",
            )
            .fetch_all(pool)
            .await?
        }))
    }

    /// Replaces a sealed data key by the same key sealed anew; false when it is not `old` any more.
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
