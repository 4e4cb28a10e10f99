//! Refresh tokens serve once: rotation, and the theft that a second use betrays.

use std::time::Duration;

use uuid::Uuid;

use crate::tx::Tx;
use crate::{Db, Result, Session, Timestamp};

/// A refresh token that is presented, and its successor.
#[derive(Clone, Copy, Debug)]
pub struct Refresh<'a> {
    /// The hash of the presented token.
    pub presented: &'a [u8],
    /// The hash of the token that replaces it.
    pub next: &'a [u8],
    /// When the next token ends.
    pub expires_at: Timestamp,
    /// A session without a request for longer than this is over.
    pub idle_timeout: Duration,
    /// A second use within this time of the first is refused without ending the session.
    pub reuse_grace: Duration,
}

/// What became of a refresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// The session goes on with the next token.
    Rotated(Session),
    /// The token was used before: its session has ended, now or earlier.
    Reused(Uuid),
    /// It was used before, but a moment ago: the session goes on, this request does not.
    ReusedInGrace,
    /// The session's time is over.
    Expired,
    /// The session was idle for too long.
    Idle,
    /// The session was ended before.
    Ended,
    /// No such token was ever given.
    Unknown,
}

impl Refreshed {
    /// Why a token that is a session's current one could not be rotated.
    fn refused(session: &Session, now: Timestamp) -> Self {
        if session.ended_at.is_some() {
            Self::Ended
        } else if session.expires_at <= now {
            Self::Expired
        } else {
            Self::Idle
        }
    }
}

impl Tx {
    /// The atomic step: of several that present one token, the database lets one through.
    pub(crate) async fn rotate_refresh_token(
        &mut self,
        refresh: &Refresh<'_>,
        now: Timestamp,
    ) -> Result<Option<Session>> {
        Ok(on!(self.connection(), |c| {
            sqlx::query_as::<_, Session>(
                "UPDATE sessions SET refresh_hash = $2, last_active_at = $3, expires_at = $4
                 WHERE refresh_hash = $1 AND ended_at IS NULL AND expires_at > $3 AND last_active_at >= $5
                 RETURNING id, user_id, org_id, created_at, last_active_at, expires_at, ended_at",
            )
            .bind(refresh.presented)
            .bind(refresh.next)
            .bind(now)
            .bind(refresh.expires_at)
            .bind(now - refresh.idle_timeout)
            .fetch_optional(c)
            .await?
        }))
    }

    pub(crate) async fn insert_used_refresh_token(
        &mut self,
        hash: &[u8],
        session_id: Uuid,
        now: Timestamp,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query("INSERT INTO used_refresh_tokens (hash, session_id, used_at) VALUES ($1, $2, $3)")
                .bind(hash)
                .bind(session_id)
                .bind(now)
                .execute(c)
                .await?;
        });
        Ok(())
    }
}

impl Tx {
    /// Ends the session of a token that was used before, unless that was within the grace; `None` for an unused one.
    async fn answer_reuse(&mut self, refresh: &Refresh<'_>, now: Timestamp) -> Result<Option<Refreshed>> {
        let used: Option<(Uuid, Timestamp)> = on!(self.connection(), |c| {
            sqlx::query_as("SELECT session_id, used_at FROM used_refresh_tokens WHERE hash = $1")
                .bind(refresh.presented)
                .fetch_optional(c)
                .await?
        });
        let Some((id, at)) = used else { return Ok(None) };
        if now.since(at) < refresh.reuse_grace {
            return Ok(Some(Refreshed::ReusedInGrace));
        }
        on!(self.connection(), |c| {
            sqlx::query("UPDATE sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL")
                .bind(id)
                .bind(now)
                .execute(c)
                .await?;
        });
        Ok(Some(Refreshed::Reused(id)))
    }
}

impl Db {
    /// Replaces a refresh token by the next one. Of several uses of one token exactly one wins; a later use ends
    /// the session. Idle time is judged by what [`Db::touch_sessions`] wrote: flush before.
    pub async fn refresh_session(&self, refresh: Refresh<'_>, now: Timestamp) -> Result<Refreshed> {
        let mut tx = self.write().await?;
        let settled = if let Some(session) = tx.rotate_refresh_token(&refresh, now).await? {
            tx.insert_used_refresh_token(refresh.presented, session.id, now).await?;
            Some(Refreshed::Rotated(session))
        } else {
            tx.answer_reuse(&refresh, now).await?
        };
        tx.commit().await?;
        if let Some(settled) = settled {
            return Ok(settled);
        }
        let session = self.session_of_refresh_token(refresh.presented).await?;
        Ok(session.map_or(Refreshed::Unknown, |session| Refreshed::refused(&session, now)))
    }
}
