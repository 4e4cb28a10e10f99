//! Sessions: one for every sign-in.

mod api_keys;
mod login_attempts;
mod pre_auth_tokens;
mod principal;
mod refresh_tokens;
mod signing_keys;

use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, Result, Timestamp, new_id};
use principal::principal_columns;

pub use api_keys::{ApiKey, ApiKeyUse, ApiKeyUser, NewApiKey};
pub use login_attempts::{LockoutRule, LoginAttempt};
pub use principal::PrincipalRow;
pub use refresh_tokens::{Refresh, Refreshed};
pub use signing_keys::SigningKey;

/// A user's session in an organization.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    /// Identifier.
    pub id: Uuid,
    /// User.
    pub user_id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Start of the session.
    pub created_at: Timestamp,
    /// Time of the last authenticated request. Written with a delay.
    pub last_active_at: Timestamp,
    /// Expiry of its refresh token.
    pub expires_at: Timestamp,
    /// End of the session.
    pub ended_at: Option<Timestamp>,
}

/// A session to start.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// User.
    pub user_id: Uuid,
    /// Organization.
    pub org_id: Uuid,
    /// Hash of its first refresh token.
    pub refresh_hash: &'a [u8],
    /// Expiry of that token.
    pub expires_at: Timestamp,
}

/// A session with the user it acts as.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct SessionUser {
    /// Session.
    #[sqlx(flatten)]
    pub session: Session,
    /// The user and role.
    #[sqlx(flatten)]
    pub principal: PrincipalRow,
}

/// Selects a [`SessionUser`].
const SESSION_BY_ID: &str = concat!(
    "SELECT sessions.id, sessions.user_id, sessions.org_id, sessions.created_at, last_active_at,
     expires_at, ended_at, ",
    principal_columns!("sessions"),
    "WHERE sessions.id = $1"
);

impl Tx {
    pub(super) async fn session(&mut self, id: Uuid) -> Result<Option<SessionUser>> {
        Ok(on!(self.connection(), |c| { sqlx::query_as(SESSION_BY_ID).bind(id).fetch_optional(c).await? }))
    }

    /// Starts a session.
    pub async fn start_session(&mut self, new: NewSession<'_>, now: Timestamp) -> Result<Session> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as(
                "INSERT INTO sessions (id, user_id, org_id, refresh_hash, created_at, last_active_at, expires_at)
                 VALUES ($1, $2, $3, $4, $5, $5, $6)
                 RETURNING id, user_id, org_id, created_at, last_active_at, expires_at, ended_at",
            )
            .bind(new_id(now))
            .bind(new.user_id)
            .bind(new.org_id)
            .bind(new.refresh_hash)
            .bind(now)
            .bind(new.expires_at)
            .fetch_one(c)
            .await?
        }))
    }

    /// Ends a session. Returns false when it had ended or does not exist.
    pub async fn end_session(&mut self, id: Uuid, now: Timestamp) -> Result<bool> {
        let ended = on!(self.connection(), |c| {
            sqlx::query("UPDATE sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL")
                .bind(id)
                .bind(now)
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(ended == 1)
    }

    /// Ends a user's sessions except one, in that organization or in all, and returns the ended ones.
    pub async fn end_sessions_of_user(
        &mut self,
        user_id: Uuid,
        org_id: Option<Uuid>,
        except: Option<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Uuid>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, Uuid>(
                "UPDATE sessions SET ended_at = $4 WHERE user_id = $1 AND org_id = COALESCE($2, org_id) AND id <> $3
                 AND ended_at IS NULL RETURNING id",
            )
            .bind(user_id)
            .bind(org_id)
            .bind(except.unwrap_or(Uuid::nil()))
            .bind(now)
            .fetch_all(c)
            .await?
        }))
    }
}

impl Db {
    /// Returns a session with the user it acts as, whether ended or not.
    pub async fn session(&self, id: Uuid) -> Result<Option<SessionUser>> {
        Ok(on!(self.reader(), |pool| { sqlx::query_as(SESSION_BY_ID).bind(id).fetch_optional(pool).await? }))
    }

    /// Returns the sessions of a user that are open and were active since then, the latest first.
    pub async fn open_sessions(
        &self,
        user_id: Uuid,
        active_since: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Session>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, user_id, org_id, created_at, last_active_at, expires_at, ended_at FROM sessions
                 WHERE user_id = $1 AND ended_at IS NULL AND last_active_at >= $2 AND expires_at > $3
                 ORDER BY last_active_at DESC, id DESC LIMIT 100",
            )
            .bind(user_id)
            .bind(active_since)
            .bind(now)
            .fetch_all(pool)
            .await?
        }))
    }

    /// Records the last request of many sessions. An earlier time than the stored one changes nothing.
    pub async fn record_session_activity(&self, seen: &[(Uuid, Timestamp)]) -> Result<()> {
        let mut tx = self.write().await?;
        on!(tx.connection(), |c| {
            for (id, at) in seen {
                sqlx::query("UPDATE sessions SET last_active_at = $2 WHERE id = $1 AND last_active_at < $2")
                    .bind(id)
                    .bind(at)
                    .execute(&mut *c)
                    .await?;
            }
        });
        tx.commit().await
    }

    /// Returns the session of a current or used refresh token, whether ended or not.
    pub async fn session_of_refresh_token(&self, hash: &[u8]) -> Result<Option<Session>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, user_id, org_id, created_at, last_active_at, expires_at, ended_at FROM sessions
                 WHERE refresh_hash = $1
                 OR id = (SELECT session_id FROM used_refresh_tokens WHERE hash = $1)",
            )
            .bind(hash)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Deletes sessions that expired before that time and returns how many.
    pub async fn delete_sessions_before(&self, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("DELETE FROM sessions WHERE expires_at < $1")
                .bind(time)
                .execute(pool)
                .await?
                .rows_affected()
        }))
    }
}
