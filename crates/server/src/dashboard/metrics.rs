//! What is told of a period.

use std::{
    cmp::Reverse,
    collections::{BTreeMap, HashMap},
};

use guardengine_store::{Db, HourlyCount, Period, Result, Timestamp, Wanted};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::{
    counts::{
        APP, BUCKETS, Counts, GUARDRAIL, IN_ALL, LATENCY, OUTCOME, PROJECT, SCORE, THREAT, USER,
        project_name, score_of,
    },
    latency_buckets::percentile,
};

const TOP: usize = 10;

/// Requests by what became of them; the seven others add up to `requests`.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct Totals {
    /// All that passed the credential check.
    pub requests: i64,
    /// Let through.
    pub allowed: i64,
    /// Blocked.
    pub blocked: i64,
    /// Let through with personal data masked.
    pub masked: i64,
    /// Challenged.
    pub challenged: i64,
    /// Escalated.
    pub escalated: i64,
    /// Let through, but for a shadow policy or an allowed keyword.
    pub would_block: i64,
    /// Refused or failed before a verdict, or of a direction that the policy does not guard.
    pub not_judged: i64,
}

/// How many rows have a name in common.
#[derive(Debug, Serialize, ToSchema)]
pub struct Named {
    /// The name.
    pub name: String,
    /// How many.
    pub count: i64,
}

/// Threats of an hour.
#[derive(Debug, Default, Serialize, ToSchema)]
pub struct HourOfThreats {
    /// Its beginning.
    #[schema(value_type = String, format = DateTime)]
    pub hour: Timestamp,
    /// Requests in which anything triggered.
    pub total: i64,
    /// Requests in which each of them triggered; several may in one.
    pub by_guardrail: BTreeMap<String, i64>,
}

/// Milliseconds, rounded up to two significant digits; null without any request.
#[derive(Debug, Serialize, ToSchema)]
pub struct Latency {
    /// Half of the requests took no longer.
    pub p50: Option<i64>,
    /// 95 of 100 took no longer.
    pub p95: Option<i64>,
    /// 99 of 100 took no longer.
    pub p99: Option<i64>,
}

/// How confident a guardrail was.
#[derive(Debug, Serialize, ToSchema)]
pub struct Confidences {
    /// Wire name.
    pub guardrail: String,
    /// Requests by its highest confidence, whether it triggered or not: twenty buckets from 0 to 1.
    pub buckets: Vec<i64>,
}

/// The figures of a period.
#[derive(Debug, Serialize, ToSchema)]
pub struct DashboardMetrics {
    /// Of the period.
    pub totals: Totals,
    /// Of the equally long period right before.
    pub previous: Totals,
    /// Those that triggered most often.
    pub top_guardrails: Vec<Named>,
    /// Every hour of the period.
    pub threats_per_hour: Vec<HourOfThreats>,
    /// Those with most requests.
    pub top_projects: Vec<Named>,
    /// End users with most requests.
    pub top_users: Vec<Named>,
    /// Applications with most requests.
    pub top_apps: Vec<Named>,
    /// Time spent in the service by judged requests.
    pub latency_ms: Latency,
    /// Every guardrail that ran.
    pub confidences: Vec<Confidences>,
}

/// The figures of an organisation's projects (all, and requests without one, where `None`) in a period.
pub async fn metrics(
    db: &Db,
    org: Uuid,
    period: Period,
    projects: Option<&[Uuid]>,
) -> Result<DashboardMetrics> {
    let all = Wanted { period, projects, by_hour: &[THREAT, GUARDRAIL], in_all: IN_ALL };
    let before = Wanted { period: period.previous(), by_hour: &[], in_all: &[OUTCOME], ..all };
    let counts = PeriodCounts::gathered(db, org, &all).await?;
    let earlier = PeriodCounts::gathered(db, org, &before).await?;
    // A minute belongs to the period that its beginning belongs to, but for the last one.
    let (from, first) = (period.from.minute(), period.previous().from.minute());
    Ok(DashboardMetrics {
        totals: counts.totals(unjudged(db, org, (from, period.to), projects).await?),
        previous: earlier.totals(unjudged(db, org, (first, from), projects).await?),
        top_guardrails: top(counts.by_name(GUARDRAIL)),
        threats_per_hour: counts.threats(period),
        top_projects: top(counts.projects(db, org).await?),
        top_users: top(counts.by_name(USER)),
        top_apps: top(counts.by_name(APP)),
        latency_ms: counts.latency(),
        confidences: counts.confidences(),
    })
}

async fn unjudged(
    db: &Db,
    org: Uuid,
    (from, to): (Timestamp, Timestamp),
    projects: Option<&[Uuid]>,
) -> Result<i64> {
    let counted = db.unjudged(org, from, to).await?;
    let wanted = |(project, _): &&(Uuid, i64)| projects.is_none_or(|ids| ids.contains(project));
    Ok(counted.iter().filter(wanted).map(|(_, count)| count).sum())
}

fn top(counts: HashMap<String, i64>) -> Vec<Named> {
    let mut named: Vec<_> = counts.into_iter().map(|(name, count)| Named { name, count }).collect();
    named.sort_unstable_by(|one, other| {
        (Reverse(one.count), &one.name).cmp(&(Reverse(other.count), &other.name))
    });
    named.truncate(TOP);
    named
}

struct PeriodCounts(Vec<HourlyCount>);

impl PeriodCounts {
    async fn gathered(db: &Db, org: Uuid, wanted: &Wanted<'_>) -> Result<Self> {
        let gathered = db.figures(org, wanted).await?;
        let mut counts = Counts::of(&gathered.rows).counts();
        counts.extend(gathered.counts);
        Ok(Self(counts))
    }

    fn of(&self, dimension: &str) -> impl Iterator<Item = &HourlyCount> {
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

    fn totals(&self, unjudged: i64) -> Totals {
        let counts = self.by_name(OUTCOME);
        let of = |outcome| counts.get(outcome).copied().unwrap_or(0);
        Totals {
            requests: counts.values().sum::<i64>() + unjudged,
            allowed: of("allowed"),
            blocked: of("blocked"),
            masked: of("masked"),
            challenged: of("challenged"),
            escalated: of("escalated"),
            would_block: of("would_block"),
            not_judged: of("not_judged") + unjudged,
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

    /// By the names that projects have now, or had last.
    async fn projects(&self, db: &Db, org: Uuid) -> Result<HashMap<String, i64>> {
        let now: HashMap<Uuid, String> =
            db.projects(org, None).await?.into_iter().map(|project| (project.id, project.name)).collect();
        let mut counts: HashMap<String, i64> = HashMap::new();
        for one in self.of(PROJECT) {
            let Some((id, then)) = project_name(&one.name) else { continue };
            let name = now.get(&id).map_or(then, String::as_str);
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
