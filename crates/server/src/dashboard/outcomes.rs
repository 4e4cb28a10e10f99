//! Log entries over time, by outcome.

use guardengine_store::{Db, MetricQuery, Period, Result, Timestamp};
use uuid::Uuid;

use super::{counts::OUTCOME, metrics::PeriodCounts};

/// Returns the number of log entries by hour and outcome. `None` means all projects and entries without one.
pub async fn hours(
    db: &Db,
    org: Uuid,
    period: Period,
    projects: Option<&[Uuid]>,
) -> Result<Vec<(Timestamp, String, i64)>> {
    let query = MetricQuery { period, projects, by_hour: &[OUTCOME], over_period: &[] };
    let counts = PeriodCounts::load(db, org, &query).await?;
    Ok(counts.of(OUTCOME).map(|one| (one.hour, one.name.clone(), one.count)).collect())
}
