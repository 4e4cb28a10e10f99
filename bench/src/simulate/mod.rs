//! Simulation of an installation from the costs of its parts: compared with the measurement, then run at other rates.

mod cores;
mod costs;
mod events;
mod installation;
mod journal;
#[cfg(test)]
mod laws;
mod locks;
mod network;
mod outcome;
mod random;
mod rates;

use std::path::Path;

use anyhow::Result;

use self::{
    costs::Costs,
    installation::{Layout, Routing, Scenario},
    network::simulate,
    outcome::Outcome,
};
use crate::replicas::report::{Report, Run};

const SECOND: u64 = 1_000_000_000;

/// Reads the costs that `replicas` wrote, and prints both tables.
pub fn run(costs: &Path) -> Result<()> {
    let report: Report = serde_json::from_slice(&std::fs::read(costs)?)?;
    let costs = Costs::of(&report)?;
    compare(&report, &costs)?;
    rates::draw(&report, &costs)
}

/// Prints each run as measured and as simulated. Costs come from runs of one replica only, so runs of two are
/// predictions.
fn compare(report: &Report, costs: &Costs) -> Result<()> {
    println!(
        "{:<9} {:<6} {:>8} {:>11} {:>10} {:>10} {:>7} {:>8} {:>9} {:>6} {:>6}",
        "prompts",
        "limits",
        "replicas",
        "at a time",
        "measured/s",
        "simulated",
        "error",
        "p50 ms",
        "simulated",
        "batch",
        "sim."
    );
    for run in &report.runs {
        let outcome = again(report, costs, run)?;
        let error = 100.0 * (outcome.per_second / run.per_second - 1.0);
        println!(
            "{:<9} {:<6} {:>8} {:>11} {:>10.0} {:>10.0} {error:>+6.0}% {:>8.1} {:>9.1} {:>6.1} {:>6.1}",
            format!("{:?}", run.prompts),
            run.limits,
            run.replicas,
            run.connections,
            run.per_second,
            outcome.per_second,
            run.p50_ms,
            outcome.p50,
            1.0 / run.spent.commits,
            outcome.batch
        );
    }
    println!();
    Ok(())
}

/// Simulates a measured run on as many cores.
fn again(report: &Report, costs: &Costs, run: &Run) -> Result<Outcome> {
    Ok(simulate(&Scenario {
        layout: Layout::shared(run.replicas, report.cores),
        demands: costs.demands(report, run)?,
        callers: run.connections,
        think: 0,
        organisations: 1,
        routing: Routing::InTurn,
        warm_up: SECOND,
        duration: 10 * SECOND,
    }))
}
