//! Who was added to which project.

use uuid::Uuid;

use crate::{Db, Result};

/// False when they are a member already.
macro_rules! insert_project_member {
    ($executor:expr, $project_id:expr, $user_id:expr) => {
        sqlx::query(
            "INSERT INTO project_members (project_id, user_id) VALUES ($1, $2)
             ON CONFLICT (project_id, user_id) DO NOTHING",
        )
        .bind($project_id)
        .bind($user_id)
        .execute($executor)
        .await?
        .rows_affected()
            == 1
    };
}
pub(crate) use insert_project_member;

/// A member of a project.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ProjectMember {
    /// The project.
    pub project_id: Uuid,
    /// The user.
    pub user_id: Uuid,
    /// Their name.
    pub username: String,
}

impl Db {
    /// Adds a user to a project; false when they are in it already.
    pub async fn add_project_member(&self, project_id: Uuid, user_id: Uuid) -> Result<bool> {
        Ok(on_writer!(self, |pool| insert_project_member!(pool, project_id, user_id)))
    }

    /// Takes a user out of a project; false when they were not in it.
    pub async fn remove_project_member(&self, project_id: Uuid, user_id: Uuid) -> Result<bool> {
        let gone = on_writer!(self, |pool| {
            sqlx::query("DELETE FROM project_members WHERE project_id = $1 AND user_id = $2")
                .bind(project_id)
                .bind(user_id)
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(gone == 1)
    }

    /// Whether a user was added to a project. Owners and admins belong to all without it.
    pub async fn is_project_member(&self, project_id: Uuid, user_id: Uuid) -> Result<bool> {
        let found: Option<i64> = on_reader!(self, |pool| {
            sqlx::query_scalar(
                "SELECT CAST(1 AS BIGINT) FROM project_members WHERE project_id = $1 AND user_id = $2",
            )
            .bind(project_id)
            .bind(user_id)
            .fetch_optional(pool)
            .await?
        });
        Ok(found.is_some())
    }

    /// The members of every project of an organisation, by project and name.
    pub async fn project_members(&self, org_id: Uuid) -> Result<Vec<ProjectMember>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_as(
                "SELECT project_id, user_id, username FROM project_members
                 JOIN projects ON projects.id = project_id JOIN users ON users.id = user_id
                 WHERE org_id = $1 ORDER BY project_id, username_key",
            )
            .bind(org_id)
            .fetch_all(pool)
            .await?
        }))
    }
}
