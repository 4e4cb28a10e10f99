//! Guard requests that were refused or failed before a verdict: no row stands for them, so they are counted.

use uuid::Uuid;

use crate::{Db, Result, Timestamp};

/// Requests of a minute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unjudged {
    /// The organisation that asked.
    pub org_id: Uuid,
    /// The beginning of the minute.
    pub minute: Timestamp,
    /// The project, where the request came as far as that; else the nil id.
    pub project_id: Uuid,
    /// How many.
    pub count: i64,
}

impl Db {
    /// Adds up requests that were not judged, all or none.
    pub async fn add_unjudged(&self, requests: &[Unjudged]) -> Result<()> {
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

    /// How many requests of the minutes from `from` on, before `to`, were not judged, by project.
    pub async fn unjudged(&self, org_id: Uuid, from: Timestamp, to: Timestamp) -> Result<Vec<(Uuid, i64)>> {
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
