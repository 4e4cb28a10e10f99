//! Who belongs to which organisation, and as what. An organisation always keeps an owner.

use uuid::Uuid;

use crate::users::insert_membership;
use crate::{Db, MemberChanged, Page, Paged, Result, Timestamp};

/// The built-in role that an organisation cannot be without.
const OWNER: &str = "owner";

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

/// The owners, their memberships locked until the transaction ends, so that two who leave at once cannot both count
/// on the other: an update that changes nothing locks on both databases.
macro_rules! lock_owners {
    ($tx:expr, $org_id:expr) => {
        sqlx::query_scalar::<_, Uuid>(
            "UPDATE memberships SET role = role WHERE org_id = $1 AND role = $2 RETURNING user_id",
        )
        .bind($org_id)
        .bind(OWNER)
        .fetch_all(&mut *$tx)
        .await?
    };
}

/// Ends what a member had in an organisation: places in projects, sessions, API keys.
macro_rules! end_belongings {
    ($tx:expr, $org_id:expr, $user_id:expr, $now:expr) => {{
        sqlx::query(
            "DELETE FROM project_members WHERE user_id = $2
             AND project_id IN (SELECT id FROM projects WHERE org_id = $1)",
        )
        .bind($org_id)
        .bind($user_id)
        .execute(&mut *$tx)
        .await?;
        sqlx::query(
            "UPDATE sessions SET ended_at = $3 WHERE user_id = $2 AND org_id = $1 AND ended_at IS NULL",
        )
        .bind($org_id)
        .bind($user_id)
        .bind($now)
        .execute(&mut *$tx)
        .await?;
        sqlx::query("UPDATE api_keys SET is_active = FALSE WHERE org_id = $1 AND user_id = $2")
            .bind($org_id)
            .bind($user_id)
            .execute(&mut *$tx)
            .await?;
    }};
}

/// False when there was none.
macro_rules! delete_membership {
    ($tx:expr, $org_id:expr, $user_id:expr) => {
        sqlx::query("DELETE FROM memberships WHERE org_id = $1 AND user_id = $2")
            .bind($org_id)
            .bind($user_id)
            .execute(&mut *$tx)
            .await?
            .rows_affected()
            == 1
    };
}

/// A user who belongs nowhere gives the name back: their id takes its place, behind a blank, which no name begins with
/// when names are compared. The row stays for what refers to it.
macro_rules! release_name {
    ($tx:expr, $user_id:expr) => {
        sqlx::query(
            "UPDATE users SET username_key = $2 WHERE id = $1
             AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = $1)",
        )
        .bind($user_id)
        .bind(format!(" {}", $user_id))
        .execute(&mut *$tx)
        .await?
    };
}

impl Db {
    /// Makes an existing user a member; false when they are one already.
    pub async fn add_member(&self, org_id: Uuid, user_id: Uuid, role: &str, now: Timestamp) -> Result<bool> {
        Ok(on_writer!(self, |pool| insert_membership!(pool, org_id, user_id, role, now)))
    }

    /// The role of a user in an organisation; `None` when they do not belong to it.
    pub async fn role_of_member(&self, org_id: Uuid, user_id: Uuid) -> Result<Option<String>> {
        Ok(self.member(org_id, user_id).await?.map(|member| member.role))
    }

    /// A member of an organisation.
    pub async fn member(&self, org_id: Uuid, user_id: Uuid) -> Result<Option<Member>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_as(
                "SELECT user_id, username, role, memberships.created_at FROM memberships
                 JOIN users ON users.id = user_id WHERE org_id = $1 AND user_id = $2",
            )
            .bind(org_id)
            .bind(user_id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// The members of an organisation, the newest users first.
    pub async fn members(&self, org_id: Uuid, page: Page) -> Result<Paged<Member>> {
        let rows: Vec<Member> = on_reader!(self, |pool| {
            sqlx::query_as(
                "SELECT user_id, username, role, memberships.created_at FROM memberships
                 JOIN users ON users.id = user_id
                 WHERE org_id = $1 AND user_id < $2 ORDER BY user_id DESC LIMIT $3",
            )
            .bind(org_id)
            .bind(page.before())
            .bind(page.reach())
            .fetch_all(pool)
            .await?
        });
        Ok(page.cut(rows, |member| member.user_id))
    }

    /// Changes a member's role.
    pub async fn set_role_of_member(&self, org_id: Uuid, user_id: Uuid, role: &str) -> Result<MemberChanged> {
        Ok(in_transaction!(self, |tx| {
            if lock_owners!(tx, org_id) == [user_id] && role != OWNER {
                MemberChanged::LastOwner
            } else {
                let changed =
                    sqlx::query("UPDATE memberships SET role = $3 WHERE org_id = $1 AND user_id = $2")
                        .bind(org_id)
                        .bind(user_id)
                        .bind(role)
                        .execute(&mut *tx)
                        .await?;
                MemberChanged::when(changed.rows_affected() == 1)
            }
        }))
    }

    /// Ends a membership and all that hangs on it: places in the organisation's projects, sessions and API keys there.
    pub async fn remove_member(&self, org_id: Uuid, user_id: Uuid, now: Timestamp) -> Result<MemberChanged> {
        Ok(in_transaction!(self, |tx| {
            if lock_owners!(tx, org_id) == [user_id] {
                MemberChanged::LastOwner
            } else {
                end_belongings!(tx, org_id, user_id, now);
                let removed = delete_membership!(tx, org_id, user_id);
                release_name!(tx, user_id);
                MemberChanged::when(removed)
            }
        }))
    }
}
