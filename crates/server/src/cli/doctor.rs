//! `doctor`: checks the installation and names the fix for each failure.

use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use serde_json::json;

use super::{ConfigFlags, print_text, runtime};
use crate::doctor::{self, Check, Status};

/// The arguments of `doctor`.
#[derive(Debug, Args)]
pub struct Doctor {
    /// Print the checks as one JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl Doctor {
    /// Prints every check; the exit code is 1 when one failed.
    pub fn run(&self) -> Result<ExitCode> {
        let settings = self.flags.settings()?;
        let checks = runtime()?.block_on(doctor::run(&settings));
        print_text(&if self.json { format!("{}\n", json!({ "checks": checks })) } else { text(&checks) })?;
        let has_failed = checks.iter().any(|check| check.status == Status::Failed);
        Ok(if has_failed { ExitCode::FAILURE } else { ExitCode::SUCCESS })
    }
}

fn text(checks: &[Check]) -> String {
    let line = |check: &Check| {
        let fix = check.fix.as_ref().map(|fix| format!("\n{:24}fix: {fix}", "")).unwrap_or_default();
        format!("{:8}  {:12}  {}{fix}\n", check.status.name(), check.name, check.detail)
    };
    checks.iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_check_shows_its_fix() {
        let check = Check {
            name: "disk",
            status: Status::Failed,
            detail: "3 MiB free".to_owned(),
            fix: Some("free space".to_owned()),
        };
        let shown = text(&[check]);
        assert!(shown.contains("failed    disk") && shown.contains("fix: free space"), "{shown}");
    }
}
