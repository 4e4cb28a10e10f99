//! Members of projects.

use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, Page, Paged, Result};

impl Tx {
    /// Removes a user from a project. Returns false when they were not a member.
    pub async fn remove_project_member(&mut self, project_id: Uuid, user_id: Uuid) -> Result<bool> {
        let gone = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM project_members WHERE project_id = $1 AND user_id = $2")
                .bind(project_id)
                .bind(user_id)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(gone == 1)
    }

    /// Adds a user to a project. Returns false when they are a member already.
    pub async fn add_project_member(&mut self, project_id: Uuid, user_id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO project_members (project_id, user_id) VALUES ($1, $2)
                 ON CONFLICT (project_id, user_id) DO NOTHING",
            )
            .bind(project_id)
            .bind(user_id)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }
}

/// A member of a project.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ProjectMember {
    /// Project.
    pub project_id: Uuid,
    /// User.
    pub user_id: Uuid,
    /// Username.
    pub username: String,
}

/// A member of a project with their role.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ProjectMemberRole {
    /// User.
    pub user_id: Uuid,
    /// Username.
    pub username: String,
    /// Role in the organization.
    pub role: String,
}

impl Db {
    /// Returns whether a user was added to a project. Owners and admins belong to all projects without it.
    pub async fn is_project_member(&self, project_id: Uuid, user_id: Uuid) -> Result<bool> {
        let found: Option<i64> = on!(self.reader(), |pool| {
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

    /// Lists the members of all projects of an organization, by project and name.
    pub async fn project_members(&self, org_id: Uuid) -> Result<Vec<ProjectMember>> {
        Ok(on!(self.reader(), |pool| {
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

    /// Returns the names of a project's members in ascending order.
    pub async fn project_member_names(&self, project_id: Uuid) -> Result<Vec<String>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_scalar(
                "SELECT username FROM project_members JOIN users ON users.id = user_id
                 WHERE project_id = $1 ORDER BY username_key",
            )
            .bind(project_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Lists a project's members with their roles, newest users first.
    pub async fn members_of_project(
        &self,
        org_id: Uuid,
        project_id: Uuid,
        page: Page,
    ) -> Result<Paged<ProjectMemberRole>> {
        let rows = on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT users.id AS user_id, username, role FROM project_members
                 JOIN users ON users.id = project_members.user_id
                 JOIN memberships ON memberships.user_id = users.id AND memberships.org_id = $1
                 WHERE project_id = $2 AND users.id < $3 ORDER BY users.id DESC LIMIT $4",
            )
            .bind(org_id)
            .bind(project_id)
            .bind(page.upper_bound())
            .bind(page.limit_plus_one())
            .fetch_all(pool)
            .await?
        });
        Ok(page.finish(rows, |member: &ProjectMemberRole| member.user_id))
    }
}
