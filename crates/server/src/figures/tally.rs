//! What is counted of a row.

use std::collections::{BTreeMap, BTreeSet};

use guardengine_store::{HourlyCount, LogSummary, Timestamp};
use serde::Deserialize;
use uuid::Uuid;

use super::latency::bucket;

/// Each row has one.
pub const OUTCOME: &str = "outcome";
/// Rows in which anything triggered; its only name is empty.
pub const THREAT: &str = "threat";
/// A row for each that triggered.
pub const GUARDRAIL: &str = "guardrail";
/// By name; the project's id stands beside.
pub const PROJECT: &str = "project";
/// End users.
pub const USER: &str = "user";
/// Applications.
pub const APP: &str = "app";
/// By the upper bound of the bucket, milliseconds.
pub const LATENCY: &str = "latency";

/// Counts by dimension, hour, project and name.
#[derive(Default)]
pub struct Tally(BTreeMap<(&'static str, Timestamp, Uuid, String), i64>);

#[derive(Deserialize)]
struct Triggered {
    name: String,
}

impl Tally {
    /// The counts of `rows`.
    pub fn of(rows: &[LogSummary]) -> Self {
        let mut tally = Self::default();
        rows.iter().for_each(|row| tally.add(row));
        tally
    }

    fn add(&mut self, row: &LogSummary) {
        let (hour, project) = (row.created_at.hour(), row.project_id.unwrap_or_default());
        let mut count = |dimension, name: &str| {
            *self.0.entry((dimension, hour, project, name.to_owned())).or_default() += 1;
        };
        count(OUTCOME, &row.outcome);
        count(LATENCY, &bucket(row.processing_time_ms).to_string());
        let named = [(PROJECT, &row.project_name), (USER, &row.username), (APP, &row.source_app)];
        for (dimension, name) in named {
            if let Some(name) = name {
                count(dimension, name);
            }
        }
        let triggered = triggered(row);
        if !triggered.is_empty() {
            count(THREAT, "");
        }
        triggered.iter().for_each(|name| count(GUARDRAIL, name));
    }

    /// Each key once, in ascending order.
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
}

/// The names of what triggered, each once.
fn triggered(row: &LogSummary) -> BTreeSet<String> {
    let listed: Vec<Triggered> = serde_json::from_str(&row.triggered_guardrails).unwrap_or_default();
    listed.into_iter().map(|one| one.name).collect()
}
