//! Memberships of users in organizations. An organization always keeps an owner.

use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, MemberChanged, Page, Paged, Result, Timestamp};

/// Built-in role that every organization needs.
const OWNER: &str = "owner";

/// A member of an organization.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Member {
    /// User.
    pub user_id: Uuid,
    /// Username.
    pub username: String,
    /// Role: built-in or custom.
    pub role: String,
    /// Time of joining.
    pub created_at: Timestamp,
    /// Time of the last request with a session in the organization, as far as sessions are kept.
    pub last_active_at: Option<Timestamp>,
}

impl Tx {
    /// Changes a member's role.
    pub async fn set_role_of_member(
        &mut self,
        org_id: Uuid,
        user_id: Uuid,
        role: &str,
    ) -> Result<MemberChanged> {
        if self.lock_owners(org_id).await? == [user_id] && role != OWNER {
            return Ok(MemberChanged::LastOwner);
        }
        let changed = on!(self.connection(), |c| {
            sqlx::query("UPDATE memberships SET role = $3 WHERE org_id = $1 AND user_id = $2")
                .bind(org_id)
                .bind(user_id)
                .bind(role)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(MemberChanged::when(changed == 1))
    }

    /// Removes a member with their project memberships, sessions, API keys and open invitations in the organization.
    pub async fn remove_member(
        &mut self,
        org_id: Uuid,
        user_id: Uuid,
        now: Timestamp,
    ) -> Result<MemberChanged> {
        if self.lock_owners(org_id).await? == [user_id] {
            return Ok(MemberChanged::LastOwner);
        }
        self.end_member_access(org_id, user_id, now).await?;
        let removed = self.delete_membership(org_id, user_id).await?;
        self.release_name(user_id).await?;
        Ok(MemberChanged::when(removed))
    }

    /// Returns the owners and locks their memberships until the transaction ends, so that two who leave at once cannot
    /// both rely on the other. An update that changes nothing locks on both databases.
    async fn lock_owners(&mut self, org_id: Uuid) -> Result<Vec<Uuid>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, Uuid>(
                "UPDATE memberships SET role = role WHERE org_id = $1 AND role = $2 RETURNING user_id",
            )
            .bind(org_id)
            .bind(OWNER)
            .fetch_all(c)
            .await?
        }))
    }

    /// Removes what a member has in an organization: project memberships, sessions, API keys, open invitations.
    async fn end_member_access(&mut self, org_id: Uuid, user_id: Uuid, now: Timestamp) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "DELETE FROM project_members WHERE user_id = $2
                 AND project_id IN (SELECT id FROM projects WHERE org_id = $1)",
            )
            .bind(org_id)
            .bind(user_id)
            .execute(&mut *c)
            .await?;
            sqlx::query("UPDATE api_keys SET is_active = FALSE WHERE org_id = $1 AND user_id = $2")
                .bind(org_id)
                .bind(user_id)
                .execute(&mut *c)
                .await?;
        });
        self.revoke_invitations_of(org_id, user_id, now).await?;
        self.end_sessions_of_user(user_id, Some(org_id), None, now).await.map(drop)
    }

    /// Deletes a membership. Returns false when there was none.
    async fn delete_membership(&mut self, org_id: Uuid, user_id: Uuid) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query("DELETE FROM memberships WHERE org_id = $1 AND user_id = $2")
                .bind(org_id)
                .bind(user_id)
                .execute(c)
                .await?
                .rows_affected()
                == 1
        }))
    }

    /// Releases the name of a user without memberships: the key becomes the identifier after a blank, with which no
    /// compared name begins. The row stays for references to it.
    async fn release_name(&mut self, user_id: Uuid) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
                "UPDATE users SET username_key = $2 WHERE id = $1
                 AND NOT EXISTS (SELECT 1 FROM memberships WHERE user_id = $1)",
            )
            .bind(user_id)
            .bind(format!(" {user_id}"))
            .execute(c)
            .await?;
        });
        Ok(())
    }
}

impl Db {
    /// Returns a user's role in an organization; `None` when they do not belong to it.
    pub async fn role_of_member(&self, org_id: Uuid, user_id: Uuid) -> Result<Option<String>> {
        Ok(self.member(org_id, user_id).await?.map(|member| member.role))
    }

    /// Returns a member of an organization.
    pub async fn member(&self, org_id: Uuid, user_id: Uuid) -> Result<Option<Member>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT user_id, username, role, memberships.created_at,
                 (SELECT MAX(last_active_at) FROM sessions
                  WHERE sessions.user_id = users.id AND sessions.org_id = memberships.org_id) AS last_active_at
                 FROM memberships
                 JOIN users ON users.id = user_id WHERE org_id = $1 AND user_id = $2",
            )
            .bind(org_id)
            .bind(user_id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Lists an organization's members, newest users first.
    pub async fn members(&self, org_id: Uuid, page: Page) -> Result<Paged<Member>> {
        let rows: Vec<Member> = on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT user_id, username, role, memberships.created_at,
                 (SELECT MAX(last_active_at) FROM sessions
                  WHERE sessions.user_id = users.id AND sessions.org_id = memberships.org_id) AS last_active_at
                 FROM memberships
                 JOIN users ON users.id = user_id
                 WHERE org_id = $1 AND user_id < $2 ORDER BY user_id DESC LIMIT $3",
            )
            .bind(org_id)
            .bind(page.upper_bound())
            .bind(page.limit_plus_one())
            .fetch_all(pool)
            .await?
        });
        Ok(page.finish(rows, |member| member.user_id))
    }
}
