//! Users: one name and one password for all organizations.

mod invitations;
mod memberships;
mod roles;

use uuid::Uuid;

use crate::db::Tx;
use crate::name::{name_key, storable};
use crate::{Created, Db, Org, Result, Timestamp, new_id};

pub use invitations::{Acceptance, Invitation, Invitee, NewInvitation};
pub use memberships::Member;
pub use roles::Role;

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct User {
    /// Identifier.
    pub id: Uuid,
    /// Username, unique when trimmed and case-folded.
    pub username: String,
    /// Password hash (PHC string).
    pub password_hash: String,
    /// Creation time.
    pub created_at: Timestamp,
}

impl User {
    fn new(username: &str, password_hash: &str, now: Timestamp) -> Self {
        Self {
            id: new_id(now),
            username: storable(username.trim()).into_owned(),
            password_hash: password_hash.to_owned(),
            created_at: now,
        }
    }
}

impl Tx {
    /// Creates a user as a member of an organization.
    pub async fn create_user(&mut self, new: NewUser<'_>, now: Timestamp) -> Result<Created<User>> {
        let user = User::new(new.username, new.password_hash, now);
        let inserted =
            self.insert_user(&user).await? && self.add_member(new.org_id, user.id, new.role, now).await?;
        Ok(Created::when(inserted, user))
    }

    async fn is_without_users(&mut self) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar("SELECT NOT EXISTS (SELECT 1 FROM users)").fetch_one(c).await?
        }))
    }

    /// Changes a password and ends the user's sessions except one; returns the ended ones.
    pub async fn set_password_hash(
        &mut self,
        user_id: Uuid,
        password_hash: &str,
        kept_session: Option<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Uuid>> {
        on!(self.connection(), |c| {
            sqlx::query("UPDATE users SET password_hash = $2 WHERE id = $1")
                .bind(user_id)
                .bind(password_hash)
                .execute(&mut *c)
                .await?;
            // A pre-authentication token is a sign-in with the old password.
            sqlx::query("DELETE FROM pre_auth_tokens WHERE user_id = $1").bind(user_id).execute(c).await?;
        });
        self.end_sessions_of_user(user_id, None, kept_session, now).await
    }

    /// Inserts a user. Returns false when the name is taken.
    async fn insert_user(&mut self, user: &User) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO users (id, username, username_key, password_hash, created_at)
                 VALUES ($1, $2, $3, $4, $5) ON CONFLICT (username_key) DO NOTHING",
            )
            .bind(user.id)
            .bind(&user.username)
            .bind(name_key(&user.username))
            .bind(&user.password_hash)
            .bind(user.created_at)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }

    /// Adds an existing user as a member of an organization. Returns false when they are one already.
    pub async fn add_member(
        &mut self,
        org_id: Uuid,
        user_id: Uuid,
        role: &str,
        now: Timestamp,
    ) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "INSERT INTO memberships (org_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (org_id, user_id) DO NOTHING",
            )
            .bind(org_id)
            .bind(user_id)
            .bind(role)
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }
}

/// A user to create as a member of an existing organization.
#[derive(Clone, Copy, Debug)]
pub struct NewUser<'a> {
    /// Username, not yet trimmed.
    pub username: &'a str,
    /// Password hash (PHC string).
    pub password_hash: &'a str,
    /// Organization.
    pub org_id: Uuid,
    /// Role in the organization.
    pub role: &'a str,
}

impl Db {
    /// Creates the first organization and its owner in an empty database; `None` when a user exists.
    pub async fn bootstrap(
        &self,
        org_name: &str,
        credits: i64,
        owner: (&str, &str),
        now: Timestamp,
    ) -> Result<Option<(Org, User)>> {
        let (org, user) = (Org::new(org_name, credits, now), User::new(owner.0, owner.1, now));
        let mut tx = self.write().await?;
        let made = tx.is_without_users().await?
            && tx.insert_org(&org).await?
            && tx.insert_user(&user).await?
            && tx.add_member(org.id, user.id, "owner", now).await?;
        tx.commit().await?;
        Ok(made.then_some((org, user)))
    }

    /// Returns the user with that name, ignoring case.
    pub async fn user_by_name(&self, username: &str) -> Result<Option<User>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, username, password_hash, created_at FROM users WHERE username_key = $1",
            )
            .bind(name_key(username))
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Returns the user with that identifier.
    pub async fn user(&self, id: Uuid) -> Result<Option<User>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as("SELECT id, username, password_hash, created_at FROM users WHERE id = $1")
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }
}
