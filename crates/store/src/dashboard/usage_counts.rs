//! Requests and credits by project, API key, end user, application or operation: counts by hour and day, and their sums
//! over a period.

use uuid::Uuid;

use super::hourly_counts::CHUNK;
use super::metrics::narrow;
use crate::db::Tx;
use crate::name::storable;
use crate::{Db, HourlyCount, LogSummary, MetricQuery, Period, Result, Timestamp};

/// Maximum number of names, those with the most credits first.
const NAMES: i64 = 500;

/// Requests and their credits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, sqlx::FromRow)]
pub struct Usage {
    /// Log entries.
    pub requests: i64,
    /// Those that were blocked.
    pub blocked: i64,
    /// Those that were allowed with personal data masked.
    pub masked: i64,
    /// Credits charged.
    pub credits: i64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.requests += other.requests;
        self.blocked += other.blocked;
        self.masked += other.masked;
        self.credits += other.credits;
    }
}

impl std::ops::Sub for Usage {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self {
            requests: self.requests - other.requests,
            blocked: self.blocked - other.blocked,
            masked: self.masked - other.masked,
            credits: self.credits - other.credits,
        }
    }
}

/// Usage in an hour or a day, by project and one dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UsageCount {
    /// Dimension: `project`, `api_key`, …; with the suffix `_by_day` for usage by day.
    pub dimension: String,
    /// Start of the hour or day.
    pub hour: Timestamp,
    /// Project, or [`ALL_PROJECTS`](crate::ALL_PROJECTS).
    pub project_id: Uuid,
    /// Value of the dimension; empty for requests without one.
    pub name: String,
    /// Requests and credits.
    pub usage: Usage,
}

/// Usage over a period, by one dimension.
#[derive(Clone, Debug, Default)]
pub struct PeriodUsage {
    /// Usage in whole hours by name, at most 500 names, most credits first.
    pub names: Vec<(String, Usage)>,
    /// True if `names` has every name.
    pub has_all_names: bool,
    /// Usage in whole hours, over all names.
    pub sum: Usage,
    /// Counts of `query`'s dimensions, which do not depend on this one.
    pub counts: Vec<HourlyCount>,
    /// Log entries of partial hours, and those not counted yet.
    pub rows: Vec<LogSummary>,
}

/// A name with its usage, beside the number of names and their usage.
#[derive(sqlx::FromRow)]
struct NameRow {
    name: String,
    #[sqlx(flatten)]
    usage: Usage,
    all_names: i64,
    all_requests: i64,
    all_blocked: i64,
    all_masked: i64,
    all_credits: i64,
}

const SUMS: &str = "CAST(SUM(requests) AS BIGINT) AS requests, CAST(SUM(blocked) AS BIGINT) AS blocked, \
     CAST(SUM(masked) AS BIGINT) AS masked, CAST(SUM(credits) AS BIGINT) AS credits";
const SUMS_OVER_NAMES: &str = "COUNT(*) OVER () AS all_names, CAST(SUM(requests) OVER () AS BIGINT) AS all_requests, \
     CAST(SUM(blocked) OVER () AS BIGINT) AS all_blocked, CAST(SUM(masked) OVER () AS BIGINT) AS all_masked, \
     CAST(SUM(credits) OVER () AS BIGINT) AS all_credits";

impl Tx {
    pub(super) async fn add_usage_counts(&mut self, org_id: Uuid, counts: &[UsageCount]) -> Result<()> {
        on!(self.connection(), |c| {
            for chunk in counts.chunks(CHUNK) {
                let mut query = sqlx::QueryBuilder::new(
                    "INSERT INTO usage_counts
                     (org_id, dimension, hour, project_id, name, requests, blocked, masked, credits) ",
                );
                query.push_values(
                    chunk,
                    |mut row, UsageCount { dimension, hour, project_id, name, usage }| {
                        row.push_bind(org_id).push_bind(dimension).push_bind(*hour).push_bind(*project_id);
                        row.push_bind(storable(name)).push_bind(usage.requests).push_bind(usage.blocked);
                        row.push_bind(usage.masked).push_bind(usage.credits);
                    },
                );
                query.push(
                    " ON CONFLICT (org_id, dimension, project_id, hour, name)
                     DO UPDATE SET requests = usage_counts.requests + excluded.requests,
                     blocked = usage_counts.blocked + excluded.blocked,
                     masked = usage_counts.masked + excluded.masked,
                     credits = usage_counts.credits + excluded.credits",
                );
                query.build().persistent(false).execute(&mut *c).await?;
            }
        });
        Ok(())
    }

