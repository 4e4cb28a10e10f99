//! Challenges: one-time tokens that let exactly one judged prompt through when its user confirms it.

use uuid::Uuid;

use crate::tx::Tx;
use crate::{Db, Result, Timestamp};

const FORGOTTEN_AT_ONCE: i64 = 500;

/// A challenge that a decision sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewChallenge {
    /// The token's digest.
    pub hash: [u8; 32],
    /// The user or API key that may answer.
    pub principal_id: Uuid,
    /// A keyed digest of everything that was judged.
    pub binding: [u8; 32],
    /// Until when.
    pub expires_at: Timestamp,
}

/// A challenge that was set.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Challenge {
    /// The user or API key that may answer.
    pub principal_id: Uuid,
    /// A keyed digest of everything that was judged.
    pub binding: Vec<u8>,
    /// Until when.
    pub expires_at: Timestamp,
    /// When it was answered.
    pub answered_at: Option<Timestamp>,
}

impl Tx {
    pub(crate) async fn insert_challenge(&mut self, org_id: Uuid, challenge: &NewChallenge) -> Result<()> {
        on!(self.connection(), |c| {
            sqlx::query(
            "INSERT INTO challenges (hash, org_id, principal_id, binding, expires_at) VALUES ($1, $2, $3, $4, $5)",
        )
        .bind(&challenge.hash[..])
        .bind(org_id)
        .bind(challenge.principal_id)
        .bind(&challenge.binding[..])
        .bind(challenge.expires_at)
        .execute(c)
        .await?;
        });
        Ok(())
    }

    /// Answers a challenge: false for all but the first answer, and for a late one.
    pub(crate) async fn answer_challenge(
        &mut self,
        org_id: Uuid,
        hash: &[u8; 32],
        now: Timestamp,
    ) -> Result<bool> {
        Ok(on!(self.connection(), |c| {
            sqlx::query(
                "UPDATE challenges SET answered_at = $3
                 WHERE hash = $2 AND org_id = $1 AND answered_at IS NULL AND expires_at > $3",
            )
            .bind(org_id)
            .bind(&hash[..])
            .bind(now)
            .execute(c)
            .await?
            .rows_affected()
                == 1
        }))
    }
}

impl Db {
    /// The organisation's challenge with that digest.
    pub async fn challenge(&self, org_id: Uuid, hash: &[u8; 32]) -> Result<Option<Challenge>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT principal_id, binding, expires_at, answered_at FROM challenges
                 WHERE hash = $2 AND org_id = $1",
            )
            .bind(org_id)
            .bind(&hash[..])
            .fetch_optional(pool)
            .await?
        }))
    }

    /// Forgets some challenges that were over before that time; answers how many. A few at a time: others write in
    /// between.
    pub async fn forget_challenges_before(&self, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM challenges
                 WHERE hash IN (SELECT hash FROM challenges WHERE expires_at < $1 LIMIT $2)",
            )
            .bind(time)
            .bind(FORGOTTEN_AT_ONCE)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
