//! Tests of the simulation against laws of queueing theory.

use super::{
    SECOND,
    installation::{Demands, Layout, Routing, Scenario},
    network::simulate,
};

const MILLISECOND: u64 = 1_000_000;

fn scenario(layout: Layout, demands: Demands, callers: usize, think: u64) -> Scenario {
    let (organisations, routing) = (1, Routing::InTurn);
    Scenario {
        layout,
        demands,
        callers,
        think,
        organisations,
        routing,
        warm_up: SECOND,
        duration: 60 * SECOND,
    }
}

/// Machine repairman model, M/M/1//N: customers who think, and one server. Kleinrock, Queueing Systems I, 3.8.
fn machine_repairman(callers: usize, think: f64, service: f64) -> f64 {
    let (mut term, mut sum) = (1.0, 1.0);
    for at in 0..callers {
        term *= (callers - at) as f64 * service / think;
        sum += term;
    }
    (1.0 - 1.0 / sum) / service
}

#[test]
fn one_station_matches_the_machine_repairman_model() {
    for callers in [1, 3, 10, 30] {
        let demands = Demands { service: MILLISECOND, ..Demands::default() };
        let found =
            simulate(&scenario(Layout::apart(1, 1, 1), demands, callers, 10 * MILLISECOND)).per_second;
        let expected = machine_repairman(callers, 0.010, 0.001);
        assert!((found / expected - 1.0).abs() < 0.02, "{callers} callers: {found}, not {expected}");
    }
}

#[test]
fn throughput_never_exceeds_the_capacity_of_the_cores() {
    let demands = Demands {
        load: 70_000,
        service: 300_000,
        reads: 2,
        asking: 10_000,
        statement: 20_000,
        row: 60_000,
        ..Demands::default()
    };
    for (replicas, cores) in [(1, 2), (2, 2), (4, 8)] {
        for callers in [1, 16, 256] {
            let found = simulate(&scenario(Layout::shared(replicas, cores), demands, callers, 0));
            // Each request asks at least this of its replica, and of the machine; what a commit costs comes on top.
            let (of_replica, of_all) = (320e-6, 490e-6);
            let most = (replicas as f64 / of_replica).min(cores as f64 / of_all);
            assert!(found.per_second > 0.0 && found.per_second <= most * 1.02, "{found:?} over {most}");
            assert!(found.service_busy <= 1.01 && found.postgres_busy <= 1.01);
        }
    }
}

#[test]
fn replicas_on_cores_of_their_own_add_up() {
    let demands = Demands { service: MILLISECOND, statement: 1_000, ..Demands::default() };
    let answered = |replicas| simulate(&scenario(Layout::apart(replicas, 1, 4), demands, 64, 0)).per_second;
    let ratio = answered(2) / answered(1);
    assert!((1.95..2.05).contains(&ratio), "{ratio}");
}

#[test]
fn one_organisations_row_limits_the_throughput_of_any_number_of_replicas() {
    let demands = Demands { flush: 10 * MILLISECOND, ..Demands::default() };
    let answered = |organisations, callers| {
        let one = scenario(Layout::apart(8, 1, 1), demands, callers, 0);
        simulate(&Scenario { organisations, ..one })
    };
    // A commit of at most 256 rows in ten milliseconds, whoever writes it.
    let crowded = answered(1, 4_000);
    assert!(crowded.per_second <= 25_600.0 * 1.01 && crowded.row_held > 0.95, "{crowded:?}");
    // Eight callers of as many organisations do not wait for each other's row.
    assert!(answered(8, 8).per_second > 2.0 * answered(1, 8).per_second);
}

#[test]
fn replicas_that_share_no_organisation_never_wait_for_a_row() {
    let demands = Demands { round_trip: MILLISECOND, ..Demands::default() };
    let found = |routing| {
        let one = scenario(Layout::apart(4, 1, 1), demands, 64, 0);
        let found = simulate(&Scenario { organisations: 16, routing, ..one });
        found.per_second
    };
    assert!(found(Routing::ByOrganisation) > 1.2 * found(Routing::InTurn));
}

#[test]
fn the_same_scenario_gives_the_same_outcome() {
    let demands = Demands { service: MILLISECOND, reads: 1, statement: 50_000, ..Demands::default() };
    let again = || simulate(&scenario(Layout::shared(2, 2), demands, 16, MILLISECOND));
    assert_eq!(again(), again());
}
