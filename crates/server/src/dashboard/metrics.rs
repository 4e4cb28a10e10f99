//! Dashboard metrics of a period, as the API returns them.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use guardengine_store::{Db, HourlyCount, MetricQuery, Period, Result, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    counts::{
        APP, BLOCKED_APP, BLOCKED_KEY, BLOCKED_USER, BUCKETS, Counts, GUARDRAIL, LATENCY, ONLY_IN_ALL,
        OUTCOME, PROJECT, SCORE, THREAT, USER, project_name, score_of,
    },
    latency_buckets::percentile,
};

/// Length of the top lists.
const TOP: usize = 10;

/// Requests by outcome; the fields except `unlogged` add up to `requests`.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Totals {
    /// Requests that passed the credential check.
    pub requests: i64,
    /// Allowed.
    pub allowed: i64,
    /// Blocked.
    pub blocked: i64,
    /// Allowed with PII masked.
    pub masked: i64,
    /// Challenged.
    pub challenged: i64,
    /// Escalated.
    pub escalated: i64,
    /// Allowed, but a shadow policy would block it, or an allowed keyword or exception overrode a block.
    pub would_block: i64,
    /// Not evaluated: refused, failed before a verdict, or in a direction that the policy does not guard.
    pub not_judged: i64,
    /// Requests without a log entry: refused, or failed before a verdict. They were not evaluated either.
    pub unlogged: i64,
}

/// Number of log entries with a name.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Number of log entries.
    pub count: i64,
}

/// Threats in one hour.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct HourOfThreats {
    /// Start of the hour.
    #[schema(value_type = String, format = DateTime)]
    pub hour: Timestamp,
    /// Requests in which anything triggered.
    pub total: i64,
    /// Requests in which each guardrail triggered. A request counts for every guardrail that triggered.
    pub by_guardrail: BTreeMap<String, i64>,
}

/// Log entries in one hour.
#[derive(Debug, Serialize, ToSchema)]
pub struct HourOfOutcomes {
    /// Start of the hour.
    #[schema(value_type = String, format = DateTime)]
    pub hour: Timestamp,
    /// Number of log entries by outcome.
    pub by_outcome: BTreeMap<String, i64>,
}

/// Latency percentiles in milliseconds, rounded up to two significant digits; null without any request.
#[derive(Debug, Serialize, ToSchema)]
pub struct Latency {
    /// Median.
    pub p50: Option<i64>,
    /// 95th percentile.
    pub p95: Option<i64>,
    /// 99th percentile.
    pub p99: Option<i64>,
}

/// Distribution of a guardrail's confidences.
#[derive(Debug, Serialize, ToSchema)]
pub struct Confidences {
    /// Wire name of the guardrail.
    pub guardrail: String,
    /// Requests by the highest confidence of the guardrail, triggered or not, in twenty buckets from 0 to 1.
    pub buckets: Vec<i64>,
}

/// Dashboard metrics of a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardMetrics {
    /// Totals of the period.
    pub totals: Totals,
    /// Totals of the preceding period of the same length.
    pub previous: Totals,
    /// Guardrails that triggered most often.
    pub top_guardrails: Vec<Named>,
    /// Threats in every hour of the period.
    pub threats_per_hour: Vec<HourOfThreats>,
    /// Log entries in every hour of the period.
    pub outcomes_per_hour: Vec<HourOfOutcomes>,
    /// Projects with the most requests.
    pub top_projects: Vec<Named>,
    /// End users with the most requests.
    pub top_users: Vec<Named>,
    /// Applications with the most requests.
    pub top_apps: Vec<Named>,
    /// End users with the most blocked requests.
    pub top_blocked_users: Vec<Named>,
    /// Applications with the most blocked requests.
    pub top_blocked_apps: Vec<Named>,
    /// API keys with the most blocked requests, by identifier.
    pub top_blocked_keys: Vec<Named>,
    /// Processing times of evaluated requests.
    pub latency_ms: Latency,
    /// Confidences of every guardrail that ran.
    pub confidences: Vec<Confidences>,
}

/// Returns the metrics of an organization's projects in a period. `None` means all projects and requests without one.
pub async fn metrics(
    db: &Db,
    org: Uuid,
    period: Period,
    projects: Option<&[Uuid]>,
) -> Result<DashboardMetrics> {
    let query =
        MetricQuery { period, projects, by_hour: &[OUTCOME, THREAT, GUARDRAIL], over_period: ONLY_IN_ALL };
    let previous_query =
        MetricQuery { period: period.previous(), by_hour: &[], over_period: &[OUTCOME], ..query };
    let counts = PeriodCounts::load(db, org, &query).await?;
    let previous = PeriodCounts::load(db, org, &previous_query).await?;
    // A minute belongs to the period of its start, except the last minute.
    let (from, first) = (period.from.minute(), period.previous().from.minute());
    Ok(DashboardMetrics {
        totals: counts.totals(unevaluated(db, org, (from, period.to), projects).await?),
        previous: previous.totals(unevaluated(db, org, (first, from), projects).await?),
        top_guardrails: top(counts.by_name(GUARDRAIL)),
        threats_per_hour: counts.threats(period),
        outcomes_per_hour: counts.outcomes(period),
        top_projects: top(counts.projects(db, org).await?),
        top_users: top(counts.by_name(USER)),
        top_apps: top(counts.by_name(APP)),
        top_blocked_users: top(counts.by_name(BLOCKED_USER)),
        top_blocked_apps: top(counts.by_name(BLOCKED_APP)),
        top_blocked_keys: top(counts.by_name(BLOCKED_KEY)),
        latency_ms: counts.latency(),
        confidences: counts.confidences(),
    })
}

