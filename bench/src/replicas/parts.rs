//! Resource usage of each part of the installation, in total and per request.

use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::{
    postgres::{Counted, Postgres},
    processor,
};
use crate::load::Target;

/// The observed processes besides PostgreSQL's and this one.
pub struct Parts {
    pub services: [u32; 2],
    pub redis: u32,
}

/// Counters at a moment.
pub struct Reading {
    service: Duration,
    postgres: Duration,
    redis: Duration,
    load: Duration,
    machine: Duration,
    counted: Counted,
    commits: f64,
}

/// Cost of a request.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub struct Spent {
    /// Processor time in microseconds: the service, PostgreSQL with all its processes, Redis, the load generator.
    pub service_us: f64,
    pub postgres_us: f64,
    pub redis_us: f64,
    pub load_us: f64,
    /// Share of the used processor time that other programs on the machine used.
    pub others: f64,
    /// Transactions of PostgreSQL, including reads.
    pub transactions: f64,
    /// Transactions of the journals. The requests that waited for one share it.
    pub commits: f64,
    /// Bytes of write-ahead log.
    pub wal_bytes: f64,
    /// Bytes of tables and indexes.
    pub table_bytes: f64,
}

impl Reading {
    /// Reads all counters; `metrics` are the metrics endpoints of the replicas.
    pub async fn take(parts: &Parts, postgres: &Postgres, metrics: &[Target]) -> Result<Self> {
        let mut commits = 0.0;
        for target in metrics {
            commits += commits_of(&reqwest::get(&target.url).await?.text().await?);
        }
        let [first, second] = parts.services;
        Ok(Self {
            service: processor::of_process(first)? + processor::of_process(second)?,
            postgres: processor::of_family(postgres.postmaster().await?)?,
            redis: processor::of_process(parts.redis)?,
            load: processor::of_process(std::process::id())?,
            machine: processor::of_machine()?,
            counted: postgres.counted().await?,
            commits,
        })
    }

    /// Returns the difference to an earlier reading.
    pub fn since(&self, before: &Self) -> Self {
        let (now, then) = (&self.counted, &before.counted);
        Self {
            service: self.service.saturating_sub(before.service),
            postgres: self.postgres.saturating_sub(before.postgres),
            redis: self.redis.saturating_sub(before.redis),
            load: self.load.saturating_sub(before.load),
            machine: self.machine.saturating_sub(before.machine),
            counted: Counted {
                transactions: now.transactions - then.transactions,
                wal_bytes: now.wal_bytes - then.wal_bytes,
                table_bytes: now.table_bytes - then.table_bytes,
            },
            commits: self.commits - before.commits,
        }
    }

    /// Divides by the number of requests.
    pub fn over(&self, requests: u64) -> Spent {
        let each = |all: f64| all / requests as f64;
        let microseconds = |used: Duration| each(used.as_secs_f64() * 1e6);
        let ours = self.service + self.postgres + self.redis + self.load;
        Spent {
            service_us: microseconds(self.service),
            postgres_us: microseconds(self.postgres),
            redis_us: microseconds(self.redis),
            load_us: microseconds(self.load),
            others: 1.0 - ours.as_secs_f64() / self.machine.as_secs_f64(),
            transactions: each(self.counted.transactions),
            commits: each(self.commits),
            wal_bytes: each(self.counted.wal_bytes),
            table_bytes: each(self.counted.table_bytes),
        }
    }
}

/// Returns the number of the journal's transactions so far; 0 before the first.
fn commits_of(metrics: &str) -> f64 {
    let count = metrics.lines().find_map(|line| line.strip_prefix("guardengine_journal_batch_count "));
    count.context("no batch yet").and_then(|count| Ok(count.trim().parse()?)).unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_journals_transactions_are_read_from_the_metrics() {
        assert_eq!(
            commits_of("# HELP\nguardengine_journal_batch_sum 40\nguardengine_journal_batch_count 8\n"),
            8.0
        );
        assert_eq!(commits_of("guardengine_store_up 1\n"), 0.0);
    }
}
