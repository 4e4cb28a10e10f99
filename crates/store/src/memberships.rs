//! Who belongs to which organisation, and as what.

use uuid::Uuid;

use crate::users::insert_membership;
use crate::{Db, Result, Timestamp};

/// A member of an organisation.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Member {
    /// The user.
    pub user_id: Uuid,
    /// Their name.
    pub username: String,
    /// Their role here: a built-in one or one of the organisation's own.
    pub role: String,
    /// When they joined.
    pub created_at: Timestamp,
}

impl Db {
    /// Makes an existing user a member; false when they are one already.
    pub async fn add_member(&self, org_id: Uuid, user_id: Uuid, role: &str, now: Timestamp) -> Result<bool> {
        Ok(on_writer!(self, |pool| insert_membership!(pool, org_id, user_id, role, now)))
    }

    /// The role of a user in an organisation; `None` when they do not belong to it.
    pub async fn role_of_member(&self, org_id: Uuid, user_id: Uuid) -> Result<Option<String>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_scalar("SELECT role FROM memberships WHERE org_id = $1 AND user_id = $2")
                .bind(org_id)
                .bind(user_id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// The members of an organisation, by name.
    pub async fn members(&self, org_id: Uuid) -> Result<Vec<Member>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_as(
                "SELECT user_id, username, role, memberships.created_at FROM memberships
                 JOIN users ON users.id = user_id WHERE org_id = $1 ORDER BY username_key",
            )
            .bind(org_id)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Changes a member's role; false when they do not belong to the organisation.
    pub async fn set_role_of_member(&self, org_id: Uuid, user_id: Uuid, role: &str) -> Result<bool> {
        let result = on_writer!(self, |pool| {
            sqlx::query("UPDATE memberships SET role = $3 WHERE org_id = $1 AND user_id = $2")
                .bind(org_id)
                .bind(user_id)
                .bind(role)
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(result == 1)
    }

    /// Ends a membership, with the memberships in the organisation's projects and the sessions there;
    /// false when there was none.
    pub async fn remove_member(&self, org_id: Uuid, user_id: Uuid, now: Timestamp) -> Result<bool> {
        Ok(in_transaction!(self, |tx| {
            sqlx::query(
                "DELETE FROM project_members WHERE user_id = $2
                 AND project_id IN (SELECT id FROM projects WHERE org_id = $1)",
            )
            .bind(org_id)
            .bind(user_id)
            .execute(&mut *tx)
            .await?;
            sqlx::query(
                "UPDATE sessions SET ended_at = $3 WHERE user_id = $2 AND org_id = $1 AND ended_at IS NULL",
            )
            .bind(org_id)
            .bind(user_id)
            .bind(now)
            .execute(&mut *tx)
            .await?;
            sqlx::query("DELETE FROM memberships WHERE org_id = $1 AND user_id = $2")
                .bind(org_id)
                .bind(user_id)
                .execute(&mut *tx)
                .await?
                .rows_affected()
                == 1
        }))
    }
}
