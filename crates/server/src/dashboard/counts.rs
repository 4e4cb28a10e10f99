//! What is counted of a row.

use std::collections::{BTreeMap, BTreeSet};

use guardengine_store::{EVERY_PROJECT, HourlyCount, LogSummary, Timestamp};
use serde::Deserialize;
use uuid::Uuid;

use super::latency_buckets::bucket;

/// Each row has one.
pub const OUTCOME: &str = "outcome";
/// Rows in which anything triggered; its only name is empty.
pub const THREAT: &str = "threat";
/// A row for each that triggered.
pub const GUARDRAIL: &str = "guardrail";
/// By id and name; see [`project_name`].
pub const PROJECT: &str = "project";
/// End users.
pub const USER: &str = "user";
/// Applications.
pub const APP: &str = "app";
/// By the upper bound of the bucket, milliseconds.
pub const LATENCY: &str = "latency";

/// By guardrail and bucket of its confidence; see [`score_of`].
pub const SCORE: &str = "score";
/// Confidences are counted in so many buckets of the same width.
pub const BUCKETS: usize = 20;

/// What is told of a period as a whole.
pub const IN_ALL: &[&str] = &[OUTCOME, PROJECT, USER, APP, LATENCY, SCORE];

/// Counts by dimension, hour, project and name.
#[derive(Default)]
pub struct Counts(BTreeMap<(&'static str, Timestamp, Uuid, String), i64>);

#[derive(Deserialize)]
struct Triggered {
    name: String,
}

impl Counts {
    /// The counts of `rows`.
    pub fn of(rows: &[LogSummary]) -> Self {
        let mut tally = Self::default();
        for row in rows {
            tally.add(row);
        }
        tally
    }

    fn add(&mut self, row: &LogSummary) {
        let (hour, project) = (row.created_at.hour(), row.project_id.unwrap_or_default());
        let mut count = |dimension, name: &str| {
            *self.0.entry((dimension, hour, project, name.to_owned())).or_default() += 1;
        };
        count(OUTCOME, &row.outcome);
        count(LATENCY, &bucket(row.processing_time_ms).to_string());
        if let Some((id, name)) = row.project_id.zip(row.project_name.as_ref()) {
            count(PROJECT, &format!("{id} {name}"));
        }
        for (dimension, name) in [(USER, &row.username), (APP, &row.source_app)] {
            if let Some(name) = name {
                count(dimension, name);
            }
        }
        let stood: Vec<(&str, f64, f64)> = serde_json::from_str(&row.confidences).unwrap_or_default();
        for (guardrail, confidence, _) in stood {
            count(SCORE, &format!("{guardrail} {}", bucket_of(confidence)));
        }
        let triggered = triggered(row);
        if !triggered.is_empty() {
            count(THREAT, "");
        }
        for name in &triggered {
            count(GUARDRAIL, name);
        }
    }

    /// The counts, each key once, in ascending order.
    pub fn counts(self) -> Vec<HourlyCount> {
        let of = |((dimension, hour, project_id, name), count)| HourlyCount {
            dimension: String::from(dimension),
            hour,
            project_id,
            name,
            count,
        };
        self.0.into_iter().map(of).collect()
    }

    /// The counts as they are kept: for each project and for all together, by the hour and, of what is told in all, by
    /// the day. Each key once, in ascending order.
    pub fn kept(self) -> Vec<HourlyCount> {
        let mut kept: BTreeMap<(String, Uuid, Timestamp, String), i64> = BTreeMap::new();
        for ((dimension, hour, project, name), count) in self.0 {
            let by_hour = (dimension.to_owned(), hour);
            let by_day = IN_ALL.contains(&dimension).then(|| (format!("{dimension}_by_day"), hour.day()));
            for (dimension, time) in std::iter::once(by_hour).chain(by_day) {
                let own = Some(project).filter(|id| !id.is_nil());
                for project in own.into_iter().chain([EVERY_PROJECT]) {
                    *kept.entry((dimension.clone(), project, time, name.clone())).or_default() += count;
                }
            }
        }
        let of = |((dimension, project_id, hour, name), count)| HourlyCount {
            dimension,
            hour,
            project_id,
            name,
            count,
        };
        kept.into_iter().map(of).collect()
    }
}

/// Id and name of a count by project.
pub fn project_name(name: &str) -> Option<(Uuid, &str)> {
    let (id, name) = name.split_once(' ')?;
    Some((id.parse().ok()?, name))
}

/// A confidence of 1 belongs to the last bucket.
fn bucket_of(confidence: f64) -> usize {
    ((confidence.max(0.0) * BUCKETS as f64) as usize).min(BUCKETS - 1)
}

/// Guardrail and bucket of a count by score.
pub fn score_of(name: &str) -> Option<(&str, usize)> {
    let (guardrail, bucket) = name.split_once(' ')?;
    Some((guardrail, bucket.parse().ok().filter(|bucket| *bucket < BUCKETS)?))
}

/// The names of what triggered, each once.
fn triggered(row: &LogSummary) -> BTreeSet<String> {
    let listed: Vec<Triggered> = serde_json::from_str(&row.triggered_guardrails).unwrap_or_default();
    listed.into_iter().map(|one| one.name).collect()
}
