//! Refresh tokens: rotation on every use, and detection of reuse.

use std::time::Duration;

use uuid::Uuid;

use crate::db::Tx;
use crate::{Actor, Db, Result, Session, SessionUser, Timestamp};

/// A presented refresh token and its successor.
#[derive(Clone, Copy, Debug)]
pub struct Refresh<'a> {
    /// Hash of the presented token.
    pub presented: &'a [u8],
    /// Hash of the token that replaces it.
    pub next: &'a [u8],
    /// Expiry of the next token.
    pub expires_at: Timestamp,
    /// Time without a request after which a session is over.
    pub idle_timeout: Duration,
    /// Time after the first use within which a second use is refused without ending the session.
    pub reuse_grace: Duration,
}

/// Outcome of a refresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refreshed {
    /// The session continues with the next token.
    Rotated(Session),
    /// The token was used before: its session has ended, now or earlier.
    Reused(Uuid),
    /// The token was used a moment ago: the session continues, this request is refused.
    ReusedInGrace,
    /// The session has expired.
    Expired,
    /// The session was idle for too long.
    Idle,
    /// The session was ended.
    Ended,
    /// The token is unknown.
    Unknown,
}

impl Refreshed {
    /// The reason why a session's current token could not be rotated.
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
    /// Rotates a token in one statement: of concurrent uses, one succeeds.
    async fn rotate_refresh_token(
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

    async fn insert_used_refresh_token(
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
    /// Ends the session of a token that was used before, unless within the grace period. Returns `None` for an unknown
    /// token.
    async fn handle_reuse(&mut self, refresh: &Refresh<'_>, now: Timestamp) -> Result<Option<Refreshed>> {
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
    /// Replaces a refresh token by the next one. Of concurrent uses exactly one succeeds; a later use ends the
    /// session. Idle time is based on [`Db::record_session_activity`]: flush before.
    ///
    /// A later use is recorded in the audit trail in the same transaction; `actor` names the user of the session.
    pub async fn refresh_session(
        &self,
        refresh: Refresh<'_>,
        actor: impl FnOnce(&SessionUser) -> Actor + Send,
        now: Timestamp,
    ) -> Result<Refreshed> {
        let mut tx = self.write().await?;
        let outcome = if let Some(session) = tx.rotate_refresh_token(&refresh, now).await? {
            tx.insert_used_refresh_token(refresh.presented, session.id, now).await?;
            Some(Refreshed::Rotated(session))
        } else {
            tx.handle_reuse(&refresh, now).await?
        };
        if let Some(Refreshed::Reused(id)) = outcome
            && let Some(reused) = tx.session(id).await?
        {
            let (actor, details) = (actor(&reused), format!(r#"{{"session_id":"{id}"}}"#));
            tx.audit(&actor, "SESSIONS:TOKEN_REUSED", &reused.principal.username, &details, now).await?;
        }
        tx.commit().await?;
        if let Some(outcome) = outcome {
            return Ok(outcome);
        }
        let session = self.session_of_refresh_token(refresh.presented).await?;
        Ok(session.map_or(Refreshed::Unknown, |session| Refreshed::refused(&session, now)))
    }
}
