//! Rows added up by the hour, so that figures over months read no rows, and outlive them.
//!
//! Rows are added up in the order of their numbers, each once: the number of the last one moves in the transaction that
//! writes the counts, and only from where it was read. Several processes may add up at once; one of them wins.

use uuid::Uuid;

use crate::name::storable;
use crate::tx::Tx;
use crate::{Db, Result, Timestamp};

/// Counts of one statement.
const CHUNK: usize = 100;

/// What figures need of a row.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct LogSummary {
    /// Its number.
    pub sequence: i64,
    /// When.
    pub created_at: Timestamp,
    /// The project.
    pub project_id: Option<Uuid>,
    /// Its name then.
    pub project_name: Option<String>,
    /// Whether it was judged, and how.
    pub outcome: String,
    /// A compact JSON array of objects with a `name`.
    pub triggered_guardrails: String,
    /// The application.
    pub source_app: Option<String>,
    /// The end user.
    pub username: Option<String>,
    /// Milliseconds.
    pub processing_time_ms: i64,
    /// A compact JSON array of `["name", confidence, threshold]`.
    pub confidences: String,
}

pub(crate) const SUMMARY: &str = "sequence, created_at, project_id, project_name, outcome, triggered_guardrails, \
     source_app, username, processing_time_ms, confidences";

/// Stands for all projects together, and requests without one.
pub const EVERY_PROJECT: Uuid = Uuid::max();

/// How many rows of an hour, or a day, and a project have something in common.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::FromRow)]
pub struct HourlyCount {
    /// What they have in common: `outcome`, `guardrail`, …; `outcome_by_day`, … for those of a day.
    pub dimension: String,
    /// The beginning of the hour, or of the day.
    pub hour: Timestamp,
    /// The project, or [`EVERY_PROJECT`].
    pub project_id: Uuid,
    /// Which outcome, which guardrail, …
    pub name: String,
    /// How many.
    pub count: i64,
}

impl Tx {
    pub(crate) async fn add_hourly_counts(&mut self, org_id: Uuid, counts: &[HourlyCount]) -> Result<()> {
        on!(self.connection(), |c| {
            for chunk in counts.chunks(CHUNK) {
                let mut query = sqlx::QueryBuilder::new(
                    "INSERT INTO hourly_counts (org_id, dimension, hour, project_id, name, count) ",
                );
                query.push_values(chunk, |mut row, one| {
                    row.push_bind(org_id).push_bind(&one.dimension).push_bind(one.hour);
                    row.push_bind(one.project_id).push_bind(storable(&one.name)).push_bind(one.count);
                });
                query.push(
                    " ON CONFLICT (org_id, dimension, project_id, hour, name)
                     DO UPDATE SET count = hourly_counts.count + excluded.count",
                );
                query.build().persistent(false).execute(&mut *c).await?;
            }
        });
        Ok(())
    }
}

impl Db {
    /// The organisations that have rows which are not added up, each with the number of the last that is.
    pub async fn behind_with_rollups(&self) -> Result<Vec<(Uuid, i64)>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, COALESCE(sequence, 0) FROM orgs LEFT JOIN rollups ON org_id = id
                 WHERE log_count > COALESCE(sequence, 0) ORDER BY id",
            )
            .fetch_all(pool)
            .await?
        }))
    }

    /// The first `limit` rows after a number.
    pub async fn log_summaries(&self, org_id: Uuid, after: i64, limit: u16) -> Result<Vec<LogSummary>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(SUMMARY).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > ").push_bind(after);
            query.push(" ORDER BY sequence LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        }))
    }

    /// Adds the counts of the rows after number `from` up to number `to`; false when somebody else did.
    /// `counts` hold each key once, in ascending order.
    pub async fn roll_up(
        &self,
        org_id: Uuid,
        (from, to): (i64, i64),
        counts: &[HourlyCount],
    ) -> Result<bool> {
        let mut tx = self.write().await?;
        let moved: Option<i64> = on!(tx.connection(), |c| {
            sqlx::query_scalar(
                "INSERT INTO rollups (org_id, sequence) VALUES ($1, $2)
                 ON CONFLICT (org_id) DO UPDATE SET sequence = excluded.sequence WHERE rollups.sequence = $3
                 RETURNING sequence",
            )
            .bind(org_id)
            .bind(to)
            .bind(from)
            .fetch_optional(c)
            .await?
        });
        if moved.is_some() {
            tx.add_hourly_counts(org_id, counts).await?;
        }
        tx.commit().await?;
        Ok(moved.is_some())
    }
}
