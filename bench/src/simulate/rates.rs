//! Installations for ten, a thousand and a hundred thousand requests a second.

use anyhow::Result;

use super::{
    SECOND,
    costs::{Costs, typical},
    installation::{Demands, Layout, Routing, Scenario},
    network::simulate,
};
use crate::replicas::{
    parts::Spent,
    report::{Prompts, Report},
};

const RATES: [usize; 3] = [10, 1_000, 100_000];
/// Numbers of organisations, and the routing of their requests.
const TENANTS: [(usize, Routing); 3] =
    [(1, Routing::InTurn), (1_000, Routing::InTurn), (1_000, Routing::ByOrganisation)];
/// Target utilization of the cores.
const BUSY: f64 = 0.7;
/// Maximum number of cores of a replica's machine.
const MACHINE: usize = 4;
/// Round trip between two machines in a data center, in nanoseconds.
const ROUND_TRIP: u64 = 200_000;
/// Database connections of a replica: its pool, and the one of the health check.
const CONNECTIONS: usize = 21;
const DAY: f64 = 86_400.0;

/// Prints an installation for each rate, sized according to the measurement, and its simulated performance.
pub fn draw(report: &Report, costs: &Costs) -> Result<()> {
    println!(
        "{:<9} {:>7} {:>6} {:<14} {:>8} {:>8} {:>9} {:>11} {:>9} | {:>10} {:>7} {:>8} {:>8} {:>9} {:>8} {:>6}",
        "prompts",
        "rate/s",
        "orgs",
        "routed",
        "replicas",
        "of cores",
        "database",
        "connections",
        "GB a day",
        "answered/s",
        "p50 ms",
        "p99 ms",
        "service",
        "database",
        "row held",
        "batch"
    );
    for prompts in [Prompts::Repeated, Prompts::New] {
        let run = typical(report, prompts)?;
        let demands = costs.demands(report, run)?;
        let demands = Demands { round_trip: ROUND_TRIP, flush: (report.flush_us * 1e3) as u64, ..demands };
        for rate in RATES {
            for tenants in TENANTS {
                row(prompts, rate, tenants, demands, &run.spent);
            }
        }
    }
    Ok(())
}

fn row(
    prompts: Prompts,
    rate: usize,
    (organisations, routing): (usize, Routing),
    demands: Demands,
    spent: &Spent,
) {
    let bought = |microseconds: f64| (rate as f64 * microseconds / 1e6 / BUSY).ceil().max(1.0) as usize;
    let cores = bought(spent.service_us);
    // At least two, so that one may fail.
    let replicas = cores.div_ceil(MACHINE).max(2);
    let (each, postgres) = (cores.div_ceil(replicas), bought(spent.postgres_us));
    let outcome = simulate(&Scenario {
        layout: Layout::apart(replicas, each, postgres),
        demands: Demands { load: 0, ..demands },
        callers: rate,
        think: SECOND,
        organisations,
        routing,
        warm_up: 2 * SECOND,
        duration: if rate > 10_000 { 2 * SECOND } else { 20 * SECOND },
    });
    println!(
        "{:<9} {rate:>7} {organisations:>6} {:<14} {replicas:>8} {each:>8} {postgres:>9} {:>11} {:>9.1} | {:>10.0} {:>7.1} {:>8.1} {:>7.0}% {:>8.0}% {:>7.0}% {:>6.1}",
        format!("{prompts:?}"),
        format!("{routing:?}"),
        replicas * CONNECTIONS,
        rate as f64 * DAY * spent.table_bytes / 1e9,
        outcome.per_second,
        outcome.p50,
        outcome.p99,
        100.0 * outcome.service_busy,
        100.0 * outcome.postgres_busy,
        100.0 * outcome.row_held,
        outcome.batch
    );
}
