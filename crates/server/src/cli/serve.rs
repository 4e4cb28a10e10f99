//! `serve`.

use std::io::IsTerminal as _;

use anyhow::Result;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use super::{ConfigFlags, runtime};
use crate::{clock::Clock, service::Service};

pub fn run(flags: &ConfigFlags) -> Result<()> {
    let settings = flags.settings()?;
    log_to_stderr();
    runtime()?.block_on(async {
        let told = told_to_stop()?;
        let service = Service::open(settings, Clock::System).await?;
        if let Some(owner) = service.first_owner() {
            eprintln!("guardengine: first start: made {owner}");
        }
        let app = service.app().clone();
        service.app().tasks.spawn(async move { app.media_workers.check().await });
        eprintln!("guardengine: listening on http://{}", service.address());
        service.run(told).await
    })
}

/// `RUST_LOG` says which lines, `info` where it does not; there the client of Kafka is silent, which tells of every attempt
/// what the export tells once.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,rskafka=off"));
    let to_stderr = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    to_stderr.with_ansi(std::io::stderr().is_terminal()).init();
}

/// Ends with SIGTERM or SIGINT. Both are caught from here on, so that none is lost during the start.
fn told_to_stop() -> Result<impl Future<Output = ()> + Send + 'static> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("told to stop: draining");
    })
}
