//! Trust values of an organization's end users.

use uuid::Uuid;

use super::trust_value::{Trust, TrustEvent};
use crate::db::Tx;
use crate::{Db, Result, Timestamp};

const DELETE_BATCH: i64 = 500;

/// A change of an end user's trust value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TrustUpdate {
    /// End user, as a keyed digest.
    pub subject: [u8; 32],
    /// Event type.
    pub event: TrustEvent,
}

impl Tx {
    /// Moves a value. The first statement locks its row, so that no concurrent move is lost.
    pub(crate) async fn update_trust(
        &mut self,
        org_id: Uuid,
        update: &TrustUpdate,
        now: Timestamp,
    ) -> Result<()> {
        on!(self.connection(), |c| {
            let stored: Trust = sqlx::query_as(
                "INSERT INTO trust_scores (org_id, subject, value, moved_at, neutral_at) VALUES ($1, $2, $3, $4, $4)
                 ON CONFLICT (org_id, subject) DO UPDATE SET value = trust_scores.value RETURNING value, moved_at",
            )
            .bind(org_id)
            .bind(&update.subject[..])
            .bind(Trust::START)
            .bind(now)
            .fetch_one(&mut *c)
            .await?;
            let moved = stored.after(update.event, now);
            let (value, moved_at) = moved.value_and_time();
            sqlx::query(
                "UPDATE trust_scores SET value = $3, moved_at = $4, neutral_at = $5 WHERE org_id = $1 AND subject = $2",
            )
            .bind(org_id)
            .bind(&update.subject[..])
            .bind(value)
            .bind(moved_at)
            .bind(moved.neutral_at())
            .execute(&mut *c)
            .await?;
        });
        Ok(())
    }
}

impl Db {
    /// Returns an end user's trust value, 0 to 1.
    pub async fn trust(&self, org_id: Uuid, subject: &[u8; 32], now: Timestamp) -> Result<f64> {
        let stored: Option<Trust> = on!(self.reader(), |pool| {
            sqlx::query_as("SELECT value, moved_at FROM trust_scores WHERE org_id = $1 AND subject = $2")
                .bind(org_id)
                .bind(&subject[..])
                .fetch_optional(pool)
                .await?
        });
        Ok(stored.map_or(Trust::START, |trust| trust.at(now)))
    }

    /// Deletes some values that count as neutral and returns how many. Works in small batches, so that others can
    /// write in between.
    pub async fn delete_neutral_trust(&self, now: Timestamp) -> Result<u64> {
        Ok(on!(self.writer(), |pool| {
            sqlx::query(
                "DELETE FROM trust_scores WHERE neutral_at <= $1 AND (org_id, subject) IN (
                 SELECT org_id, subject FROM trust_scores WHERE neutral_at <= $1 LIMIT $2)",
            )
            .bind(now)
            .bind(DELETE_BATCH)
            .execute(pool)
            .await?
            .rows_affected()
        }))
    }
}
