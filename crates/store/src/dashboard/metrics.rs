//! Data of the dashboard: counts of whole hours, and the log entries that no count includes.

use std::time::Duration;

use sqlx::{Database, Encode, Postgres, QueryBuilder, Sqlite, Type, types::Json};
use uuid::Uuid;

use super::hourly_counts::SUMMARY;
use crate::db::Tx;
use crate::id::least_id;
use crate::{ALL_PROJECTS, Db, HourlyCount, LogSummary, Result, Timestamp};

const HOUR: i64 = 3_600_000_000;
const DAY: i64 = 24 * HOUR;
/// Maximum number of names of a dimension, the most frequent first.
const NAMES: i64 = 500;

/// A period of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Period {
    /// Start, inclusive.
    pub from: Timestamp,
    /// End, exclusive.
    pub to: Timestamp,
}

/// A query for dashboard data.
#[derive(Clone, Copy, Debug)]
pub struct MetricQuery<'a> {
    /// Period in which the log entries were created.
    pub period: Period,
    /// Only log entries of these projects; `None` for all, with or without a project.
    pub projects: Option<&'a [Uuid]>,
    /// Dimensions to count by hour.
    pub by_hour: &'a [&'a str],
    /// Dimensions to count over the whole period, most frequent names only. They are counted by day too.
    pub over_period: &'a [&'a str],
}

/// Counts, and the log entries that they do not include.
#[derive(Clone, Debug, Default)]
pub struct MetricCounts {
    /// Counts of whole hours, summed over the requested projects. Counts over the whole period carry its first hour.
    pub counts: Vec<HourlyCount>,
    /// Log entries of partial hours, and those not counted yet.
    pub rows: Vec<LogSummary>,
}

impl Period {
    /// The whole intervals of that length within the period; empty, at its end, if there are none.
    fn whole(self, length: i64) -> Self {
        let first = (self.from.micros() + length - 1).div_euclid(length) * length;
        let end = self.to.micros().div_euclid(length) * length;
        let at = Timestamp::from_micros;
        if first < end { Self { from: at(first), to: at(end) } } else { Self { from: self.to, to: self.to } }
    }

    pub(super) fn hours(self) -> Self {
        self.whole(HOUR)
    }

    /// The whole hours split into whole days and the hours before and after them.
    pub(super) fn parts(self) -> [(&'static str, Self); 3] {
        let days = self.whole(DAY);
        let (before, after) = (Self { to: days.from, ..self }, Self { from: days.to, ..self });
        [("", before), ("_by_day", days), ("", after)]
    }

    /// The period of the same length directly before.
    #[must_use]
    pub fn previous(self) -> Self {
        Self { from: self.from - self.to.since(self.from), to: self.from }
    }
}

impl Timestamp {
    /// Start of the hour.
    #[must_use]
    pub const fn hour(self) -> Self {
        Self::from_micros(self.micros().div_euclid(HOUR) * HOUR)
    }

    /// Start of the day.
    #[must_use]
    pub const fn day(self) -> Self {
        Self::from_micros(self.micros().div_euclid(DAY) * DAY)
    }

    /// Start of the minute.
    #[must_use]
    pub const fn minute(self) -> Self {
        Self::from_micros(self.micros().div_euclid(HOUR / 60) * (HOUR / 60))
    }

    /// Hours from this one until `end`, exclusive.
    pub fn hours_until(self, end: Self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self.hour()), |hour| Some(*hour + Duration::from_hours(1)))
            .take_while(move |hour| *hour < end)
    }
}

/// Adds a condition on dimension, hour and project. `None` means all projects and requests without one.
pub(super) fn narrow<DB: Database>(
    query: &mut QueryBuilder<DB>,
    projects: Option<&[Uuid]>,
    dimension: String,
    hours: Period,
) where
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> Timestamp: Encode<'q, DB> + Type<DB>,
{
    query.push(" AND dimension = ").push_bind(dimension);
    query.push(" AND hour >= ").push_bind(hours.from).push(" AND hour < ").push_bind(hours.to);
    query.push(" AND project_id IN (NULL");
    for id in projects.unwrap_or(&[ALL_PROJECTS]) {
        query.push(", ").push_bind(*id);
    }
    query.push(")");
}

/// SQL around the columns that packs rows into one JSON text; [`packed_rows`](crate::logs::packed_rows) gives the
/// reason.
trait PackedRows {
    const ROWS: [&'static str; 2];
}

impl PackedRows for Sqlite {
    const ROWS: [&'static str; 2] = ["json_group_array(json_array(", "))"];
}

impl PackedRows for Postgres {
    const ROWS: [&'static str; 2] = ["COALESCE(json_agg(json_build_array(", ")), '[]')"];
}

/// A query for `columns` of the rows of a subquery that follows, packed.
fn packed<DB: Database + PackedRows>(columns: &str) -> QueryBuilder<DB> {
    let [before, after] = DB::ROWS;
    QueryBuilder::new(format!("SELECT {before}{columns}{after} FROM ("))
}

fn count(dimension: &str, hour: Timestamp, name: String, count: i64) -> HourlyCount {
    HourlyCount { dimension: dimension.to_owned(), hour, project_id: ALL_PROJECTS, name, count }
}

impl Tx {
    async fn counts(
        &mut self,
        org_id: Uuid,
        metric_query: &MetricQuery<'_>,
        hours: Period,
    ) -> Result<Vec<HourlyCount>> {
        let mut counts = Vec::new();
        for dimension in metric_query.by_hour {
            counts.extend(self.counts_by_hour(org_id, metric_query, hours, dimension).await?);
        }
        for dimension in metric_query.over_period {
            counts.extend(self.counts_over_period(org_id, metric_query, hours, dimension).await?);
        }
        Ok(counts)
    }

