//! `restore`: replaces the embedded database with a backup.

use std::{
    ffi::OsString,
    fs::{self, File},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use guardengine_store::{Clock, Db, check_backup};
use guardengine_vault::{Error, Vault};
use serde_json::{Value, json};

use super::{ConfigFlags, print_note, print_result};
use crate::{app::master_key, config::Settings, data_dir::DataDir};

#[derive(Debug, Args)]
pub struct Restore {
    /// File created by `guardengine backup`
    file: PathBuf,
    /// Rename an existing database, in the same folder, instead of failing
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl Restore {
    pub fn run(self) -> Result<()> {
        print_result(self.execute())
    }

    async fn execute(self) -> Result<Value> {
        let settings = self.flags.settings()?;
        let Some(database) = settings.database_url.expose().strip_prefix("sqlite://").map(PathBuf::from)
        else {
            bail!("restore supports the embedded database only; use pg_dump and pg_restore for PostgreSQL");
        };
        if let Err(why) = check_backup(&self.file).await? {
            bail!("{} cannot be restored: {why}", self.file.display());
        }
        let _lock = DataDir::alone(&settings.data_dir)?;
        if database.exists() && !self.force {
            bail!("{} exists; --force sets it aside first", database.display());
        }
        let partial = with_suffix(&database, ".restoring");
        copy(&self.file, &partial).with_context(|| format!("cannot write {}", partial.display()))?;
        let set_aside = set_aside(&database)?;
        fs::rename(&partial, &database)?;
        Ok(json!({
            "restored": database,
            "set_aside": set_aside,
            "master_key": master_key_status(&settings).await?,
        }))
    }
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(suffix);
    name.into()
}

/// Copies a file with mode 0600 and flushes it to disk.
fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut copy = fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(to)?;
    std::io::copy(&mut File::open(from)?, &mut copy)?;
    copy.sync_all()
}

/// Renames the database together with its journal files, which belong to it.
fn set_aside(database: &Path) -> Result<Option<PathBuf>> {
    if !database.exists() {
        return Ok(None);
    }
    let aside = with_suffix(database, &format!(".replaced-{}", Clock::System.now().micros() / 1_000_000));
    for journal in ["", "-wal", "-shm"] {
        let file = with_suffix(database, journal);
        if file.exists() {
            let context = || format!("cannot set {} aside", file.display());
            fs::rename(&file, with_suffix(&aside, journal)).with_context(context)?;
        }
    }
    Ok(Some(aside))
}

/// Returns whether the configured master key decrypts the restored database. Never creates a key: a new one would
/// decrypt nothing.
async fn master_key_status(settings: &Settings) -> Result<&'static str> {
    if settings.master_key.is_none() && !settings.master_key_file.exists() {
        print_note(format_args!(
            "put the master key of the backup into {} before starting the service",
            settings.master_key_file.display()
        ));
        return Ok("missing");
    }
    let db = Db::open(settings.database_url.expose()).await.context("cannot open the restored database")?;
    let rewrapped = Vault::new(db.clone(), master_key(settings)?).rewrap().await;
    db.close().await;
    match rewrapped {
        Ok(_) => Ok("fits"),
        Err(Error::CannotDecrypt) => {
            print_note("the master key does not match the backup; the service will not start with it");
            Ok("does not fit")
        }
        Err(error) => Err(error.into()),
    }
}
