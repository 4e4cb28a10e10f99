//! Table of the results.

use std::time::Duration;

use crate::load::Measured;

/// Prints the heading.
pub fn head() {
    println!("{:<32} {:>11} {:>10} {:>10} {:>10}", "what", "connections", "requests/s", "p50 ms", "p99 ms");
}

/// Prints both servers at one number of connections, and their ratios.
pub fn rows(connections: usize, plain: &Measured, evaluated: &Measured) {
    row("bare", connections, plain);
    row("guardengine", connections, evaluated);
    let throughput = evaluated.per_second() / plain.per_second();
    let latency = evaluated.percentile(0.5).as_secs_f64() / plain.percentile(0.5).as_secs_f64();
    println!("{:<32} {connections:>11} {throughput:>10.2} {latency:>10.2}\n", "ratio");
}

/// Prints one measurement.
pub fn row(name: &str, connections: usize, measured: &Measured) {
    let milliseconds = |duration: Duration| duration.as_secs_f64() * 1e3;
    println!(
        "{name:<32} {connections:>11} {:>10.0} {:>10.2} {:>10.2}",
        measured.per_second(),
        milliseconds(measured.percentile(0.5)),
        milliseconds(measured.percentile(0.99)),
    );
}
