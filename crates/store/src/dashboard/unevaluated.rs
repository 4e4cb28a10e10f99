//! Counts of guard requests that were refused or failed before a verdict and so have no log entry.

use uuid::Uuid;

use crate::{Db, Result, Timestamp};

/// Number of requests in one minute that were not evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnevaluatedCount {
    /// Organization that made the request.
    pub org_id: Uuid,
    /// Start of the minute.
    pub minute: Timestamp,
    /// Project, if known by then; the nil UUID otherwise.
    pub project_id: Uuid,
    /// Number of requests.
    pub count: i64,
}

impl Db {
    /// Adds counts of requests that were not evaluated, in one transaction.
    pub async fn add_unevaluated(&self, requests: &[UnevaluatedCount]) -> Result<()> {
        let mut tx = self.write().await?;
        on!(tx.connection(), |c| {
            for one in requests {
                sqlx::query(
                    "INSERT INTO unjudged_requests (org_id, minute, project_id, count) VALUES ($1, $2, $3, $4)
                     ON CONFLICT (org_id, minute, project_id)
                     DO UPDATE SET count = unjudged_requests.count + excluded.count",
                )
                .bind(one.org_id)
                .bind(one.minute)
                .bind(one.project_id)
                .bind(one.count)
                .execute(&mut *c)
                .await?;
            }
        });
        tx.commit().await
    }

    /// Returns the number of requests that were not evaluated, by project, from `from` until `to`, exclusive.
    pub async fn unevaluated_counts(
        &self,
        org_id: Uuid,
        from: Timestamp,
        to: Timestamp,
    ) -> Result<Vec<(Uuid, i64)>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT project_id, CAST(SUM(count) AS BIGINT) FROM unjudged_requests
                 WHERE org_id = $1 AND minute >= $2 AND minute < $3 GROUP BY project_id",
            )
            .bind(org_id)
            .bind(from)
            .bind(to)
            .fetch_all(pool)
            .await?
        }))
    }
}
