//! Load on the release binary, compared with a bare JSON handler of the same HTTP framework in the same run.
//!
//! Both run as processes of their own; the load comes from this one over keep-alive connections. The two take turns at
//! every number of connections, so that a noisy machine affects both equally. Compare the ratios.

mod bare;
mod endurance;
mod fairness;
mod gateway;
mod load;
mod log;
mod replicas;
mod service;
mod simulate;
mod table;

use std::{path::PathBuf, slice::from_ref, time::Duration};

use anyhow::Result;
use clap::{Parser, Subcommand};

#[derive(Parser)]
#[command(about = "Measures requests per second and latency of guardengine beside a bare handler")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Start both servers and load them in turn
    Run {
        /// The release binary
        binary: PathBuf,
        /// Seconds for each measurement
        #[arg(long, default_value_t = 5)]
        seconds: u64,
        /// Numbers of connections
        #[arg(long, value_delimiter = ',', default_value = "1,16,64")]
        connections: Vec<usize>,
        /// Bytes of the prompt
        #[arg(long, default_value_t = 1_000)]
        bytes: usize,
    },
    /// Start the service, fill its log, and measure the endpoints that read it
    Log {
        /// The release binary
        binary: PathBuf,
        /// Rows of the log
        #[arg(long, default_value_t = 100_000)]
        rows: u64,
        /// Seconds for each measurement
        #[arg(long, default_value_t = 3)]
        seconds: u64,
        /// Connections
        #[arg(long, default_value_t = 16)]
        connections: usize,
    },
    /// Send many mixed requests and some attacks, and watch the memory
    Endurance {
        /// The release binary
        binary: PathBuf,
        /// Number of requests
        #[arg(long, default_value_t = 1_000_000)]
        requests: u64,
        /// Connections
        #[arg(long, default_value_t = 16)]
        connections: usize,
    },
    /// Measure short prompts of one organization while another sends long documents
    Fairness {
        /// The release binary
        binary: PathBuf,
        /// Seconds for each measurement
        #[arg(long, default_value_t = 20)]
        seconds: u64,
    },
    /// Measure the gateway next to nginx, and the memory of a thousand streams
    Gateway {
        /// The release binary
        binary: PathBuf,
        /// Seconds for each measurement
        #[arg(long, default_value_t = 10)]
        seconds: u64,
    },
    /// Load one replica, then two, on PostgreSQL and Redis, and report the cost of a request in each part
    Replicas {
        /// The release binary
        binary: PathBuf,
        /// Seconds for each measurement
        #[arg(long, default_value_t = 8)]
        seconds: u64,
        /// Numbers of connections
        #[arg(long, value_delimiter = ',', default_value = "1,16,64")]
        connections: Vec<usize>,
        /// File for the costs that `simulate` reads
        #[arg(long, default_value = "costs.json")]
        costs: PathBuf,
    },
    /// Simulate an installation from measured costs: compared with the measurement, and at other rates
    Simulate {
        /// Costs file that `replicas` wrote
        costs: PathBuf,
    },
    /// Serve the bare handler on a free port, which is printed
    Bare,
}

#[tokio::main]
async fn main() -> Result<()> {
    // Fails if one is installed already, which is fine.
    drop(rustls::crypto::ring::default_provider().install_default());
    match Arguments::parse().command {
        Command::Bare => bare::serve().await,
        Command::Endurance { binary, requests, connections } => {
            endurance::measure(&binary, requests, connections).await
        }
        Command::Fairness { binary, seconds } => {
            fairness::measure(&binary, Duration::from_secs(seconds)).await
        }
        Command::Gateway { binary, seconds } => gateway::measure(&binary, Duration::from_secs(seconds)).await,
        Command::Log { binary, rows, seconds, connections } => {
            log::measure(&binary, rows, Duration::from_secs(seconds), connections).await
        }
        Command::Replicas { binary, seconds, connections, costs } => {
            replicas::measure(&binary, Duration::from_secs(seconds), &connections, &costs).await
        }
        Command::Simulate { costs } => simulate::run(&costs),
        Command::Run { binary, seconds, connections, bytes } => {
            run(binary, Duration::from_secs(seconds), &connections, bytes).await
        }
    }
}

async fn run(binary: PathBuf, duration: Duration, connections: &[usize], bytes: usize) -> Result<()> {
    let bare = bare::start().await?;
    let guarded = service::start(&binary).await?;
    let body = load::Body::same(bytes);
    println!("prompt of {bytes} bytes, default policy, every row durable before its answer\n");
    table::head();
    for &count in connections {
        let plain = load::measure(from_ref(&bare.target), &body, count, duration).await?;
        let evaluated = load::measure(from_ref(&guarded.target), &body, count, duration).await?;
        table::rows(count, &plain, &evaluated);
    }
    Ok(())
}
