//! Usage of a period by project, API key, end user, application or operation.

use std::{cmp::Reverse, collections::HashMap, time::Duration};

use guardengine_store::{Db, HourlyCount, MetricQuery, Period, PeriodUsage, Result, Timestamp, Usage};
use uuid::Uuid;

use super::{
    counts::{CREDITS, Counts, OUTCOME, PROJECT, project_name},
    usage_counts::{UsageBy, usage_of},
};

const HOUR: Duration = Duration::from_hours(1);

/// Usage of a period. Its parts add up to the totals.
#[derive(Debug)]
pub struct Breakdown {
    /// Usage of all log entries.
    pub totals: Usage,
    /// Usage by value, most credits first. The value is empty for log entries without one.
    pub rows: Vec<(String, Usage)>,
    /// Usage of all further values.
    pub others: Usage,
    /// Log entries that an earlier version counted without their values, and the time since which there are none.
    pub unattributed: Option<(Timestamp, Usage)>,
    /// Names that projects had in the period, by identifier. Empty unless the usage is by project.
    pub project_names: HashMap<String, String>,
}

/// Returns the usage of an organization's projects in a period, with at most `limit` rows. `None` means all projects and
/// requests without one.
pub async fn breakdown(
    db: &Db,
    org: Uuid,
    by: UsageBy,
    (period, projects): (Period, Option<&[Uuid]>),
    limit: usize,
) -> Result<Breakdown> {
    let over_period: &[_] = if by == UsageBy::Project { &[OUTCOME, PROJECT] } else { &[OUTCOME] };
    let query = MetricQuery { period, projects, by_hour: &[CREDITS], over_period };
    let stored = db.period_usage(org, &query, by.name()).await?;
    let mut attributed = stored.sum;
    for entry in &stored.rows {
        attributed += usage_of(entry);
    }
    let mut counts = Counts::of(&stored.rows).counts();
    counts.extend(stored.counts.iter().cloned());
    let totals = totals(&counts);
    let missing = totals - attributed;
    let unattributed = if missing == Usage::default() {
        None
    } else {
        Some((complete_since(db, org, period, projects).await?, missing))
    };
    let rows = top(by, stored, limit);
    let mut shown = Usage::default();
    for (_, usage) in &rows {
        shown += *usage;
    }
    let others = attributed - shown;
    Ok(Breakdown { totals, rows, others, unattributed, project_names: project_names(&counts) })
}

/// Returns the end of the last hour with log entries that were counted without their values. Every version that counts by
/// one of the values counts by operation.
async fn complete_since(db: &Db, org: Uuid, period: Period, projects: Option<&[Uuid]>) -> Result<Timestamp> {
    let last = db.last_hour_without_usage(org, period, projects, UsageBy::Operation.name()).await?;
    Ok(last.map_or(period.to, |hour| hour + HOUR))
}

/// Returns the usage of all log entries, which every version counts.
fn totals(counts: &[HourlyCount]) -> Usage {
    let mut totals = Usage::default();
    for HourlyCount { dimension, name, count, .. } in counts {
        match (dimension.as_str(), name.as_str()) {
            (CREDITS, _) => totals.credits += count,
            (OUTCOME, outcome) => {
                totals.requests += count;
                totals.blocked += if outcome == "blocked" { *count } else { 0 };
                totals.masked += if outcome == "masked" { *count } else { 0 };
            }
            _ => {}
        }
    }
    totals
}

fn project_names(counts: &[HourlyCount]) -> HashMap<String, String> {
    let names = counts.iter().filter(|one| one.dimension == PROJECT);
    let names = names.filter_map(|one| project_name(&one.name));
    names.map(|(id, name)| (id.to_string(), name.to_owned())).collect()
}

/// Returns the values with the most credits. Without all names, an uncounted entry of another name says nothing about the
/// usage of that name, which belongs to the others.
fn top(by: UsageBy, stored: PeriodUsage, limit: usize) -> Vec<(String, Usage)> {
    let mut usage: HashMap<String, Usage> = stored.names.into_iter().collect();
    for entry in &stored.rows {
        let value = by.value(entry);
        if stored.has_all_names || usage.contains_key(&value) {
            *usage.entry(value).or_default() += usage_of(entry);
        }
    }
    let mut rows: Vec<_> = usage.into_iter().collect();
    rows.sort_unstable_by(|(one, used), (other, others)| {
        let rank = |usage: &Usage| Reverse((usage.credits, usage.requests));
        (rank(used), one).cmp(&(rank(others), other))
    });
    rows.truncate(limit);
    rows
}
