//! `audit verify`: checks the hash chain of every audit trail.

use std::process::ExitCode;

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use guardengine_store::{AuditVerdict, Db};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ConfigFlags, print_text, runtime};
use crate::data_dir::DataDir;

#[derive(Debug, Subcommand)]
pub enum Command {
    /// Check the audit trails of all organizations and of the installation
    ///
    /// Prints one JSON object per trail: whether it is sound, and if not, the first altered or missing entry.
    /// Exits with 0 if all trails are sound, 1 otherwise. Can run while the service runs.
    Verify(Verify),
}

#[derive(Debug, Args)]
pub struct Verify {
    /// Check the trail of this organization only
    #[arg(long, value_name = "ORG_ID")]
    org: Option<Uuid>,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl Command {
    pub fn run(self) -> Result<ExitCode> {
        let Self::Verify(verify) = self;
        runtime()?.block_on(verify.run())
    }
}

impl Verify {
    async fn run(self) -> Result<ExitCode> {
        let settings = self.flags.settings()?;
        // A restore must not replace the database meanwhile.
        let _folder = DataDir::shared(&settings.data_dir)?;
        let db = Db::open(settings.database_url.expose()).await.context("cannot open the database")?;
        let mut are_sound = true;
        for (org, name) in self.trails(&db).await? {
            let verdict = db.verify_audit(org).await?;
            are_sound &= verdict.first_altered.is_none();
            print_text(&format!("{}\n", report(org, &name, verdict)))?;
        }
        db.close().await;
        Ok(if are_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Returns ids and names of the trails to check. The nil id stands for the installation.
    async fn trails(&self, db: &Db) -> Result<Vec<(Uuid, String)>> {
        let orgs = db.orgs().await?.into_iter().map(|org| (org.id, org.name));
        let all = std::iter::once((Uuid::nil(), "installation".to_owned())).chain(orgs);
        let selected: Vec<_> = all.filter(|(id, _)| self.org.is_none_or(|org| org == *id)).collect();
        if selected.is_empty() {
            bail!("organization not found");
        }
        Ok(selected)
    }
}

fn report(org: Uuid, name: &str, verdict: AuditVerdict) -> Value {
    json!({
        "org_id": org,
        "name": name,
        "sound": verdict.first_altered.is_none(),
        "first_altered": verdict.first_altered,
        "begins_after": verdict.begins_after,
        "ends_with": verdict.ends_with,
    })
}
