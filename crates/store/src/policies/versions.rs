//! Versions of policies.

use uuid::Uuid;

use super::Policy;
use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Result, Timestamp};

/// A version of a policy.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct PolicyVersion {
    /// Version number.
    pub version: i64,
    /// Name of the policy in that version.
    pub name: String,
    /// Policy document of that version, as JSON.
    pub content: String,
    /// Username of its author.
    pub created_by: String,
    /// Creation time.
    pub created_at: Timestamp,
}

impl Tx {
    pub(crate) async fn insert_policy_version(&mut self, policy: &Policy, by: &str) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO policy_versions (policy_id, version, name, content, created_by, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6)",
            )
            .bind(policy.id)
            .bind(policy.version)
            .bind(&policy.name)
            .bind(&policy.content)
            .bind(storable(by))
            .bind(policy.updated_at)
            .execute(c)
            .await?;
        });
        Ok(())
    }
}

impl Db {
    /// Returns one version of a policy.
    pub async fn policy_version(
        &self,
        org_id: Uuid,
        id: Uuid,
        version: i64,
    ) -> Result<Option<PolicyVersion>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT v.version, v.name, v.content, v.created_by, v.created_at
                 FROM policy_versions v JOIN policies ON policies.id = v.policy_id
                 WHERE policies.org_id = $1 AND policies.id = $2 AND v.version = $3",
            )
            .bind(org_id)
            .bind(id)
            .bind(version)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists up to `limit` versions of a policy before a version, newest first; empty for a policy that does not
    /// exist.
    pub async fn policy_versions(
        &self,
        org_id: Uuid,
        id: Uuid,
        limit: u16,
        before: Option<i64>,
    ) -> Result<Vec<PolicyVersion>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT v.version, v.name, v.content, v.created_by, v.created_at
                 FROM policy_versions v JOIN policies ON policies.id = v.policy_id
                 WHERE policies.org_id = $1 AND policies.id = $2 AND v.version < $3
                 ORDER BY v.version DESC LIMIT $4",
            )
            .bind(org_id)
            .bind(id)
            .bind(before.unwrap_or(i64::MAX))
            .bind(i64::from(limit))
            .fetch_all(pool)
            .await?
        }))
    }
}
