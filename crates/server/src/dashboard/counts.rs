//! Hourly counts of log entries by dimension.

use std::collections::{BTreeMap, BTreeSet};

use guardengine_store::{ALL_PROJECTS, HourlyCount, LogSummary, Timestamp};
use serde::Deserialize;
use uuid::Uuid;

use super::latency_buckets::bucket;

/// Outcome of the request; every log entry has one.
pub const OUTCOME: &str = "outcome";
/// Log entries in which anything triggered; the name is empty.
pub const THREAT: &str = "threat";
/// Guardrails that triggered.
pub const GUARDRAIL: &str = "guardrail";
/// Projects, by id and name; see [`project_name`].
pub const PROJECT: &str = "project";
/// End users.
pub const USER: &str = "user";
/// Applications.
pub const APP: &str = "app";
/// End users of blocked requests.
pub const BLOCKED_USER: &str = "blocked_user";
/// Applications of blocked requests.
pub const BLOCKED_APP: &str = "blocked_app";
/// API keys of blocked requests, by identifier.
pub const BLOCKED_KEY: &str = "blocked_key";
/// Processing times, by the upper bound of the bucket in milliseconds.
pub const LATENCY: &str = "latency";

/// Credits charged; the name is empty. Counted by hour only.
pub const CREDITS: &str = "credits";

/// Confidences, by guardrail and bucket; see [`score_of`].
pub const SCORE: &str = "score";
/// Number of equally wide buckets for confidences.
pub const BUCKETS: usize = 20;

/// Dimensions that are reported for a period as a whole.
pub const IN_ALL: &[&str] =
    &[OUTCOME, PROJECT, USER, APP, BLOCKED_USER, BLOCKED_APP, BLOCKED_KEY, LATENCY, SCORE];
/// The same without those that are also reported by hour.
pub const ONLY_IN_ALL: &[&str] =
    &[PROJECT, USER, APP, BLOCKED_USER, BLOCKED_APP, BLOCKED_KEY, LATENCY, SCORE];
/// Start of the principal of an API key.
pub const API_KEY: &str = "api_key:";

/// Counts by dimension, hour, project and name.
#[derive(Default)]
pub struct Counts(BTreeMap<(&'static str, Timestamp, Uuid, String), i64>);

#[derive(Deserialize)]
struct Triggered {
    name: String,
}

impl Counts {
    /// Returns the counts of `entries`.
    pub fn of(entries: &[LogSummary]) -> Self {
        let mut counts = Self::default();
        for entry in entries {
            counts.add(entry);
        }
        counts
    }

    fn add(&mut self, entry: &LogSummary) {
        let (hour, project) = (entry.created_at.hour(), entry.project_id.unwrap_or_default());
        let mut add = |dimension, name: &str, amount| {
            *self.0.entry((dimension, hour, project, name.to_owned())).or_default() += amount;
        };
        if entry.credits != 0 {
            add(CREDITS, "", entry.credits);
        }
        let mut count = |dimension, name: &str| add(dimension, name, 1);
        count(OUTCOME, &entry.outcome);
        count(LATENCY, &bucket(entry.processing_time_ms).to_string());
        if let Some((id, name)) = entry.project_id.zip(entry.project_name.as_ref()) {
            count(PROJECT, &format!("{id} {name}"));
        }
        let is_blocked = entry.outcome == "blocked";
        let names = [(USER, BLOCKED_USER, &entry.username), (APP, BLOCKED_APP, &entry.source_app)];
        for (dimension, blocked, name) in names {
            let Some(name) = name else { continue };
            count(dimension, name);
            if is_blocked {
                count(blocked, name);
            }
        }
        if let Some(key) = entry.principal.strip_prefix(API_KEY).filter(|_| is_blocked) {
            count(BLOCKED_KEY, key);
        }
        let scores: Vec<(&str, f64, f64)> = serde_json::from_str(&entry.confidences).unwrap_or_default();
        for (guardrail, confidence, _) in scores {
            count(SCORE, &format!("{guardrail} {}", bucket_of(confidence)));
        }
        let triggered = triggered(entry);
        if !triggered.is_empty() {
            count(THREAT, "");
        }
        for name in &triggered {
            count(GUARDRAIL, name);
        }
    }

    /// Returns the counts in ascending order, each key once.
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

    /// Returns the counts as stored, in ascending order, each key once: by hour for each project and for all projects, and
    /// for the dimensions of [`IN_ALL`] also by day.
    pub fn stored(self) -> Vec<HourlyCount> {
        let mut stored: BTreeMap<(String, Uuid, Timestamp, String), i64> = BTreeMap::new();
        for ((dimension, hour, project, name), count) in self.0 {
            let by_hour = (dimension.to_owned(), hour);
            let by_day = IN_ALL.contains(&dimension).then(|| (format!("{dimension}_by_day"), hour.day()));
            for (dimension, time) in std::iter::once(by_hour).chain(by_day) {
                let own = Some(project).filter(|id| !id.is_nil());
                for project in own.into_iter().chain([ALL_PROJECTS]) {
                    *stored.entry((dimension.clone(), project, time, name.clone())).or_default() += count;
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
        stored.into_iter().map(of).collect()
    }
}

/// Returns id and name of a count by project.
pub fn project_name(name: &str) -> Option<(Uuid, &str)> {
    let (id, name) = name.split_once(' ')?;
    Some((id.parse().ok()?, name))
}

/// Returns the bucket of a confidence; 1 belongs to the last bucket.
fn bucket_of(confidence: f64) -> usize {
    ((confidence.max(0.0) * BUCKETS as f64) as usize).min(BUCKETS - 1)
}

/// Returns guardrail and bucket of a count by score.
pub fn score_of(name: &str) -> Option<(&str, usize)> {
    let (guardrail, bucket) = name.split_once(' ')?;
    Some((guardrail, bucket.parse().ok().filter(|bucket| *bucket < BUCKETS)?))
}

/// Returns the names of the guardrails that triggered, each once.
fn triggered(entry: &LogSummary) -> BTreeSet<String> {
    let listed: Vec<Triggered> = serde_json::from_str(&entry.triggered_guardrails).unwrap_or_default();
    listed.into_iter().map(|one| one.name).collect()
}
