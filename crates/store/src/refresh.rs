//! Refresh tokens serve once: rotation, and the theft that a second use betrays.

use std::time::Duration;

use uuid::Uuid;

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

/// The atomic step: of several that present one token, the database lets one through.
macro_rules! rotate {
    ($tx:expr, $refresh:expr, $now:expr) => {
        sqlx::query_as::<_, Session>(
            "UPDATE sessions SET refresh_hash = $2, last_active_at = $3, expires_at = $4
             WHERE refresh_hash = $1 AND ended_at IS NULL AND expires_at > $3 AND last_active_at >= $5
             RETURNING id, user_id, org_id, created_at, last_active_at, expires_at, ended_at",
        )
        .bind($refresh.presented)
        .bind($refresh.next)
        .bind($now)
        .bind($refresh.expires_at)
        .bind($now - $refresh.idle_timeout)
        .fetch_optional(&mut *$tx)
        .await?
    };
}

macro_rules! remember_used {
    ($tx:expr, $hash:expr, $session_id:expr, $now:expr) => {
        sqlx::query("INSERT INTO used_refresh_tokens (hash, session_id, used_at) VALUES ($1, $2, $3)")
            .bind($hash)
            .bind($session_id)
            .bind($now)
            .execute(&mut *$tx)
            .await?
    };
}

/// Ends the session of a token that was used before, unless that was within the grace.
macro_rules! answer_reuse {
    ($tx:expr, $refresh:expr, $now:expr) => {{
        let used: Option<(Uuid, Timestamp)> =
            sqlx::query_as("SELECT session_id, used_at FROM used_refresh_tokens WHERE hash = $1")
                .bind($refresh.presented)
                .fetch_optional(&mut *$tx)
                .await?;
        match used {
            Some((_, at)) if $now.since(at) < $refresh.reuse_grace => Some(Refreshed::ReusedInGrace),
            Some((id, _)) => {
                sqlx::query("UPDATE sessions SET ended_at = $2 WHERE id = $1 AND ended_at IS NULL")
                    .bind(id)
                    .bind($now)
                    .execute(&mut *$tx)
                    .await?;
                Some(Refreshed::Reused(id))
            }
            None => None,
        }
    }};
}

impl Db {
    /// Replaces a refresh token by the next one. Of several uses of one token exactly one wins; a later use ends
    /// the session. Idle time is judged by what [`Db::touch_sessions`] wrote: flush before.
    pub async fn refresh_session(&self, refresh: Refresh<'_>, now: Timestamp) -> Result<Refreshed> {
        let settled = in_transaction!(self, |tx| {
            if let Some(session) = rotate!(tx, refresh, now) {
                remember_used!(tx, refresh.presented, session.id, now);
                Some(Refreshed::Rotated(session))
            } else {
                answer_reuse!(tx, refresh, now)
            }
        });
        if let Some(settled) = settled {
            return Ok(settled);
        }
        let session = self.session_of_refresh_token(refresh.presented).await?;
        Ok(session.map_or(Refreshed::Unknown, |session| Refreshed::refused(&session, now)))
    }
}
