use std::{collections::BTreeMap, time::Duration};

use axum::extract::State;
use guardengine_api_types::ErrorBody;
use guardengine_store::{FacetValues, Period, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;

use super::{conditions::LogExclusionQuery, filter::LogFilterQuery};
use crate::{
    app::Tenants,
    dashboard::outcomes,
    http::{Answer, Caller, Json, Query},
    routes::dashboard::get::period_of,
};

/// Lengths of a bucket, in seconds, and the longest period that has buckets of it.
const LENGTHS: [(i64, Duration); 3] =
    [(10, Duration::from_mins(20)), (60, Duration::from_hours(2)), (300, Duration::from_hours(6))];
const HOUR: i64 = 3_600;

/// The matching log entries of one bucket.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogBucket {
    /// Start of the bucket.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// Number of log entries by outcome.
    by_outcome: BTreeMap<String, i64>,
}

/// Log entries over time.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogHistogram {
    /// Start of the period.
    #[schema(value_type = String, format = DateTime)]
    from: Timestamp,
    /// End of the period.
    #[schema(value_type = String, format = DateTime)]
    to: Timestamp,
    /// Length of a bucket in seconds: 10, 60, 300 or 3600, by the length of the period.
    bucket_seconds: i64,
    /// Null if all matching log entries were counted. Otherwise the time since which they were.
    #[schema(value_type = Option<String>, format = DateTime)]
    counted_since: Option<Timestamp>,
    /// Buckets with log entries, in ascending order.
    buckets: Vec<LogBucket>,
}

/// Count log entries over time
///
/// The matching log entries of a period of at most 400 days, by outcome. Without `from` and `to`: the last day. Filters
/// other than `project`, `outcome`, `from` and `to` count the newest 5,000 log entries, and so do periods of up to six
/// hours.
#[utoipa::path(
    get, path = "/api/logs/histogram", tag = "logs", operation_id = "logs_histogram",
    params(LogFilterQuery, LogExclusionQuery),
    security(("bearer" = []), ("api_key" = [])),
    responses(
        (status = 200, description = "The counts", body = LogHistogram),
        (status = 403, description = "Missing permission, or not a member of the project", body = ErrorBody),
        (status = 404, description = "Project not found", body = ErrorBody),
    )
)]
pub async fn handle(
    State(tenants): State<Tenants>,
    Caller(caller): Caller,
    Query(query): Query<LogFilterQuery>,
) -> Answer<LogHistogram> {
    let mut filter = query.filter(&tenants, &caller).await?;
    let period = period_of(filter.from, filter.to, tenants.clock.now())?;
    (filter.from, filter.to) = (Some(period.from), Some(period.to));
    let bucket_seconds = length(period);
    let (counts, counted_since) = match query.rolled_up(&filter) {
        Some((projects, outcome)) if bucket_seconds == HOUR => {
            let hours = outcomes::hours(&tenants.db, caller.org_id, period, projects.as_deref()).await?;
            (hours.into_iter().filter(|(_, name, _)| outcome.is_none_or(|one| one == name)).collect(), None)
        }
        _ => {
            let (rows, are_all) = tenants.db.log_facet_values(caller.org_id, &filter).await?;
            let oldest = rows.last().map_or(period.to, FacetValues::time);
            let counted = rows.iter().map(|row| (row.time(), row.outcome.clone(), 1)).collect();
            (counted, (!are_all).then_some(oldest))
        }
    };
    let Period { from, to } = period;
    Ok(Json(LogHistogram {
        from,
        to,
        bucket_seconds,
        counted_since,
        buckets: buckets(counts, bucket_seconds),
    }))
}

fn length(period: Period) -> i64 {
    let fits = |(_, longest): &&(i64, Duration)| period.to.since(period.from) <= *longest;
    LENGTHS.iter().find(fits).map_or(HOUR, |(length, _)| *length)
}

/// Groups counts of outcomes by the bucket of their time.
fn buckets(counts: Vec<(Timestamp, String, i64)>, seconds: i64) -> Vec<LogBucket> {
    let length = seconds * 1_000_000;
    let mut buckets: BTreeMap<i64, BTreeMap<String, i64>> = BTreeMap::new();
    for (time, outcome, count) in counts {
        let start = time.micros().div_euclid(length) * length;
        *buckets.entry(start).or_default().entry(outcome).or_default() += count;
    }
    let bucket = |(start, by_outcome)| LogBucket { from: Timestamp::from_micros(start), by_outcome };
    buckets.into_iter().map(bucket).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_periods_have_short_buckets() {
        let from = Timestamp::from_micros(1_767_323_045_678_901);
        let of = |minutes| length(Period { from, to: from + Duration::from_mins(minutes) });
        assert_eq!([20, 21, 120, 360, 361].map(of), [10, 60, 60, 300, 3_600]);
    }

    #[test]
    fn counts_of_a_bucket_add_up_by_outcome() {
        let at = |second: i64| Timestamp::from_micros(second * 1_000_000);
        let counts = [
            (at(119), "allowed", 1),
            (at(60), "allowed", 2),
            (at(61), "blocked", 1),
            (at(120), "allowed", 1),
        ];
        let counted = buckets(counts.map(|(time, name, count)| (time, name.to_owned(), count)).to_vec(), 60);
        let shown: Vec<_> =
            counted.iter().map(|one| (one.from, one.by_outcome.values().sum::<i64>())).collect();
        assert_eq!(shown, [(at(60), 4), (at(120), 1)]);
        assert_eq!(counted[0].by_outcome["allowed"], 3);
    }
}
