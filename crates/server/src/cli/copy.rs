//! `copy`: moves an installation from the embedded database to PostgreSQL.

use std::{collections::BTreeMap, path::Path};

use anyhow::{Context as _, Result, bail};
use clap::Args;
use guardengine_store::{CopiedTable, Db};
use serde_json::{Value, json};

use super::{print_note, print_result};
use crate::data_dir::DataDir;

const EMBEDDED: &str = "sqlite://";

#[derive(Debug, Args)]
pub struct Copy {
    /// URL of the embedded database, such as sqlite:///var/lib/guardengine/guardengine.db
    #[arg(long, value_name = "URL")]
    from: String,
    /// URL of an empty PostgreSQL database, or of one with an interrupted copy of the same source
    ///
    /// Use the environment variable to keep the password off the command line.
    #[arg(long, value_name = "URL", env = "GUARDENGINE_COPY_TO", hide_env_values = true)]
    to: String,
}

impl Copy {
    pub fn run(self) -> Result<()> {
        print_result(self.execute())
    }

    async fn execute(self) -> Result<Value> {
        let is_postgres = ["postgres://", "postgresql://"].iter().any(|scheme| self.to.starts_with(scheme));
        let Some(path) = self.from.strip_prefix(EMBEDDED).filter(|_| is_postgres) else {
            bail!("expected --from sqlite://FILE --to postgres://user:password@host/database");
        };
        if !Path::new(path).is_file() {
            bail!("no database at {path}");
        }
        // Anything written to the source during the copy would be lost.
        let folder = Path::new(path).parent().filter(|folder| !folder.as_os_str().is_empty());
        let _alone = DataDir::alone(folder.unwrap_or(Path::new(".")))?;
        let from = Db::open(&self.from).await.context("cannot open the source")?;
        let to = Db::open(&self.to).await.context("cannot open the target")?;
        let copied = from.copy_to(&to, report_progress).await?;
        from.close().await;
        to.close().await;
        let rows: BTreeMap<_, _> = copied.into_iter().map(|table| (table.table, table.copied)).collect();
        print_note("copy complete; start every replica with the new database_url and the same master key");
        Ok(json!({ "tables": rows, "counts": "same", "audit_trails": "same" }))
    }
}

fn report_progress(table: &CopiedTable) {
    print_note(format_args!("{}: {} of {} rows", table.table, table.copied, table.rows));
}
