//! `backup`.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::{Value, json};

use super::{ConfigFlags, answer};
use crate::app::open_store;

#[derive(Debug, Args)]
pub struct Backup {
    /// The file to make
    file: PathBuf,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl Backup {
    pub fn run(self) -> Result<()> {
        answer(self.answer())
    }

    async fn answer(self) -> Result<Value> {
        let settings = self.flags.settings()?;
        let store = open_store(&settings).await?;
        eprintln!("guardengine: copying the database; the service goes on meanwhile");
        let copied = store.db.back_up_to(&self.file).await;
        copied.with_context(|| format!("cannot make {}", self.file.display()))?;
        let key = settings.master_key_file.display().to_string();
        let key =
            if settings.master_key.is_some() { "master_key of the configuration".to_owned() } else { key };
        eprintln!("guardengine: the master key is not in the backup: keep {key} too, apart from it");
        store.db.close().await;
        Ok(json!({
            "backup": self.file,
            "bytes": std::fs::metadata(&self.file)?.len(),
            "master_key": key,
            "master_key_id": store.vault.master().id(),
            "master_key_in_backup": false,
        }))
    }
}
