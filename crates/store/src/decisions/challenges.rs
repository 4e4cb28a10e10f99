//! Challenges: one-time tokens that let one evaluated prompt through when its user confirms it.

use uuid::Uuid;

use crate::db::Tx;
use crate::{Db, Result, Timestamp};

const DELETE_BATCH: i64 = 500;

/// A challenge to create.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewChallenge {
    /// Digest of the token.
    pub hash: [u8; 32],
    /// User or API key that may answer.
    pub principal_id: Uuid,
    /// Keyed digest of everything that was evaluated.
    pub binding: [u8; 32],
    /// End of its validity.
    pub expires_at: Timestamp,
}

/// A stored challenge.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Challenge {
    /// User or API key that may answer.
    pub principal_id: Uuid,
    /// Keyed digest of everything that was evaluated.
    pub binding: Vec<u8>,
    /// End of its validity.
    pub expires_at: Timestamp,
    /// Time of the answer.
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

    /// Answers a challenge. Returns false when it is already answered or expired.
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
    /// Returns the organization's challenge with that digest.
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

    /// Deletes some challenges that expired before that time and returns how many. Works in small batches, so that
    /// others can write in between.
    pub async fn delete_challenges_before(&self, time: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM challenges
                 WHERE hash IN (SELECT hash FROM challenges WHERE expires_at < $1 LIMIT $2)",
            )
            .bind(time)
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
