//! Results of the measurement, as printed and stored.

use std::{io::Write, time::Instant};

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::{parts::Spent, postgres::Postgres};

/// Repetition of prompts: the encoder's scores of repeated ones are cached.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Prompts {
    /// The same prompt each time.
    Repeated,
    /// A different prompt each time.
    New,
}

/// One measurement.
#[derive(Clone, Serialize, Deserialize)]
pub struct Run {
    pub prompts: Prompts,
    /// True if Redis counts each request.
    pub limits: bool,
    /// Number of replicas, called in turn.
    pub replicas: usize,
    /// Concurrent requests.
    pub connections: usize,
    pub per_second: f64,
    pub p50_ms: f64,
    pub p99_ms: f64,
    /// Cost of a request.
    pub spent: Spent,
    /// Size of a response with its headers, in bytes.
    pub answer_bytes: f64,
}

/// All runs, and properties of the machine.
#[derive(Serialize, Deserialize)]
pub struct Report {
    pub cores: usize,
    /// Time that a small write takes to reach the disk, in microseconds.
    pub flush_us: f64,
    /// True if PostgreSQL waits for that.
    pub is_flushed: bool,
    pub runs: Vec<Run>,
}

impl Report {
    /// Creates a report without runs.
    pub async fn of_this_machine(postgres: &Postgres) -> Result<Self> {
        let cores = std::thread::available_parallelism()?.get();
        Ok(Self { cores, flush_us: flush()?, is_flushed: postgres.is_flushed().await?, runs: Vec::new() })
    }

    /// Prints the relevant properties of the machine.
    pub fn print_machine(&self) {
        let waits = if self.is_flushed { "waits for it" } else { "does not wait for it" };
        println!("{} cores; a flush takes {:.0} µs, PostgreSQL {waits}\n", self.cores, self.flush_us);
    }

    /// Prints the ratio of two replicas to one, which was measured before and after.
    pub fn print_ratios(&self) {
        for [before, both, after] in self.runs.as_chunks::<3>().0 {
            let of_one = |figure: fn(&Run) -> f64| f64::midpoint(figure(before), figure(after));
            let throughput = both.per_second / of_one(|run| run.per_second);
            let accounted = 2.0 * of_one(|run| run.spent.service_us) / both.spent.service_us;
            println!(
                "{:<9} limits {:<5} {:>4} at a time: two replicas {throughput:.2} times one; by the service's processor time {accounted:.2}",
                format!("{:?}", both.prompts),
                both.limits,
                both.connections
            );
        }
    }
}

/// Returns the median time of a hundred writes of a page to the disk of the temporary files.
fn flush() -> Result<f64> {
    let mut file = tempfile::tempfile()?;
    let mut times = Vec::new();
    for _ in 0..100 {
        file.write_all(&[1; 8192])?;
        let began = Instant::now();
        file.sync_data()?;
        times.push(began.elapsed());
    }
    times.sort_unstable();
    Ok(times[50].as_secs_f64() * 1e6)
}

/// Prints the heading.
pub fn head() {
    println!(
        "{:<9} {:<6} {:>8} {:>11} {:>10} {:>7} {:>7} | µs: {:>7} {:>8} {:>5} {:>5} {:>7} | {:>12} {:>7} {:>6} {:>6} {:>6}",
        "prompts",
        "limits",
        "replicas",
        "at a time",
        "requests/s",
        "p50 ms",
        "p99 ms",
        "service",
        "database",
        "redis",
        "load",
        "others",
        "transactions",
        "commits",
        "WAL",
        "tables",
        "answer"
    );
}

impl Run {
    /// Prints a line of the table.
    pub fn print(&self) {
        let spent = &self.spent;
        println!(
            "{:<9} {:<6} {:>8} {:>11} {:>10.0} {:>7.1} {:>7.1} |     {:>7.0} {:>8.0} {:>5.0} {:>5.0} {:>6.0}% | {:>12.2} {:>7.3} {:>6.0} {:>6.0} {:>6.0}",
            format!("{:?}", self.prompts),
            self.limits,
            self.replicas,
            self.connections,
            self.per_second,
            self.p50_ms,
            self.p99_ms,
            spent.service_us,
            spent.postgres_us,
            spent.redis_us,
            spent.load_us,
            100.0 * spent.others,
            spent.transactions,
            spent.commits,
            spent.wal_bytes,
            spent.table_bytes,
            self.answer_bytes
        );
    }
}
