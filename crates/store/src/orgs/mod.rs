//! Organizations, with their credits, rate limits and sealed data keys.

mod credit_rollups;
mod credits;
mod data_keys;
mod limits;

use uuid::Uuid;

use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Changed, Created, Db, Result, Timestamp, new_id};

pub use credits::CreditEntry;

// Columns of an organization.
macro_rules! org_columns {
    () => {
        "id, name, credits, created_at, require_project, default_log_content"
    };
}

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
    /// True if guard requests must name a project.
    pub require_project: bool,
    /// Form in which log entries of new projects store texts; `None` for that of the service.
    pub default_log_content: Option<String>,
}

/// Fields to change; `None` keeps the value.
#[derive(Clone, Copy, Debug, Default)]
pub struct OrgChange<'a> {
    /// Name, unique when trimmed and case-folded.
    pub name: Option<&'a str>,
    /// True if guard requests must name a project.
    pub require_project: Option<bool>,
    /// Form in which log entries of new projects store texts; `Some(None)` for that of the service.
    pub default_log_content: Option<Option<&'a str>>,
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
        let name = storable(name.trim()).into_owned();
        Self {
            id: new_id(now),
            name,
            credits,
            created_at: now,
            require_project: false,
            default_log_content: None,
        }
    }
}

impl Tx {
    /// Creates an organization with a first balance and a ledger entry `initial`.
    pub async fn create_org(&mut self, name: &str, credits: i64, now: Timestamp) -> Result<Created<Org>> {
        let org = Org::new(name, credits, now);
        let inserted = self.insert_org(&org).await?;
        Ok(Created::when(inserted, org))
    }

    /// Changes the given fields of an organization.
    pub async fn update_org(&mut self, id: Uuid, change: OrgChange<'_>) -> Result<Changed<Org>> {
        Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as(concat!(
                "UPDATE orgs SET name = COALESCE($2, name), name_key = COALESCE($3, name_key),
                 require_project = COALESCE($4, require_project),
                 default_log_content = CASE WHEN $5 THEN $6 ELSE default_log_content END WHERE id = $1
                 RETURNING ",
                org_columns!()
            ))
            .bind(id)
            .bind(change.name.map(|name| storable(name.trim())))
            .bind(change.name.map(name_key))
            .bind(change.require_project)
            .bind(change.default_log_content.is_some())
            .bind(change.default_log_content.flatten())
            .fetch_optional(c)
            .await
        }))
    }

    /// Inserts an organization with the ledger entry of its first balance. Returns false when the name is taken.
    pub(crate) async fn insert_org(&mut self, org: &Org) -> Result<bool> {
        let inserted = on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO orgs (id, name, name_key, credits, entry_count, created_at) VALUES ($1, $2, $3, $4, 1, $5)
                 ON CONFLICT (name_key) DO NOTHING",
            )
            .bind(org.id)
            .bind(&org.name)
            .bind(name_key(&org.name))
            .bind(org.credits)
            .bind(org.created_at)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        });
        if inserted {
            self.insert_credit_entries(&[CreditEntry::opening(org)]).await?;
        }
        Ok(inserted)
    }
}

impl Db {
    /// Returns the organization with that identifier.
    pub async fn org(&self, id: Uuid) -> Result<Option<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!("SELECT ", org_columns!(), " FROM orgs WHERE id = $1"))
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Returns the organization with that name, ignoring case.
    pub async fn org_by_name(&self, name: &str) -> Result<Option<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!("SELECT ", org_columns!(), " FROM orgs WHERE name_key = $1"))
                .bind(name_key(name))
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Lists all organizations by name.
    pub async fn orgs(&self) -> Result<Vec<Org>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!("SELECT ", org_columns!(), " FROM orgs ORDER BY name_key"))
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
}
