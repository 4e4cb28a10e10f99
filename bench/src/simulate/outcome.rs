//! Results of a simulation.

use super::installation::{POSTGRES, Scenario, judging, serving};

/// Results counted after the warm-up.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcome {
    latencies: Vec<u64>,
    commits: u64,
    /// Responses per second.
    pub per_second: f64,
    /// Latencies, in milliseconds.
    pub p50: f64,
    pub p99: f64,
    /// Share of the processor time of their cores.
    pub service_busy: f64,
    pub postgres_busy: f64,
    /// Share of the time that the most contended organisation's row was locked.
    pub row_held: f64,
    /// Mean number of rows of a commit.
    pub batch: f64,
}

impl Outcome {
    /// Counts a request that began at `asked` and is now answered.
    pub fn answer(&mut self, now: u64, asked: u64, scenario: &Scenario) {
        if now >= scenario.warm_up {
            self.latencies.push(now - asked);
        }
    }

    /// Counts a commit.
    pub fn commit(&mut self, now: u64, scenario: &Scenario) {
        self.commits += u64::from(now >= scenario.warm_up);
    }

    /// Computes the results; `busy` is the processor time of each program.
    pub fn finish(mut self, scenario: &Scenario, busy: &[u64], held: f64) -> Self {
        self.latencies.sort_unstable();
        let share = |used: u64, cores: usize| used as f64 / (cores as f64 * scenario.duration as f64);
        let layout = &scenario.layout;
        let of = |program: usize| busy.get(program).copied().unwrap_or(0);
        let of_replicas = (0..layout.replicas).map(|number| of(serving(number)) + of(judging(number))).sum();
        self.service_busy = share(of_replicas, layout.replicas * layout.cores(serving(0)));
        self.postgres_busy = share(of(POSTGRES), layout.cores(POSTGRES));
        self.per_second = self.latencies.len() as f64 / scenario.duration as f64 * 1e9;
        self.batch = self.latencies.len() as f64 / self.commits.max(1) as f64;
        (self.p50, self.p99) = (self.percentile(0.5), self.percentile(0.99));
        self.row_held = held;
        self
    }

    fn percentile(&self, share: f64) -> f64 {
        let place = self.latencies.len().saturating_sub(1) as f64 * share;
        self.latencies.get(place.round() as usize).map_or(0.0, |time| *time as f64 / 1e6)
    }
}
