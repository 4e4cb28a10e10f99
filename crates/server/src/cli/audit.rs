//! `audit verify`: checks every audit trail, also against heads that were kept elsewhere.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufRead as _, BufReader},
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, bail};
use clap::{Args, Subcommand};
use guardengine_store::{AuditHead, AuditVerdict, Db, HeadCheck};
use guardengine_vault::Vault;
use serde_json::{Value, json};
use uuid::Uuid;

use super::{ConfigFlags, print_text, runtime};
use crate::{app::existing_master_key, config::Settings, data_dir::DataDir};

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
    /// Check that a trail holds this head, which was kept elsewhere: ORG_ID:SEQUENCE:HASH; with --org also SEQUENCE:HASH
    #[arg(long, value_name = "HEAD")]
    head: Vec<String>,
    /// Check the heads in this file, such as a service log: every ORG_ID:SEQUENCE:HASH in it
    #[arg(long, value_name = "FILE")]
    heads: Option<PathBuf>,
    #[command(flatten)]
    flags: ConfigFlags,
}

/// Kept heads of each trail.
type Heads = BTreeMap<Uuid, Vec<AuditHead>>;

impl Command {
    pub fn run(self) -> Result<ExitCode> {
        let Self::Verify(verify) = self;
        runtime()?.block_on(verify.run())
    }
}

impl Verify {
    async fn run(self) -> Result<ExitCode> {
        let heads = self.kept_heads()?;
        let settings = self.flags.settings()?;
        // A restore must not replace the database meanwhile.
        let _folder = DataDir::shared(&settings.data_dir)?;
        let db = Db::open(settings.database_url.expose()).await.context("cannot open the database")?;
        load_audit_key(&settings, &db).await?;
        let mut are_sound = true;
        for (org, name) in self.trails(&db, &heads).await? {
            let mut verdict = db.verify_audit(org).await?;
            let kept = heads.get(&org).map_or(&[][..], Vec::as_slice);
            let deleted = check_heads(&db, kept, &mut verdict).await?;
            are_sound &= verdict.first_altered.is_none();
            print_text(&format!("{}\n", report(org, &name, &verdict, (kept.len(), deleted))))?;
        }
        db.close().await;
        Ok(if are_sound { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    /// Returns the heads of the command line and of the file.
    fn kept_heads(&self) -> Result<Heads> {
        let mut all = Vec::new();
        for text in &self.head {
            let short = self.org.and_then(|org| AuditHead::of_org(org, text));
            let head = short.map_or_else(|| text.parse(), Ok);
            all.push(head.map_err(|why| anyhow::anyhow!("--head {text}: {why}"))?);
        }
        if let Some(file) = &self.heads {
            let found = heads_in(file).with_context(|| format!("--heads {}", file.display()))?;
            if found.is_empty() {
                bail!("--heads {}: it contains no ORG_ID:SEQUENCE:HASH", file.display());
            }
            all.extend(found);
        }
        let mut heads = Heads::new();
        for head in all.into_iter().filter(|head| self.org.is_none_or(|org| org == head.org_id)) {
            heads.entry(head.org_id).or_default().push(head);
        }
        Ok(heads)
    }

    /// Returns ids and names of the trails to check: of all organizations and all heads. The nil id stands for the
    /// installation.
    async fn trails(&self, db: &Db, heads: &Heads) -> Result<BTreeMap<Uuid, String>> {
        let mut all: BTreeMap<Uuid, String> = heads.keys().map(|org| (*org, String::new())).collect();
        all.extend(db.orgs().await?.into_iter().map(|org| (org.id, org.name)));
        all.insert(Uuid::nil(), "installation".to_owned());
        all.retain(|id, _| self.org.is_none_or(|org| org == *id));
        if all.is_empty() {
            bail!("organization not found");
        }
        Ok(all)
    }
}

/// Gives the database the key of its audit trails, if there is one. Never creates a key.
async fn load_audit_key(settings: &Settings, db: &Db) -> Result<()> {
    if db.sealed_audit_key().await?.is_some() {
        let vault = Vault::new(db.clone(), existing_master_key(settings)?);
        vault.load_audit_key().await.context("cannot open the audit key")?;
    }
    Ok(())
}

/// Takes the kept heads into account. Returns the number of those whose entries retention deleted.
async fn check_heads(db: &Db, kept: &[AuditHead], verdict: &mut AuditVerdict) -> Result<usize> {
    let mut deleted = 0;
    for head in kept {
        let check = db.check_audit_head(head).await?;
        verdict.apply(head, check);
        deleted += usize::from(check == HeadCheck::Deleted);
    }
    Ok(deleted)
}

/// Finds the heads in a file, in lines of any form.
fn heads_in(file: &Path) -> std::io::Result<Vec<AuditHead>> {
    let mut heads = Vec::new();
    let mut lines = BufReader::new(File::open(file)?);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let text = String::from_utf8_lossy(&line);
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':');
        heads.extend(text.split(|c| !is_part(c)).filter_map(|word| word.parse::<AuditHead>().ok()));
        line.clear();
    }
    Ok(heads)
}

fn report(org: Uuid, name: &str, verdict: &AuditVerdict, (heads, deleted): (usize, usize)) -> Value {
    let head = AuditHead { org_id: org, sequence: verdict.ends_with, hash: verdict.head_hash.clone() };
    json!({
        "org_id": org,
        "name": name,
        "sound": verdict.first_altered.is_none(),
        "first_altered": verdict.first_altered,
        "begins_after": verdict.begins_after,
        "ends_with": verdict.ends_with,
        "keyed_from": verdict.keyed_from,
        "head": head.to_string(),
        "heads_checked": heads - deleted,
        "heads_deleted": deleted,
    })
}
