//! Hourly counts of log entries, so that dashboards over months read no entries, and outlive them.
//!
//! Log entries are counted in order of sequence, each once: the last counted sequence advances in the transaction that
//! writes the counts, and only from the value that was read. Of concurrent processes, one succeeds.

use uuid::Uuid;

use crate::db::Tx;
use crate::name::storable;
use crate::{Db, Result, Timestamp, UsageCount};

/// Counts per statement.
pub(super) const CHUNK: usize = 100;

/// Fields of a log entry that the dashboard counts.
#[derive(Clone, Debug, PartialEq, sqlx::FromRow)]
pub struct LogSummary {
    /// Sequence number.
    pub sequence: i64,
    /// Creation time.
    pub created_at: Timestamp,
    /// Operation: `analyze`, `validate`, `mask`, …
    pub endpoint: String,
    /// Project.
    pub project_id: Option<Uuid>,
    /// Project name at that time.
    pub project_name: Option<String>,
    /// Outcome: whether it was evaluated, and the decision.
    pub outcome: String,
    /// Compact JSON array of objects with a `name`.
    pub triggered_guardrails: String,
    /// Application.
    pub source_app: Option<String>,
    /// End user.
    pub username: Option<String>,
    /// Who called: `user:NAME` or `api_key:ID`.
    pub principal: String,
    /// Processing time in milliseconds.
    pub processing_time_ms: i64,
    /// Credits charged.
    pub credits: i64,
    /// Compact JSON array of `["name", confidence, threshold]`.
    pub confidences: String,
}

pub(crate) const SUMMARY: &str = "sequence, created_at, endpoint, project_id, project_name, outcome, triggered_guardrails, \
     source_app, username, principal, processing_time_ms, credits, confidences";

/// Project identifier of counts over all projects, including requests without a project.
pub const ALL_PROJECTS: Uuid = Uuid::max();

/// Number of log entries of an hour or a day, by project and one dimension.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, sqlx::FromRow)]
pub struct HourlyCount {
    /// Dimension: `outcome`, `guardrail`, …; with the suffix `_by_day` for counts by day.
    pub dimension: String,
    /// Start of the hour or day.
    pub hour: Timestamp,
    /// Project, or [`ALL_PROJECTS`].
    pub project_id: Uuid,
    /// Value of the dimension: which outcome, which guardrail, …
    pub name: String,
    /// Number of log entries, or of credits.
    pub count: i64,
}

impl Tx {
    async fn add_hourly_counts(&mut self, org_id: Uuid, counts: &[HourlyCount]) -> Result<()> {
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
    /// Returns the organizations with log entries that are not counted yet, each with the last counted sequence.
    pub async fn orgs_with_pending_rollups(&self) -> Result<Vec<(Uuid, i64)>> {
        Ok(on!(self.reader(), |pool| {
            sqlx::query_as(
                "SELECT id, COALESCE(sequence, 0) FROM orgs LEFT JOIN rollups ON org_id = id
                 WHERE log_count > COALESCE(sequence, 0) ORDER BY id",
            )
            .fetch_all(pool)
            .await?
        }))
    }

    /// Returns the first `limit` log entries after a sequence.
    pub async fn log_summaries(&self, org_id: Uuid, after: i64, limit: u16) -> Result<Vec<LogSummary>> {
        Ok(on!(self.reader(), |pool| {
            let mut query = sqlx::QueryBuilder::new("SELECT ");
            query.push(SUMMARY).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > ").push_bind(after);
            query.push(" ORDER BY sequence LIMIT ").push_bind(i64::from(limit));
            query.build_query_as().fetch_all(pool).await?
        }))
    }

    /// Adds the counts and the usage of the log entries after sequence `from` up to `to`. Returns false when another
    /// process did. Both contain each key once, in ascending order.
    pub async fn roll_up(
        &self,
        org_id: Uuid,
        (from, to): (i64, i64),
        counts: &[HourlyCount],
        usage: &[UsageCount],
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
            tx.add_usage_counts(org_id, usage).await?;
        }
        tx.commit().await?;
        Ok(moved.is_some())
    }
}
