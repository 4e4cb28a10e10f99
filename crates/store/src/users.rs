//! Users: one name and one password over all organisations.

use uuid::Uuid;

use crate::name::{key, storable};
use crate::orgs::insert_org;
use crate::{Created, Db, Org, Result, Timestamp, new_id};

/// A user.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct User {
    /// Their id.
    pub id: Uuid,
    /// Their name, unique when trimmed and case-folded.
    pub username: String,
    /// The password as its hash (PHC string).
    pub password_hash: String,
    /// When they were made.
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

/// False when the name is taken.
macro_rules! insert_user {
    ($tx:expr, $user:expr) => {
        sqlx::query(
            "INSERT INTO users (id, username, username_key, password_hash, created_at)
             VALUES ($1, $2, $3, $4, $5) ON CONFLICT (username_key) DO NOTHING",
        )
        .bind($user.id)
        .bind(&$user.username)
        .bind(key(&$user.username))
        .bind(&$user.password_hash)
        .bind($user.created_at)
        .execute(&mut *$tx)
        .await?
        .rows_affected()
            == 1
    };
}

/// False when they are a member already.
macro_rules! insert_membership {
    ($executor:expr, $org_id:expr, $user_id:expr, $role:expr, $now:expr) => {
        sqlx::query(
            "INSERT INTO memberships (org_id, user_id, role, created_at) VALUES ($1, $2, $3, $4)
             ON CONFLICT (org_id, user_id) DO NOTHING",
        )
        .bind($org_id)
        .bind($user_id)
        .bind($role)
        .bind($now)
        .execute($executor)
        .await?
        .rows_affected()
            == 1
    };
}
pub(crate) use insert_membership;

/// A user to be made as a member of an existing organisation.
#[derive(Clone, Copy, Debug)]
pub struct NewUser<'a> {
    /// The name, not yet trimmed.
    pub username: &'a str,
    /// The password as its hash (PHC string).
    pub password_hash: &'a str,
    /// The organisation.
    pub org_id: Uuid,
    /// The role there.
    pub role: &'a str,
}

impl Db {
    /// Makes the first organisation and its owner, in an empty database only; `None` when anybody is there already.
    pub async fn bootstrap(
        &self,
        org_name: &str,
        credits: i64,
        owner: (&str, &str),
        now: Timestamp,
    ) -> Result<Option<(Org, User)>> {
        let (org, user) = (Org::new(org_name, credits, now), User::new(owner.0, owner.1, now));
        let made = in_transaction!(self, |tx| {
            let empty: bool =
                sqlx::query_scalar("SELECT NOT EXISTS (SELECT 1 FROM users)").fetch_one(&mut *tx).await?;
            empty
                && insert_org!(tx, org)
                && insert_user!(tx, user)
                && insert_membership!(&mut *tx, org.id, user.id, "owner", now)
        });
        Ok(made.then_some((org, user)))
    }

    /// Makes a user as a member of an organisation.
    pub async fn create_user(&self, new: NewUser<'_>, now: Timestamp) -> Result<Created<User>> {
        let user = User::new(new.username, new.password_hash, now);
        let inserted = in_transaction!(self, |tx| {
            insert_user!(tx, user) && insert_membership!(&mut *tx, new.org_id, user.id, new.role, now)
        });
        Ok(Created::when(inserted, user))
    }

    /// The user of that name, however it is written.
    pub async fn user_named(&self, username: &str) -> Result<Option<User>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_as(
                "SELECT id, username, password_hash, created_at FROM users WHERE username_key = $1",
            )
            .bind(key(username))
            .fetch_optional(pool)
            .await?
        }))
    }

    /// The user with that id.
    pub async fn user(&self, id: Uuid) -> Result<Option<User>> {
        Ok(on_reader!(self, |pool| {
            sqlx::query_as("SELECT id, username, password_hash, created_at FROM users WHERE id = $1")
                .bind(id)
                .fetch_optional(pool)
                .await?
        }))
    }

    /// Changes a password and ends the user's sessions but one; answers the sessions that ended.
    pub async fn set_password_hash(
        &self,
        user_id: Uuid,
        password_hash: &str,
        kept_session: Option<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Uuid>> {
        Ok(in_transaction!(self, |tx| {
            sqlx::query("UPDATE users SET password_hash = $2 WHERE id = $1")
                .bind(user_id)
                .bind(password_hash)
                .execute(&mut *tx)
                .await?;
            // An interim token is a sign-in with the old password.
            sqlx::query("DELETE FROM pre_auth_tokens WHERE user_id = $1")
                .bind(user_id)
                .execute(&mut *tx)
                .await?;
            crate::sessions::end_sessions_but!(&mut *tx, user_id, kept_session, now)
        }))
    }
}
