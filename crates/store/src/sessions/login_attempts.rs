//! Sign-in attempts, counted before the password check, so that parallel guesses count too.

use std::time::Duration;

use crate::db::Tx;
use crate::name::name_key;
use crate::{Db, Result, Timestamp};

/// Limits on sign-in attempts.
#[derive(Clone, Copy, Debug)]
pub struct LockoutRule {
    /// Attempts per window that may reach the password check.
    pub attempts: u32,
    /// Window in which attempts are counted, from the first one.
    pub window: Duration,
    /// Duration of the lock, from the attempt that reaches the limit.
    pub duration: Duration,
}

/// Outcome of a sign-in attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LoginAttempt {
    /// The password may be checked. Call [`Db::reset_login_attempts`] when it is correct.
    Allowed,
    /// The name is locked until that time.
    LockedUntil(Timestamp),
}

impl Tx {
    /// Resets the attempts for a name, after a sign-in or when an operator unlocks it. Returns false when there were
    /// none.
    pub async fn reset_login_attempts(&mut self, username: &str) -> Result<bool> {
        let deleted = on!(self.connection(), |c| {
            sqlx::query("DELETE FROM login_attempts WHERE username_key = $1")
                .bind(name_key(username))
                .execute(c)
                .await?
                .rows_affected()
        });
        Ok(deleted == 1)
    }
}

impl Db {
    /// Counts an attempt for a name, existing or not, in one statement. The attempt that reaches the limit locks the
    /// name; attempts while locked change nothing.
    pub async fn record_login_attempt(
        &self,
        username: &str,
        rule: LockoutRule,
        now: Timestamp,
    ) -> Result<LoginAttempt> {
        let (attempts, locked_until): (i64, Timestamp) = on!(self.writer(), |pool| {
            sqlx::query_as(
                "INSERT INTO login_attempts (username_key, attempts, window_ends_at, locked_until)
                 VALUES ($1, 1, $3, CASE WHEN $5 <= 1 THEN $4 ELSE 0 END)
                 ON CONFLICT (username_key) DO UPDATE SET
                 attempts = CASE WHEN login_attempts.locked_until > $2 THEN $5 + 1
                   WHEN login_attempts.locked_until > 0 OR login_attempts.window_ends_at <= $2 THEN 1
                   ELSE login_attempts.attempts + 1 END,
                 window_ends_at = CASE WHEN login_attempts.locked_until > $2 THEN login_attempts.window_ends_at
                   WHEN login_attempts.locked_until > 0 OR login_attempts.window_ends_at <= $2 THEN $3
                   ELSE login_attempts.window_ends_at END,
                 locked_until = CASE WHEN login_attempts.locked_until > $2 THEN login_attempts.locked_until
                   WHEN login_attempts.locked_until > 0 OR login_attempts.window_ends_at <= $2
                   THEN CASE WHEN $5 <= 1 THEN $4 ELSE 0 END
                   WHEN login_attempts.attempts + 1 >= $5 THEN $4 ELSE 0 END
                 RETURNING attempts, locked_until",
            )
            .bind(name_key(username))
            .bind(now)
            .bind(now + rule.window)
            .bind(now + rule.duration)
            .bind(i64::from(rule.attempts))
            .fetch_one(pool)
            .await?
        });
        let allowed = attempts <= i64::from(rule.attempts);
        Ok(if allowed { LoginAttempt::Allowed } else { LoginAttempt::LockedUntil(locked_until) })
    }

    /// Like [`Tx::reset_login_attempts`], in a transaction of its own and without an audit entry.
    pub async fn reset_login_attempts(&self, username: &str) -> Result<bool> {
        let mut tx = self.write().await?;
        let outcome = tx.reset_login_attempts(username).await?;
        tx.commit().await?;
        Ok(outcome)
    }

    /// Deletes names whose window and lock have ended and returns how many.
    pub async fn delete_ended_login_attempts(&self, now: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query("DELETE FROM login_attempts WHERE window_ends_at <= $1 AND locked_until <= $1")
                .bind(now)
                .execute(pool)
                .await?
                .rows_affected()
        }))
    }
}
