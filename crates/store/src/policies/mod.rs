//! Policies and their versions.

mod versions;

use uuid::Uuid;

use crate::connectors::UsedBy;
use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Changed, Created, Db, Deleted, Result, Timestamp, new_id};

pub use versions::PolicyVersion;

/// Policies as users of connectors.
const CONNECTORS: UsedBy = UsedBy {
    delete: "DELETE FROM policy_connectors WHERE policy_id = $1",
    insert: "INSERT INTO policy_connectors (policy_id, connector_id)
             VALUES ($1, COALESCE((SELECT id FROM connectors WHERE org_id = $2 AND id = $3), $4))
             ON CONFLICT (policy_id, connector_id) DO NOTHING",
};

/// A policy in its current version.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Policy {
    /// Identifier.
    pub id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Name, unique in the organization when trimmed and case-folded.
    pub name: String,
    /// Version: 1 at first, incremented by every change.
    pub version: i64,
    /// Policy document, as JSON.
    pub content: String,
    /// Creation time.
    pub created_at: Timestamp,
    /// Time of the last change.
    pub updated_at: Timestamp,
}

/// Fields of a policy to write.
#[derive(Clone, Copy, Debug)]
pub struct PolicyFields<'a> {
    /// Name.
    pub name: &'a str,
    /// Policy document, as JSON.
    pub content: &'a str,
    /// Username of its author.
    pub by: &'a str,
    /// Connectors of the organization that its tickets use.
    pub connectors: &'a [Uuid],
}