    async fn counts_by_hour(
        &mut self,
        org_id: Uuid,
        metric_query: &MetricQuery<'_>,
        hours: Period,
        dimension: &str,
    ) -> Result<Vec<HourlyCount>> {
        let Json(sums): Json<Vec<(i64, String, i64)>> = on!(self.connection(), |c| {
            let mut query = packed("hour, name, total");
            query.push(
                "SELECT hour, name, CAST(SUM(count) AS BIGINT) AS total FROM hourly_counts WHERE org_id = ",
            );
            query.push_bind(org_id);
            narrow(&mut query, metric_query.projects, dimension.to_owned(), hours);
            query.push(" GROUP BY hour, name) AS packed");
            query.build_query_scalar().persistent(false).fetch_one(c).await?
        });
        let sums = sums.into_iter();
        Ok(sums.map(|(hour, name, sum)| count(dimension, Timestamp::from_micros(hour), name, sum)).collect())
    }

    async fn counts_over_period(
        &mut self,
        org_id: Uuid,
        metric_query: &MetricQuery<'_>,
        hours: Period,
        dimension: &str,
    ) -> Result<Vec<HourlyCount>> {
        let Json(sums): Json<Vec<(String, i64)>> = on!(self.connection(), |c| {
            let mut query = packed("name, total");
            query.push("SELECT name, CAST(SUM(count) AS BIGINT) AS total FROM (");
            for (place, (grain, hours)) in hours.parts().into_iter().enumerate() {
                query.push(if place == 0 { "" } else { " UNION ALL " });
                query.push("SELECT name, count FROM hourly_counts WHERE org_id = ").push_bind(org_id);
                narrow(&mut query, metric_query.projects, format!("{dimension}{grain}"), hours);
            }
            query.push(") AS parts GROUP BY name ORDER BY total DESC LIMIT ").push_bind(NAMES);
            query.push(") AS packed");
            query.build_query_scalar().persistent(false).fetch_one(c).await?
        });
        Ok(sums.into_iter().map(|(name, sum)| count(dimension, hours.from, name, sum)).collect())
    }

    pub(super) async fn metric_counts(
        &mut self,
        org_id: Uuid,
        metric_query: &MetricQuery<'_>,
    ) -> Result<MetricCounts> {
        let hours = metric_query.period.hours();
        let counts = self.counts(org_id, metric_query, hours).await?;
        let mut rows = self.uncounted_rows(org_id, metric_query.period, hours).await?;
        if let Some(ids) = metric_query.projects {
            rows.retain(|row| row.project_id.is_some_and(|id| ids.contains(&id)));
        }
        Ok(MetricCounts { counts, rows })
    }

    /// Returns log entries that no count includes: by identifier in partial hours, by sequence within whole hours.
    async fn uncounted_rows(
        &mut self,
        org_id: Uuid,
        period: Period,
        hours: Period,
    ) -> Result<Vec<LogSummary>> {
        let edges = [Period { from: period.from, to: hours.from }, Period { from: hours.to, to: period.to }];
        Ok(on!(self.connection(), |c| {
            let mut query = QueryBuilder::new("");
            for edge in edges {
                query.push("SELECT ").push(SUMMARY).push(" FROM logs WHERE org_id = ").push_bind(org_id);
                query.push(" AND id >= ").push_bind(least_id(edge.from));
                query.push(" AND id < ").push_bind(least_id(edge.to)).push(" UNION ALL ");
            }
            query.push("SELECT ").push(SUMMARY).push(" FROM logs WHERE org_id = ").push_bind(org_id);
            query.push(" AND sequence > COALESCE((SELECT sequence FROM rollups WHERE org_id = ");
            query.push_bind(org_id).push("), 0) AND created_at >= ").push_bind(hours.from);
            query.push(" AND created_at < ").push_bind(hours.to);
            query.build_query_as().fetch_all(c).await?
        }))
    }
}

impl Db {
    /// Returns the data of a period. Each log entry is in exactly one of the two parts.
    pub async fn metric_counts(&self, org_id: Uuid, metric_query: &MetricQuery<'_>) -> Result<MetricCounts> {
        let mut tx = self.snapshot().await?;
        let found = tx.metric_counts(org_id, metric_query).await?;
        tx.commit().await?;
        Ok(found)
    }
}