async fn unevaluated(
    db: &Db,
    org: Uuid,
    (from, to): (Timestamp, Timestamp),
    projects: Option<&[Uuid]>,
) -> Result<i64> {
    let counted = db.unevaluated_counts(org, from, to).await?;
    let is_selected = |(project, _): &&(Uuid, i64)| projects.is_none_or(|ids| ids.contains(project));
    Ok(counted.iter().filter(is_selected).map(|(_, count)| count).sum())
}

fn top(counts: HashMap<String, i64>) -> Vec<Named> {
    let mut named: Vec<_> = counts.into_iter().map(|(name, count)| Named { name, count }).collect();
    named.sort_unstable_by(|one, other| {
        (Reverse(one.count), &one.name).cmp(&(Reverse(other.count), &other.name))
    });
    named.truncate(TOP);
    named
}

pub(super) struct PeriodCounts(Vec<HourlyCount>);

impl PeriodCounts {
    pub(super) async fn load(db: &Db, org: Uuid, query: &MetricQuery<'_>) -> Result<Self> {
        let stored = db.metric_counts(org, query).await?;
        let mut counts = Counts::of(&stored.rows).counts();
        counts.extend(stored.counts);
        Ok(Self(counts))
    }

    pub(super) fn of(&self, dimension: &str) -> impl Iterator<Item = &HourlyCount> {
        self.0.iter().filter(move |one| one.dimension == dimension)
    }

    fn by_name(&self, dimension: &str) -> HashMap<String, i64> {
        let mut counts: HashMap<String, i64> = HashMap::new();
        for one in self.of(dimension) {
            *counts.entry(one.name.clone()).or_default() += one.count;
        }
        counts
    }

    fn confidences(&self) -> Vec<Confidences> {
        let mut by_guardrail: BTreeMap<&str, Vec<i64>> = BTreeMap::new();
        for one in self.of(SCORE) {
            let Some((guardrail, bucket)) = score_of(&one.name) else { continue };
            by_guardrail.entry(guardrail).or_insert_with(|| vec![0; BUCKETS])[bucket] += one.count;
        }
        let confidences =
            |(guardrail, buckets): (&str, _)| Confidences { guardrail: guardrail.to_owned(), buckets };
        by_guardrail.into_iter().map(confidences).collect()
    }

    fn totals(&self, unevaluated: i64) -> Totals {
        let counts = self.by_name(OUTCOME);
        let of = |outcome| counts.get(outcome).copied().unwrap_or(0);
        Totals {
            requests: counts.values().sum::<i64>() + unevaluated,
            allowed: of("allowed"),
            blocked: of("blocked"),
            masked: of("masked"),
            challenged: of("challenged"),
            escalated: of("escalated"),
            would_block: of("would_block"),
            not_judged: of("not_judged") + unevaluated,
            unlogged: unevaluated,
        }
    }

    fn threats(&self, period: Period) -> Vec<HourOfThreats> {
        let empty = |hour| (hour, HourOfThreats { hour, ..HourOfThreats::default() });
        let mut hours: BTreeMap<_, _> = period.from.hours_until(period.to).map(empty).collect();
        for one in &self.0 {
            let Some(hour) = hours.get_mut(&one.hour) else { continue };
            match one.dimension.as_str() {
                THREAT => hour.total += one.count,
                GUARDRAIL => *hour.by_guardrail.entry(one.name.clone()).or_default() += one.count,
                _ => {}
            }
        }
        hours.into_values().collect()
    }

    fn outcomes(&self, period: Period) -> Vec<HourOfOutcomes> {
        let empty = |hour| (hour, HourOfOutcomes { hour, by_outcome: BTreeMap::new() });
        let mut hours: BTreeMap<_, _> = period.from.hours_until(period.to).map(empty).collect();
        for one in self.of(OUTCOME) {
            let Some(hour) = hours.get_mut(&one.hour) else { continue };
            *hour.by_outcome.entry(one.name.clone()).or_default() += one.count;
        }
        hours.into_values().collect()
    }

    /// Returns the requests by project name: the current name, or the last one of a deleted project.
    async fn projects(&self, db: &Db, org: Uuid) -> Result<HashMap<String, i64>> {
        let current: HashMap<Uuid, String> =
            db.projects(org, None).await?.into_iter().map(|project| (project.id, project.name)).collect();
        let mut counts: HashMap<String, i64> = HashMap::new();
        for one in self.of(PROJECT) {
            let Some((id, last_name)) = project_name(&one.name) else { continue };
            let name = current.get(&id).map_or(last_name, String::as_str);
            *counts.entry(name.to_owned()).or_default() += one.count;
        }
        Ok(counts)
    }

    fn latency(&self) -> Latency {
        let counted = self.by_name(LATENCY);
        let mut buckets: Vec<(i64, i64)> =
            counted.into_iter().filter_map(|(bound, count)| Some((bound.parse().ok()?, count))).collect();
        buckets.sort_unstable();
        let of = |share| percentile(&buckets, share);
        Latency { p50: of(0.5), p95: of(0.95), p99: of(0.99) }
    }
}
