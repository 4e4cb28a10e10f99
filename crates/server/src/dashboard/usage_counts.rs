//! Requests and credits of log entries by hour and dimension.

use std::collections::BTreeMap;

use guardengine_store::{ALL_PROJECTS, LogSummary, Timestamp, Usage, UsageCount};
use uuid::Uuid;

use super::counts::API_KEY;

/// The property of requests by which usage is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsageBy {
    /// Project, by identifier.
    Project,
    /// API key, by identifier.
    ApiKey,
    /// End user.
    User,
    /// Application.
    Application,
    /// Operation. Every log entry has one.
    Operation,
}

impl UsageBy {
    /// Every property.
    pub const ALL: [Self; 5] = [Self::Project, Self::ApiKey, Self::User, Self::Application, Self::Operation];

    /// Name of the dimension, and in the API.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::ApiKey => "api_key",
            Self::User => "user",
            Self::Application => "application",
            Self::Operation => "operation",
        }
    }

    /// Returns the value of a log entry; empty if it has none.
    pub fn value(self, entry: &LogSummary) -> String {
        match self {
            Self::Project => entry.project_id.map(|id| id.to_string()),
            Self::ApiKey => entry.principal.strip_prefix(API_KEY).map(str::to_owned),
            Self::User => entry.username.clone(),
            Self::Application => entry.source_app.clone(),
            Self::Operation => Some(entry.endpoint.clone()),
        }
        .unwrap_or_default()
    }
}

/// Returns the usage of one log entry.
pub fn usage_of(entry: &LogSummary) -> Usage {
    Usage {
        requests: 1,
        blocked: i64::from(entry.outcome == "blocked"),
        masked: i64::from(entry.outcome == "masked"),
        credits: entry.credits,
    }
}

/// Returns the usage of log entries as stored, in ascending order, each key once: by hour and by day, for each project and
/// for all projects.
pub fn stored(entries: &[LogSummary]) -> Vec<UsageCount> {
    let mut stored: BTreeMap<(String, Uuid, Timestamp, String), Usage> = BTreeMap::new();
    for entry in entries {
        for by in UsageBy::ALL {
            let times = [
                (by.name().to_owned(), entry.created_at.hour()),
                (format!("{}_by_day", by.name()), entry.created_at.day()),
            ];
            for (dimension, time) in times {
                for project in entry.project_id.into_iter().chain([ALL_PROJECTS]) {
                    let key = (dimension.clone(), project, time, by.value(entry));
                    *stored.entry(key).or_default() += usage_of(entry);
                }
            }
        }
    }
    let of = |((dimension, project_id, hour, name), usage)| UsageCount {
        dimension,
        hour,
        project_id,
        name,
        usage,
    };
    stored.into_iter().map(of).collect()
}
