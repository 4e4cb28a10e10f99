//! `restore`.

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use guardengine_store::{Db, check_backup};
use serde_json::{Value, json};

use super::{ConfigFlags, answer};
use guardengine_vault::{Error, Vault};

use crate::{app::master_key, clock::Clock, config::Settings, data_dir::DataDir};

#[derive(Debug, Args)]
pub struct Restore {
    /// A file that `guardengine backup` made
    file: PathBuf,
    /// Set the database that is there aside, under another name in the same folder
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl Restore {
    pub fn run(self) -> Result<()> {
        answer(self.answer())
    }

    async fn answer(self) -> Result<Value> {
        let settings = self.flags.settings()?;
        let Some(database) = settings.database_url.expose().strip_prefix("sqlite://").map(PathBuf::from)
        else {
            bail!(
                "restore is for the embedded database; PostgreSQL has its own tools, pg_dump and pg_restore"
            );
        };
        if let Err(why) = check_backup(&self.file).await? {
            bail!("{} cannot be restored: {why}", self.file.display());
        }
        let _alone = DataDir::alone(&settings.data_dir)?;
        if database.exists() && !self.force {
            bail!("{} exists; --force sets it aside first", database.display());
        }
        let draft = with_suffix(&database, ".restoring");
        copy(&self.file, &draft).with_context(|| format!("cannot write {}", draft.display()))?;
        let aside = set_aside(&database)?;
        fs::rename(&draft, &database)?;
        Ok(json!({
            "restored": database,
            "set_aside": aside,
            "master_key": fitness(&settings).await?,
        }))
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// A copy for its owner alone, on the disk before it counts.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut copy = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(to)?;
    std::io::copy(&mut File::open(from)?, &mut copy)?;
    copy.sync_all()
}

/// Renames the database and its journal files together, so that they still fit each other.
fn set_aside(database: &Path) -> Result<Option<PathBuf>> {
    if !database.exists() {
        return Ok(None);
    }
    let aside = with_suffix(database, &format!(".replaced-{}", Clock::System.now().micros() / 1_000_000));
    for journal in ["", "-wal", "-shm"] {
        let file = with_suffix(database, journal);
        if file.exists() {
            let told = || format!("cannot set {} aside", file.display());
            fs::rename(&file, with_suffix(&aside, journal)).with_context(told)?;
        }
    }
    Ok(Some(aside))
}

/// Whether the master key that is configured opens what the restored database holds. None is made here: a new one
/// would open nothing.
async fn fitness(settings: &Settings) -> Result<&'static str> {
    if settings.master_key.is_none() && !settings.master_key_file.exists() {
        eprintln!(
            "guardengine: put the master key of the backup into {} before the service starts",
            settings.master_key_file.display()
        );
        return Ok("missing");
    }
    let db = Db::open(settings.database_url.expose()).await.context("cannot open the restored database")?;
    let opened = Vault::new(db.clone(), master_key(settings)?).rewrap().await;
    db.close().await;
    match opened {
        Ok(_) => Ok("fits"),
        Err(Error::CannotDecrypt) => {
            eprintln!(
                "guardengine: the master key is not the one of the backup: the service will not start with it"
            );
            Ok("does not fit")
        }
        Err(fault) => Err(fault.into()),
    }
}
