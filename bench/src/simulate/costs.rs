//! Cost of a request in each part, derived from measurements of one replica.

use std::collections::BTreeSet;

use anyhow::{Context, Result, ensure};

use super::{installation::Demands, journal::statements};
use crate::replicas::report::{Prompts, Report, Run};

/// Costs that do not depend on the prompt, in microseconds.
pub struct Costs {
    /// Reading statements per request.
    reads: f64,
    /// Cost of a statement in PostgreSQL, and in the service.
    statement: f64,
    asking: f64,
    /// Cost of a row in PostgreSQL.
    row: f64,
}

/// Mean of the runs of one replica, which was measured twice.
struct Mean {
    service: f64,
    postgres: f64,
    redis: f64,
    load: f64,
    transactions: f64,
    commits: f64,
}

impl Costs {
    /// Derives the costs. A request has more statements if fewer requests share a commit: the difference gives the cost
    /// of a statement, the remainder that of the row or of the request. Needs runs at two numbers of connections.
    pub fn of(report: &Report) -> Result<Self> {
        let (fewer, most) = connections(report);
        ensure!(
            fewer < most,
            "measure at two numbers of connections: their difference gives the cost of a statement"
        );
        let few = Mean::of(report, Prompts::Repeated, false, fewer)?;
        let crowd = Mean::of(report, Prompts::Repeated, false, most)?;
        let reads = (few.transactions - few.commits).round().max(0.0);
        let saved = few.written() - crowd.written();
        ensure!(saved > 0.0, "requests of {most} connections share no commits");
        let statement = ((few.postgres - crowd.postgres) / saved).max(0.0);
        let asking = ((few.service - crowd.service) / saved).max(0.0);
        let row = (crowd.postgres - (reads + crowd.written()) * statement).max(0.0);
        Ok(Self { reads, statement, asking, row })
    }

    /// Returns the demands of requests like those of `run`, at the highest measured number of connections.
    pub fn demands(&self, report: &Report, run: &Run) -> Result<Demands> {
        let (_, most) = connections(report);
        let mean = Mean::of(report, run.prompts, run.limits, most)?;
        let service = (mean.service - (self.reads + mean.written()) * self.asking).max(0.0);
        let redis = if run.limits { mean.redis } else { 0.0 };
        let nanoseconds = |microseconds: f64| (microseconds * 1e3) as u64;
        Ok(Demands {
            load: nanoseconds(mean.load),
            service: nanoseconds(service),
            redis: nanoseconds(redis),
            reads: self.reads as u64,
            asking: nanoseconds(self.asking),
            statement: nanoseconds(self.statement),
            row: nanoseconds(self.row),
            round_trip: 0,
            flush: if report.is_flushed { nanoseconds(report.flush_us) } else { 0 },
        })
    }
}

impl Mean {
    fn of(report: &Report, prompts: Prompts, limits: bool, connections: usize) -> Result<Self> {
        let alike = |run: &&Run| run.prompts == prompts && run.limits == limits;
        let runs = report.runs.iter().filter(alike);
        let runs: Vec<_> = runs.filter(|run| run.replicas == 1 && run.connections == connections).collect();
        ensure!(!runs.is_empty(), "one replica was not measured at {connections} connections");
        let mean =
            |value: fn(&Run) -> f64| runs.iter().map(|run| value(run)).sum::<f64>() / runs.len() as f64;
        Ok(Self {
            service: mean(|run| run.spent.service_us),
            postgres: mean(|run| run.spent.postgres_us),
            redis: mean(|run| run.spent.redis_us),
            load: mean(|run| run.spent.load_us),
            transactions: mean(|run| run.spent.transactions),
            commits: mean(|run| run.spent.commits),
        })
    }

    /// Returns the statements of commits per request.
    fn written(&self) -> f64 {
        self.commits * statements(1.0 / self.commits)
    }
}

/// Returns the two highest numbers of connections. With fewer, the cost of a statement comes out too high: an idle
/// service wakes up for each statement, a busy one does not.
fn connections(report: &Report) -> (usize, usize) {
    let all: BTreeSet<_> = report.runs.iter().map(|run| run.connections).collect();
    let mut largest = all.into_iter().rev();
    let most = largest.next().unwrap_or(0);
    (largest.next().unwrap_or(most), most)
}

/// Returns a measured run of one replica at the highest number of connections, the basis of the tables of other rates.
pub fn typical(report: &Report, prompts: Prompts) -> Result<&Run> {
    let (_, most) = connections(report);
    let mut runs = report.runs.iter().filter(|run| run.prompts == prompts && !run.limits);
    runs.find(|run| run.replicas == 1 && run.connections == most).context("one replica was not measured")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::replicas::parts::Spent;

    fn run(connections: usize, (service_us, postgres_us): (f64, f64), commits: f64) -> Run {
        let spent = Spent {
            service_us,
            postgres_us,
            redis_us: 3.0,
            load_us: 40.0,
            others: 0.0,
            transactions: 2.0 + commits,
            commits,
            wal_bytes: 0.0,
            table_bytes: 0.0,
        };
        let (prompts, limits, replicas) = (Prompts::Repeated, false, 1);
        Run {
            prompts,
            limits,
            replicas,
            connections,
            per_second: 0.0,
            p50_ms: 0.0,
            p99_ms: 0.0,
            spent,
            answer_bytes: 0.0,
        }
    }

    #[test]
    fn costs_are_recovered_from_a_measurement() {
        // Two reads; a statement costs PostgreSQL 20 and the service 10, a row 50, the rest of the request 200.
        let crowd = 0.1 * statements(10.0);
        let at = |written: f64| (200.0 + (2.0 + written) * 10.0, 50.0 + (2.0 + written) * 20.0);
        let runs = vec![run(1, at(5.0), 1.0), run(64, at(crowd), 0.1)];
        let report = Report { cores: 2, flush_us: 1_000.0, is_flushed: false, runs };
        let demands = Costs::of(&report).unwrap().demands(&report, &report.runs[0]).unwrap();
        let expected = Demands {
            load: 40_000,
            service: 200_000,
            reads: 2,
            asking: 10_000,
            statement: 20_000,
            row: 50_000,
            ..Demands::default()
        };
        let near = |found: u64, expected: u64| found.abs_diff(expected) <= 1;
        assert!(near(demands.service, expected.service) && near(demands.row, expected.row), "{demands:?}");
        assert!(
            near(demands.statement, expected.statement) && near(demands.asking, expected.asking),
            "{demands:?}"
        );
        assert_eq!((demands.reads, demands.load, demands.redis, demands.flush), (2, 40_000, 0, 0));
    }

    #[test]
    fn costs_need_two_numbers_of_connections() {
        let report =
            Report { cores: 2, flush_us: 0.0, is_flushed: false, runs: vec![run(1, (300.0, 200.0), 1.0)] };
        assert!(Costs::of(&report).is_err());
    }
}