    async fn usage_by_name(
        &mut self,
        org_id: Uuid,
        query: &MetricQuery<'_>,
        dimension: &str,
    ) -> Result<Vec<NameRow>> {
        Ok(on!(self.connection(), |c| {
            let mut sql = sqlx::QueryBuilder::new("SELECT name, requests, blocked, masked, credits, ");
            sql.push(SUMS_OVER_NAMES).push(" FROM (SELECT name, ").push(SUMS).push(" FROM (");
            for (place, (grain, hours)) in query.period.hours().parts().into_iter().enumerate() {
                sql.push(if place == 0 { "" } else { " UNION ALL " });
                sql.push("SELECT name, requests, blocked, masked, credits FROM usage_counts WHERE org_id = ");
                sql.push_bind(org_id);
                narrow(&mut sql, query.projects, format!("{dimension}{grain}"), hours);
            }
            sql.push(") AS parts GROUP BY name) AS names ORDER BY credits DESC, requests DESC, name LIMIT ");
            sql.push_bind(NAMES).build_query_as().persistent(false).fetch_all(c).await?
        }))
    }
}

impl Db {
    /// Returns the usage of a period by a dimension, with the counts of `query`. Each log entry is in the sums or in
    /// the rows, never in both.
    pub async fn period_usage(
        &self,
        org_id: Uuid,
        query: &MetricQuery<'_>,
        dimension: &str,
    ) -> Result<PeriodUsage> {
        let mut tx = self.snapshot().await?;
        let names = tx.usage_by_name(org_id, query, dimension).await?;
        let found = tx.metric_counts(org_id, query).await?;
        tx.commit().await?;
        let (all_names, sum) = names.first().map_or((0, Usage::default()), NameRow::over_names);
        Ok(PeriodUsage {
            has_all_names: all_names <= NAMES,
            sum,
            names: names.into_iter().map(|row| (row.name, row.usage)).collect(),
            counts: found.counts,
            rows: found.rows,
        })
    }

    /// Returns the last hour of a period with log entries that were counted without their usage, as earlier versions
    /// do. The dimension `outcome` counts all of them, and the dimension `marker` those with usage.
    pub async fn last_hour_without_usage(
        &self,
        org_id: Uuid,
        period: Period,
        projects: Option<&[Uuid]>,
        marker: &str,
    ) -> Result<Option<Timestamp>> {
        let hours = period.hours();
        Ok(on!(self.reader(), |pool| {
            let mut sql = sqlx::QueryBuilder::new(
                "SELECT MAX(hour) FROM (SELECT hour FROM (
                 SELECT hour, count AS requests FROM hourly_counts WHERE org_id = ",
            );
            sql.push_bind(org_id);
            narrow(&mut sql, projects, "outcome".to_owned(), hours);
            sql.push(" UNION ALL SELECT hour, -requests FROM usage_counts WHERE org_id = ").push_bind(org_id);
            narrow(&mut sql, projects, marker.to_owned(), hours);
            sql.push(") AS counted GROUP BY hour HAVING SUM(requests) <> 0) AS hours");
            sql.build_query_scalar().persistent(false).fetch_one(pool).await?
        }))
    }
}

impl NameRow {
    fn over_names(&self) -> (i64, Usage) {
        let usage = Usage {
            requests: self.all_requests,
            blocked: self.all_blocked,
            masked: self.all_masked,
            credits: self.all_credits,
        };
        (self.all_names, usage)
    }
}