impl Tx {
    /// Deletes a policy and its versions. Returns `InUse` with the names of the projects that use it.
    pub async fn delete_policy(&mut self, org_id: Uuid, id: Uuid) -> Result<Deleted> {
        // PostgreSQL refuses every statement after a failed one, up to the last savepoint.
        self.execute("SAVEPOINT before_deletion").await?;
        let deleted = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM policies WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .execute(c)
                .await
                .map(|deleted| deleted.rows_affected())
        });
        match deleted {
            Ok(1) => Ok(Deleted::Done),
            Ok(_) => Ok(Deleted::Missing),
            Err(sqlx::Error::Database(error)) if error.is_foreign_key_violation() => {
                self.execute("ROLLBACK TO SAVEPOINT before_deletion").await?;
                Ok(Deleted::InUse(self.projects_using_policy(org_id, id).await?))
            }
            Err(error) => Err(error.into()),
        }
    }

    async fn projects_using_policy(&mut self, org_id: Uuid, policy_id: Uuid) -> Result<Vec<String>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar(
                "SELECT name FROM projects WHERE org_id = $1 AND (policy_id = $2 OR shadow_policy_id = $2)
                 ORDER BY name_key",
            )
            .bind(org_id)
            .bind(policy_id)
            .fetch_all(c)
            .await?
        }))
    }

    /// Writes the next version over the one that was read. Returns `Stale` when a newer version exists.
    pub async fn update_policy(
        &mut self,
        read: &Policy,
        fields: PolicyFields<'_>,
        now: Timestamp,
    ) -> Result<Changed<Policy>> {
        let changed = self.overwrite_policy(read, fields, now).await?;
        if let Changed::Done(policy) = &changed {
            self.insert_policy_version(policy, fields.by).await?;
            self.replace_connectors(&CONNECTORS, (policy.org_id, policy.id), fields.connectors).await?;
        }
        if changed == Changed::Missing && self.has_policy(read.org_id, read.id).await? {
            return Ok(Changed::Stale);
        }
        Ok(changed)
    }

    /// Writes a version of a policy in which its document has the policy's own name, after the policy was renamed.
    pub(crate) async fn rename_policy_document(
        &mut self,
        org_id: Uuid,
        id: Uuid,
        name: &str,
        now: Timestamp,
    ) -> Result<()> {
        let (content, version): (String, i64) = on!(self.connection(), |c| {
            sqlx::query_as("SELECT content, version FROM policies WHERE org_id = $1 AND id = $2")
                .bind(org_id)
                .bind(id)
                .fetch_one(c)
                .await?
        });
        let content = with_name(content, name);
        let (name, updated_at) = (name.to_owned(), now);
        let policy = Policy { id, org_id, name, version: version + 1, content, created_at: now, updated_at };
        on!(self.connection(), |c| {
            sqlx::query("UPDATE policies SET content = $2, version = $3, updated_at = $4 WHERE id = $1")
                .bind(id)
                .bind(&policy.content)
                .bind(policy.version)
                .bind(now)
                .execute(c)
                .await?;
        });
        self.insert_policy_version(&policy, "upgrade").await
    }

    async fn has_policy(&mut self, org_id: Uuid, id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM policies WHERE org_id = $1 AND id = $2)")
                .bind(org_id)
                .bind(id)
                .fetch_one(c)
                .await?
        }))
    }

    /// Creates a policy in version 1.
    pub async fn create_policy(
        &mut self,
        org_id: Uuid,
        fields: PolicyFields<'_>,
        now: Timestamp,
    ) -> Result<Created<Policy>> {
        let policy = Policy {
            id: new_id(now),
            org_id,
            name: storable(fields.name.trim()).into_owned(),
            version: 1,
            content: fields.content.to_owned(),
            created_at: now,
            updated_at: now,
        };
        let inserted = self.insert_policy(&policy).await?;
        if inserted {
            self.insert_policy_version(&policy, fields.by).await?;
            self.replace_connectors(&CONNECTORS, (policy.org_id, policy.id), fields.connectors).await?;
        }
        Ok(Created::when(inserted, policy))
    }

    async fn insert_policy(&mut self, policy: &Policy) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO policies (id, org_id, name, name_key, version, content, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (org_id, name_key) DO NOTHING",
            )
            .bind(policy.id)
            .bind(policy.org_id)
            .bind(&policy.name)
            .bind(name_key(&policy.name))
            .bind(policy.version)
            .bind(&policy.content)
            .bind(policy.created_at)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }

    async fn overwrite_policy(
        &mut self,
        policy: &Policy,
        fields: PolicyFields<'_>,
        now: Timestamp,
    ) -> Result<Changed<Policy>> {
        Changed::from_update(on!(self.connection(), |c| {
            sqlx::query_as::<_, Policy>(
                "UPDATE policies SET name = $4, name_key = $5, content = $6, updated_at = $7, version = version + 1
                 WHERE org_id = $1 AND id = $2 AND version = $3
                 RETURNING id, org_id, name, version, content, created_at, updated_at",
            )
            .bind(policy.org_id)
            .bind(policy.id)
            .bind(policy.version)
            .bind(storable(fields.name.trim()))
            .bind(name_key(fields.name))
            .bind(fields.content)
            .bind(now)
            .fetch_optional(c)
            .await
        }))
    }
}

/// Returns a policy document under another name. What is not a document stays as it is.
fn with_name(content: String, name: &str) -> String {
    match serde_json::from_str::<serde_json::Value>(&content) {
        Ok(serde_json::Value::Object(mut document)) => {
            document.insert("policyName".to_owned(), name.into());
            serde_json::Value::Object(document).to_string()
        }
        _ => content,
    }
}

impl Db {
    /// Returns the current version of a policy.
    pub async fn policy(&self, org_id: Uuid, id: Uuid) -> Result<Option<Policy>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, version, content, created_at, updated_at FROM policies
                 WHERE org_id = $1 AND id = $2",
            )
            .bind(org_id)
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's policies by name.
    pub async fn policies(&self, org_id: Uuid) -> Result<Vec<Policy>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, org_id, name, version, content, created_at, updated_at FROM policies
                 WHERE org_id = $1 ORDER BY name_key",
            )
            .bind(org_id)
            .fetch_all(pool)
            .await?
        }))
    }
}
