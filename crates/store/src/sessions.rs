//! Sessions: one row a sign-in.

use uuid::Uuid;

use crate::acting::acting_columns;
use crate::tx::Tx;
use crate::{Acting, Db, Result, Timestamp, new_id};

/// A sign-in of a user to an organisation.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Session {
    /// Its id.
    pub id: Uuid,
    /// Who.
    pub user_id: Uuid,
    /// Where.
    pub org_id: Uuid,
    /// When it began.
    pub created_at: Timestamp,
    /// The last authenticated request, up to the delay with which these are written.
    pub last_active_at: Timestamp,
    /// When its refresh token ends.
    pub expires_at: Timestamp,
    /// When it was ended.
    pub ended_at: Option<Timestamp>,
}

/// A session to be started.
#[derive(Clone, Copy, Debug)]
pub struct NewSession<'a> {
    /// Who.
    pub user_id: Uuid,
    /// Where.
    pub org_id: Uuid,
    /// The hash of its first refresh token.
    pub refresh_hash: &'a [u8],
    /// When that token ends.
    pub expires_at: Timestamp,
}

/// A session with who it acts as.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct SessionUser {
    /// The session.
    #[sqlx(flatten)]
    pub session: Session,
    /// Who it acts as.
    #[sqlx(flatten)]
    pub acting: Acting,
}

impl Tx {
    /// Ends the sessions of a user but one, answers their ids.
    pub(crate) async fn end_sessions_of_user(
        &mut self,
        user_id: Uuid,
        kept: Option<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Uuid>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_scalar::<_, Uuid>(
            "UPDATE sessions SET ended_at = $3 WHERE user_id = $1 AND ended_at IS NULL AND id <> $2 RETURNING id",
        )
        .bind(user_id)
        .bind(kept.unwrap_or(Uuid::nil()))
        .bind(now)
        .fetch_all(c)
        .await?
        }))
    }
}

impl Db {
    /// Starts a session.
    pub async fn start_session(&self, new: NewSession<'_>, now: Timestamp) -> Result<Session> {
        Ok(on!(self.writer(), |pool| {
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
            .fetch_one(pool)
            .await?
        }))
    }

    /// A session with who it acts as, ended or not.
    pub async fn session(&self, id: Uuid) -> Result<Option<SessionUser>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(concat!(
                "SELECT sessions.id, sessions.user_id, sessions.org_id, sessions.created_at, last_active_at,
                 expires_at, ended_at, ",
                acting_columns!("sessions"),
                "WHERE sessions.id = $1"
            ))
            .bind(id)
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Notes the last request of many sessions; an earlier time than the one that stands changes nothing.
    pub async fn touch_sessions(&self, seen: &[(Uuid, Timestamp)]) -> Result<()> {
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

    /// Ends a session; false when it had ended or never was.
    pub async fn end_session(&self, id: Uuid, now: Timestamp) -> Result<bool> {
        let ended = on!(self.writer(), |pool| {
            sqlx::query("UPDATE sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL")
                .bind(id)
                .bind(now)
                .execute(pool)
                .await?
                .rows_affected()
        });
        Ok(ended == 1)
    }

    /// Ends a user's sessions but one; answers those that ended.
    pub async fn end_sessions_of_user(
        &self,
        user_id: Uuid,
        kept: Option<Uuid>,
        now: Timestamp,
    ) -> Result<Vec<Uuid>> {
        let mut tx = self.write().await?;
        let ended = tx.end_sessions_of_user(user_id, kept, now).await?;
        tx.commit().await?;
        Ok(ended)
    }

    /// The session a refresh token belongs to or belonged to, ended or not.
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

    /// Forgets sessions that nobody can use any more since before that time; answers how many.
    pub async fn forget_sessions_before(&self, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("DELETE FROM sessions WHERE expires_at < $1")
                .bind(time)
                .execute(pool)
                .await?
                .rows_affected()
        }))
    }
}
