//! Cost of a request in each part: with one replica, two, and one again, on one PostgreSQL and one Redis.

pub mod parts;
mod postgres;
mod processor;
mod redis;
pub mod report;

use std::{path::Path, time::Duration};

use anyhow::Result;

use self::{
    parts::{Parts, Reading},
    postgres::Postgres,
    redis::Redis,
    report::{Prompts, Report, Run},
};
use crate::{
    load::{self, Body, Measured},
    service::{self, Service},
};

/// Size of a prompt, in bytes.
const PROMPT: usize = 1_000;
/// Number of replicas under load in each run: the first alone before and after both.
const TURNS: [usize; 3] = [1, 2, 1];
/// A limit that counts each request in Redis and refuses none.
const COUNTED: &str = "1000000000/60s";

/// Measures runs of `duration` at each number of `connections`. The results also go to the file `costs`, for
/// `simulate`.
pub async fn measure(binary: &Path, duration: Duration, connections: &[usize], costs: &Path) -> Result<()> {
    let mut report = Report::of_this_machine(&Postgres::of_environment()?).await?;
    report.print_machine();
    report::head();
    for limits in [false, true] {
        let replicas = Replicas::start(binary, limits).await?;
        report.runs.extend(replicas.runs(duration, connections).await?);
        replicas.check().await?;
    }
    report.print_ratios();
    Ok(std::fs::write(costs, serde_json::to_vec_pretty(&report)?)?)
}

/// Two replicas, each on a core of its own, with their PostgreSQL and Redis.
struct Replicas {
    services: [Service; 2],
    redis: Redis,
    postgres: Postgres,
    limits: bool,
}

impl Replicas {
    async fn start(binary: &Path, limits: bool) -> Result<Self> {
        let postgres = Postgres::of_environment()?.with_schema().await?;
        let redis = Redis::start().await?;
        let (database, counters) = (postgres.url(), redis.url());
        let settings = [
            ("GUARDENGINE_DATABASE_URL", database.as_str()),
            ("GUARDENGINE_REDIS_URL", counters.as_str()),
            ("GUARDENGINE_MASTER_KEY", "c2V2ZW50ZWVuIHBsdXMgZmlmdGVlbiBpcyAzMi4uLi4="),
            ("GUARDENGINE_LIMITS__ANALYZE", if limits { COUNTED } else { "off" }),
        ];
        let first = service::start_on_core(binary, 0, &settings).await?;
        let second = service::start_on_core(binary, 1, &settings).await?;
        Ok(Self { services: [first, second], redis, postgres, limits })
    }

    async fn runs(&self, duration: Duration, connections: &[usize]) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        for prompts in [Prompts::Repeated, Prompts::New] {
            for &count in connections {
                for replicas in TURNS {
                    let run = self.run(prompts, replicas, count, duration).await?;
                    run.print();
                    runs.push(run);
                }
            }
        }
        Ok(runs)
    }

    async fn run(
        &self,
        prompts: Prompts,
        replicas: usize,
        connections: usize,
        duration: Duration,
    ) -> Result<Run> {
        let body = match prompts {
            Prompts::Repeated => Body::same(PROMPT),
            Prompts::New => Body::New(PROMPT),
        };
        let targets: Vec<_> =
            self.services[..replicas].iter().map(|service| service.target.clone()).collect();
        let before = self.reading().await?;
        let measured = load::measure(&targets, &body, connections, duration).await?;
        self.postgres.acknowledge(measured.acknowledged);
        let spent = self.reading().await?.since(&before);
        Ok(self.told(prompts, replicas, connections, &measured, &spent))
    }

    fn told(
        &self,
        prompts: Prompts,
        replicas: usize,
        connections: usize,
        measured: &Measured,
        spent: &Reading,
    ) -> Run {
        let milliseconds = |share| measured.percentile(share).as_secs_f64() * 1e3;
        Run {
            prompts,
            limits: self.limits,
            replicas,
            connections,
            per_second: measured.per_second(),
            p50_ms: milliseconds(0.5),
            p99_ms: milliseconds(0.99),
            spent: spent.over(measured.acknowledged),
            answer_bytes: measured.bytes as f64 / measured.acknowledged as f64,
        }
    }

    async fn reading(&self) -> Result<Reading> {
        let [first, second] = &self.services;
        let parts = Parts { services: [first.pid()?, second.pid()?], redis: self.redis.pid() };
        Reading::take(&parts, &self.postgres, &[first.at("/metrics"), second.at("/metrics")]).await
    }

    /// Checks that every acknowledged request has its row, and that the balance equals the sum of the ledger.
    async fn check(&self) -> Result<()> {
        println!("{}", self.postgres.checked().await?);
        Ok(())
    }
}
