//! `serve`: starts the service.

use std::io::IsTerminal as _;

use anyhow::Result;
use guardengine_store::Clock;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use super::{ConfigFlags, runtime};
use crate::service::Service;

pub fn run(flags: &ConfigFlags) -> Result<()> {
    let settings = flags.settings()?;
    log_to_stderr();
    runtime()?.block_on(async {
        let stop = stop_signal()?;
        let service = Service::open(settings, Clock::System).await?;
        if let Some(owner) = service.first_owner() {
            eprintln!("guardengine: first start: created {owner}");
        }
        service.check_media();
        eprintln!("guardengine: listening on http://{}", service.address());
        service.run(stop).await
    })
}

/// Logs to standard error, filtered by `RUST_LOG`, or at `info` if unset. Then the Kafka client is silent: it logs every
/// attempt, while the export logs an error once.
fn log_to_stderr() {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,rskafka=off"));
    let to_stderr = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    to_stderr.with_ansi(std::io::stderr().is_terminal()).init();
}

/// Returns a future that completes on SIGTERM or SIGINT. Installs the handlers at once, so that no signal during startup
/// is lost.
fn stop_signal() -> Result<impl Future<Output = ()> + Send + 'static> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        tracing::info!("stop signal received; draining");
    })
}
