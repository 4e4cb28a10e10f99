//! What a dashboard's figures are made of: counts of whole hours, and the rows that those do not hold.

use std::time::Duration;

use sqlx::{Database, Encode, QueryBuilder, Type};
use uuid::Uuid;

use crate::id::least_id;
use crate::rollups::SUMMARY;
use crate::{Db, HourlyCount, LogSummary, Result, Timestamp};

const HOUR: i64 = 3_600_000_000;
/// Most names of a dimension that are answered, the most frequent ones.
const NAMES: i64 = 1_000;

/// A period of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// From this time on.
    pub from: Timestamp,
    /// Before this time.
    pub to: Timestamp,
}

/// What is wanted of a period.
#[derive(Clone, Copy, Debug)]
pub struct Wanted<'a> {
    /// When.
    pub period: Period,
    /// The rows of these projects; of all, and those without one, where `None`.
    pub projects: Option<&'a [Uuid]>,
    /// Dimensions whose counts are wanted hour by hour.
    pub by_hour: &'a [&'a str],
    /// Dimensions whose counts are wanted for the whole period, the most frequent names.
    pub in_all: &'a [&'a str],
}

/// Counts, and the rows that are not in them.
#[derive(Clone, Debug, Default)]
pub struct Gathered {
    /// Of whole hours. What is counted in all has the period's first hour.
    pub counts: Vec<HourlyCount>,
    /// Rows of the hours that the period cuts, and those that are not added up yet.
    pub rows: Vec<LogSummary>,
}

impl Period {
    /// The whole hours in it; an empty period at its end where there are none.
    fn hours(self) -> Self {
        let first = Timestamp::from_micros((self.from.micros() + HOUR - 1).div_euclid(HOUR) * HOUR);
        let end = self.to.hour();
        if first < end { Self { from: first, to: end } } else { Self { from: self.to, to: self.to } }
    }

    /// As long, and right before.
    #[must_use]
    pub fn previous(self) -> Self {
        Self { from: self.from - self.to.since(self.from), to: self.from }
    }
}

impl Timestamp {
    /// The beginning of the hour.
    #[must_use]
    pub const fn hour(self) -> Self {
        Self::from_micros(self.micros().div_euclid(HOUR) * HOUR)
    }

    /// The beginning of the minute.
    #[must_use]
    pub const fn minute(self) -> Self {
        Self::from_micros(self.micros().div_euclid(HOUR / 60) * (HOUR / 60))
    }

    /// The hours from this one on, before `end`.
    pub fn hours_until(self, end: Self) -> impl Iterator<Item = Self> {
        std::iter::successors(Some(self.hour()), |hour| Some(*hour + Duration::from_hours(1)))
            .take_while(move |hour| *hour < end)
    }
}

fn narrow<DB: Database>(query: &mut QueryBuilder<DB>, wanted: &Wanted<'_>, dimension: &str, hours: Period)
where
    for<'q> Uuid: Encode<'q, DB> + Type<DB>,
    for<'q> String: Encode<'q, DB> + Type<DB>,
    for<'q> Timestamp: Encode<'q, DB> + Type<DB>,
{
    query.push(" AND dimension = ").push_bind(dimension.to_owned());
    query.push(" AND hour >= ").push_bind(hours.from).push(" AND hour < ").push_bind(hours.to);
    if let Some(ids) = wanted.projects {
        query.push(" AND project_id IN (NULL");
        for id in ids {
            query.push(", ").push_bind(*id);
        }
        query.push(")");
    }
}

macro_rules! counts {
    ($tx:expr, $org_id:expr, $wanted:expr, $hours:expr) => {{
        let mut counts: Vec<HourlyCount> = Vec::new();
        for dimension in $wanted.by_hour {
            let mut query = QueryBuilder::new(
                "SELECT dimension, hour, project_id, name, count FROM hourly_counts WHERE org_id = ",
            );
            query.push_bind($org_id);
            narrow(&mut query, $wanted, dimension, $hours);
            counts.extend(query.build_query_as::<HourlyCount>().fetch_all(&mut *$tx).await?);
        }
        for dimension in $wanted.in_all {
            let mut query = QueryBuilder::new(
                "SELECT dimension, MIN(hour) AS hour, project_id, name, CAST(SUM(count) AS BIGINT) AS count
                 FROM hourly_counts WHERE org_id = ",
            );
            query.push_bind($org_id);
            narrow(&mut query, $wanted, dimension, $hours);
            query.push(" GROUP BY dimension, project_id, name ORDER BY count DESC LIMIT ").push_bind(NAMES);
            counts.extend(query.build_query_as::<HourlyCount>().fetch_all(&mut *$tx).await?);
        }
        counts
    }};
}

/// By id in the hours that the period cuts, by number within its whole hours.
macro_rules! rows {
    ($tx:expr, $org_id:expr, $period:expr, $hours:expr) => {{
        let mut query = QueryBuilder::new("");
        for edge in
            [Period { from: $period.from, to: $hours.from }, Period { from: $hours.to, to: $period.to }]
        {
            query.push("SELECT ").push(SUMMARY).push(" FROM logs WHERE org_id = ").push_bind($org_id);
            query.push(" AND id >= ").push_bind(least_id(edge.from));
            query.push(" AND id < ").push_bind(least_id(edge.to)).push(" UNION ALL ");
        }
        query.push("SELECT ").push(SUMMARY).push(" FROM logs WHERE org_id = ").push_bind($org_id);
        query
            .push(" AND sequence > COALESCE((SELECT sequence FROM rollups WHERE org_id = ")
            .push_bind($org_id);
        query.push("), 0) AND created_at >= ").push_bind($hours.from);
        query.push(" AND created_at < ").push_bind($hours.to);
        query.build_query_as::<LogSummary>().fetch_all(&mut *$tx).await?
    }};
}

impl Db {
    /// What the figures of a period are made of; every row of it is in one of the two, once.
    pub async fn figures(&self, org_id: Uuid, wanted: &Wanted<'_>) -> Result<Gathered> {
        let hours = wanted.period.hours();
        let mut gathered = in_snapshot!(self, |tx| {
            let counts = counts!(tx, org_id, wanted, hours);
            Gathered { counts, rows: rows!(tx, org_id, wanted.period, hours) }
        });
        if let Some(ids) = wanted.projects {
            gathered.rows.retain(|row| row.project_id.is_some_and(|id| ids.contains(&id)));
        }
        Ok(gathered)
    }
}
