//! The PostgreSQL of the measurement, queried with its own client so that no connection stays open.

use std::{
    env,
    sync::atomic::{AtomicU64, Ordering},
};

use anyhow::{Context, Result, ensure};
use tokio::process::Command;

/// A schema of a PostgreSQL, and the number of requests acknowledged in it.
pub struct Postgres {
    url: String,
    schema: String,
    acknowledged: AtomicU64,
}

/// Counters of PostgreSQL, for the schema or the server.
#[derive(Clone, Copy, Default)]
pub struct Counted {
    /// Transactions of the database.
    pub transactions: f64,
    /// Size of the write-ahead log, in bytes.
    pub wal_bytes: f64,
    /// Size of the schema's tables with their indexes, in bytes.
    pub table_bytes: f64,
}

impl Postgres {
    /// Returns the PostgreSQL that `scripts/with-postgres` started.
    pub fn of_environment() -> Result<Self> {
        let url = env::var("GUARDENGINE_TEST_POSTGRES");
        let url =
            url.context("GUARDENGINE_TEST_POSTGRES names no PostgreSQL: run under scripts/with-postgres")?;
        Ok(Self { url, schema: "public".to_owned(), acknowledged: AtomicU64::new(0) })
    }

    /// Returns the same server with a fresh schema.
    pub async fn with_schema(self) -> Result<Self> {
        let schema = format!("bench_{}", self.ask("SELECT md5(clock_timestamp()::text)").await?);
        self.ask(&format!("CREATE SCHEMA {schema}")).await?;
        Ok(Self { schema, ..self })
    }

    /// Returns its URL, for a service.
    pub fn url(&self) -> String {
        let joint = if self.url.contains('?') { '&' } else { '?' };
        format!("{}{joint}options[search_path]={}", self.url, self.schema)
    }

    /// Returns the id of the server's parent process.
    pub async fn postmaster(&self) -> Result<u32> {
        let pid = self.ask("SELECT split_part(pg_read_file('postmaster.pid'), E'\\n', 1)").await?;
        pid.parse().context("PostgreSQL does not tell its process")
    }

    /// Returns true if a commit waits for the disk.
    pub async fn is_flushed(&self) -> Result<bool> {
        Ok(self.ask("SHOW fsync").await? == "on")
    }

    /// Reads the counters.
    pub async fn counted(&self) -> Result<Counted> {
        let answer = self
            .ask(
                "SELECT (SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()),
                 pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0'),
                 (SELECT sum(pg_total_relation_size(oid)) FROM pg_class
                  WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace)",
            )
            .await?;
        let counters: Vec<f64> = answer.split('|').map(str::parse).collect::<Result<_, _>>()?;
        let [transactions, wal_bytes, table_bytes] = counters[..] else { anyhow::bail!("{answer}") };
        Ok(Counted { transactions, wal_bytes, table_bytes })
    }

    /// Adds to the number of acknowledged requests.
    pub fn acknowledge(&self, requests: u64) {
        self.acknowledged.fetch_add(requests, Ordering::Relaxed);
    }

    /// Checks that there is a row for each acknowledged request and that the balance is the sum of the ledger, and
    /// prints the result.
    pub async fn checked(&self) -> Result<String> {
        let rows: u64 = self.ask("SELECT count(*) FROM logs").await?.parse()?;
        let balance = self.ask("SELECT sum(credits) FROM orgs").await?;
        let ledger = self.ask("SELECT sum(amount) FROM credit_entries").await?;
        let acknowledged = self.acknowledged.load(Ordering::Relaxed);
        ensure!(rows == acknowledged, "{rows} rows of {acknowledged} acknowledged requests");
        ensure!(balance == ledger, "a balance of {balance}, and a ledger of {ledger}");
        Ok(format!("{rows} rows, as many as acknowledged requests; balance and ledger are both {balance}\n"))
    }

    async fn ask(&self, question: &str) -> Result<String> {
        let mut command = Command::new("psql");
        command.args(["--no-psqlrc", "-qAt", "-v", "ON_ERROR_STOP=1", "-c", question, &self.url]);
        command.env("PGOPTIONS", format!("-c search_path={}", self.schema));
        let output = command.output().await.context("psql does not start")?;
        ensure!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }
}
