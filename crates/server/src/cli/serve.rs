//! `serve`: starts the service.

use std::{io::IsTerminal as _, process::ExitCode, time::Duration};

use anyhow::{Context as _, Result};
use guardengine_store::Clock;
use tokio::signal::unix::{SignalKind, signal};
use tracing_subscriber::EnvFilter;

use super::{ConfigFlags, one_line, runtime};
use crate::{config::Settings, http::layers::metrics, service::Service, service_log::ServiceLog};

/// Time limit to write the last log lines when the service ends.
const LAST_LINES: Duration = Duration::from_millis(500);

/// Runs the service. After the start of the log, nothing but the log writes to standard error, which may not accept it.
pub fn run(flags: &ConfigFlags) -> Result<ExitCode> {
    let layers = flags.layers()?;
    let settings = Settings::from_layers(&layers)?;
    // First, because metrics recorded earlier would be lost.
    metrics::recorder();
    let log = ServiceLog::start().context("cannot start the log")?;
    log_to(&log);
    if !layers.ignored().is_empty() {
        let variables = layers.ignored().join(", ");
        tracing::info!(variables, "ignored environment variables that are not settings");
    }
    for (key, source) in layers.retired() {
        tracing::warn!(key = key.name, %source, "a setting has no effect any more: {}", key.advice);
    }
    let runtime = runtime()?;
    let ended = runtime.block_on(serve(settings, &log));
    // Does not wait for blocking work that nobody waits for any more.
    runtime.shutdown_background();
    if let Err(error) = &ended {
        log.note(one_line(error));
    }
    log.flush(LAST_LINES);
    Ok(if ended.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

async fn serve(settings: Settings, log: &ServiceLog) -> Result<()> {
    let stop = stop_signal()?;
    let service = Service::open(settings, Clock::System).await?;
    if let Some(owner) = service.first_owner() {
        log.note(format_args!("first start: created {owner}"));
    }
    service.check_media();
    log.note(format_args!("listening on http://{}", service.address()));
    service.run(stop).await
}

/// Logs events and panics, filtered by `RUST_LOG`, or at `info` if unset. Then the Kafka client is silent: it logs every
/// attempt, while the export logs an error once.
fn log_to(log: &ServiceLog) {
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new("info,rskafka=off"));
    let writer = log.clone();
    let events = tracing_subscriber::fmt().with_env_filter(filter).with_writer(move || writer.clone());
    events.with_ansi(std::io::stderr().is_terminal()).init();
    std::panic::set_hook(Box::new(ServiceLog::log_panic));
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
