//! `backup`: copies the embedded database into a file.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use clap::Args;
use serde_json::{Value, json};

use super::{ConfigFlags, print_note, print_result};
use crate::app::open_store;

#[derive(Debug, Args)]
pub struct Backup {
    /// File to create
    file: PathBuf,
    #[command(flatten)]
    flags: ConfigFlags,
}

impl Backup {
    pub fn run(self) -> Result<()> {
        print_result(self.execute())
    }

    async fn execute(self) -> Result<Value> {
        let settings = self.flags.settings()?;
        let store = open_store(&settings).await?;
        print_note("copying the database; a running service is not interrupted");
        let copied = store.db.back_up_to(&self.file).await;
        copied.with_context(|| format!("cannot create {}", self.file.display()))?;
        let key = settings.master_key_file.display().to_string();
        let key = if settings.master_key.is_some() { "the configured master_key".to_owned() } else { key };
        print_note(format_args!(
            "the backup does not contain the master key; store {key} too, in another place"
        ));
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
