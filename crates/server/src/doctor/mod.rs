//! Checks of an installation, each with the fix for its failure, for `guardengine doctor`.
//!
//! A check that fails means that the service cannot work as configured; a warning means that part of it cannot.

mod console;
mod engine;
mod keys;
mod log_sink;
mod media;
mod names;
mod redis;
mod running;
mod store;
mod system;

use serde::Serialize;
use utoipa::ToSchema;

use crate::config::Settings;

pub use running::{PartState, failed_parts, states};

/// The result of one check.
#[derive(Debug, Serialize)]
pub struct Check {
    /// Name of the check, such as `store`.
    pub name: &'static str,
    /// Result of the check.
    pub status: Status,
    /// Description of the result.
    pub detail: String,
    /// Recommended fix; `None` if the check passed.
    pub fix: Option<String>,
}

/// The outcome of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
#[schema(as = CheckStatus)]
pub enum Status {
    /// It works.
    Ok,
    /// Part of the service does not work.
    Warning,
    /// The service does not work as configured.
    Failed,
}

impl Status {
    /// Returns the word for people and programs.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Warning => "warning",
            Self::Failed => "failed",
        }
    }
}

impl Check {
    fn ok(name: &'static str, detail: impl Into<String>) -> Self {
        Self { name, status: Status::Ok, detail: detail.into(), fix: None }
    }

    fn warning(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, status: Status::Warning, detail: detail.into(), fix: Some(fix.into()) }
    }

    fn failed(name: &'static str, detail: impl Into<String>, fix: impl Into<String>) -> Self {
        Self { name, status: Status::Failed, detail: detail.into(), fix: Some(fix.into()) }
    }
}

/// Runs every check of the installation that `settings` describe.
pub async fn run(settings: &Settings) -> Vec<Check> {
    let mut checks = vec![system::data_dir(settings), system::master_key(settings)];
    let (store, growth) = store::check(settings).await;
    checks.extend(store);
    checks.push(system::disk(settings, growth));
    checks.push(engine::check(settings));
    checks.extend(media::check(settings).await);
    checks.extend(redis::check(settings).await);
    checks.extend([log_sink::check(), console::check(), system::certificates(), system::clock()]);
    checks.push(running::check(settings).await);
    checks
}
