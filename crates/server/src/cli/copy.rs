//! `copy`.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use guardengine_store::{CopiedTable, Db};
use serde_json::{Value, json};

use super::answer;
use crate::data_dir::DataDir;

const EMBEDDED: &str = "sqlite://";

#[derive(Debug, Args)]
pub struct Copy {
    /// The embedded database, as sqlite:///var/lib/guardengine/guardengine.db
    #[arg(long, value_name = "URL")]
    from: String,
    /// An empty PostgreSQL database, or one that an interrupted copy of the same source left
    ///
    /// In the environment where its password must not be seen.
    #[arg(long, value_name = "URL", env = "GUARDENGINE_COPY_TO", hide_env_values = true)]
    to: String,
}

impl Copy {
    pub fn run(self) -> Result<()> {
        answer(self.answer())
    }

    async fn answer(self) -> Result<Value> {
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| self.to.starts_with(scheme));
        let Some(path) = self.from.strip_prefix(EMBEDDED).filter(|_| is_postgres) else {
            bail!("an installation is copied --from sqlite://... --to postgres://...");
        };
        if !Path::new(path).is_file() {
            bail!("there is no database at {path}");
        }
        // Whoever writes to the source while it is copied would lose what they write.
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        let _alone = DataDir::alone(folder.unwrap_or(Path::new(".")))?;
        let from = Db::open(&self.from).await.context("cannot open the source")?;
        let to = Db::open(&self.to).await.context("cannot open the target")?;
        let copied = from.copy_to(&to, told).await?;
        from.close().await;
        to.close().await;
        let rows: BTreeMap<_, _> = copied.into_iter().map(|table| (table.table, table.copied)).collect();
        eprintln!(
            "guardengine: everything is copied; start every replica with database_url and the same master key"
        );
        Ok(json!({ "tables": rows, "counts": "same", "audit_trails": "sound" }))
    }
}

fn told(table: &CopiedTable) {
    eprintln!("guardengine: {}: {} of {} rows", table.table, table.copied, table.rows);
}
