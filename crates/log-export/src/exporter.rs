//! The export job. The replica that holds the lease exports; the others wait for it.

use std::time::Duration;

use guardengine_egress::backoff::wait;
use guardengine_store::{Clock, Db, StoreHealth, new_id};
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use crate::{ExportStatus, LogExport, batch, error::Error, sink::Sink};

/// Interval between attempts to acquire or renew the lease.
const RENEW_INTERVAL: Duration = Duration::from_secs(3);
/// Duration of the lease. Another replica takes over this long after the holder is gone.
const LEASE_DURATION: Duration = Duration::from_secs(10);
/// Pause between two searches for new log entries.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// Longest delay between two failed attempts.
const MAX_RETRY_DELAY: Duration = Duration::from_mins(1);
/// Longest time to release the lease on shutdown.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);

/// The export job of this process; cheap to clone.
#[derive(Clone)]
pub struct Exporter {
    db: Db,
    clock: Clock,
    health: StoreHealth,
    settings: LogExport,
    status: ExportStatus,
    /// Key of the stored position and lease.
    name: String,
    holder: Uuid,
}

impl Exporter {
    /// Registers the export in the store. Must run before the first evaluation, so that a new export misses no log entry.
    pub async fn register(
        db: Db,
        clock: Clock,
        health: StoreHealth,
        settings: LogExport,
    ) -> guardengine_store::Result<Self> {
        let (name, now) = (settings.name(), clock.now());
        db.start_log_export(&name, settings.from_beginning(), now).await?;
        let (status, holder) = (ExportStatus::new(), new_id(now));
        Ok(Self { db, clock, health, settings, status, name, holder })
    }

    /// Returns the status of the export.
    pub fn status(&self) -> &ExportStatus {
        &self.status
    }

    /// Exports log entries until `stop` is cancelled.
    pub async fn export_until(self, stop: CancellationToken) {
        if self.settings.shows_password() {
            tracing::warn!(
                "log_export.kafka sends its password unencrypted: set tls = true, or use a scram mechanism"
            );
        }
        Box::pin(stop.run_until_cancelled(self.run())).await;
        let release = self.db.release_log_export(&self.name, self.holder, self.clock.now());
        // Otherwise the lease expires.
        let _released = timeout(RELEASE_TIMEOUT, release).await;
    }

    async fn run(&self) {
        loop {
            // Cancelled when the database becomes unreachable, and started again when it is back.
            let _interrupted = self.health.run_while_up(self.export_with_lease()).await;
            self.status.lease_released();
            sleep(RENEW_INTERVAL).await;
        }
    }

    /// Exports while this replica holds the lease.
    async fn export_with_lease(&self) {
        self.measure_lag().await;
        if self.acquire_lease().await {
            self.status.lease_acquired();
            tokio::select! {
                () = self.lease_lost() => {}
                () = Box::pin(self.export()) => {}
            }
        }
    }

    async fn lease_lost(&self) {
        loop {
            sleep(RENEW_INTERVAL).await;
            self.measure_lag().await;
            if !self.acquire_lease().await {
                return;
            }
        }
    }

    async fn acquire_lease(&self) -> bool {
        let now = self.clock.now();
        let leased = self.db.lease_log_export(&self.name, self.holder, now, now + LEASE_DURATION).await;
        leased
            .inspect_err(|error| tracing::warn!(%error, "could not acquire the lease of the log export"))
            .unwrap_or(false)
    }

    async fn measure_lag(&self) {
        match self.db.log_export_lag(&self.name).await {
            Ok(lag) => self.status.set_lag(lag, self.clock.now()),
            Err(error) => tracing::warn!(%error, "could not measure the lag of the log export"),
        }
    }

    /// Connects and exports until an error occurs, then retries after a delay.
    async fn export(&self) {
        let mut failures = 0;
        loop {
            let error = match Sink::connect(&self.settings).await {
                Ok(mut sink) => self.export_to(&mut sink, &mut failures).await,
                Err(error) => error,
            };
            failures += 1;
            self.status.set_error(&error);
            sleep(wait(failures, MAX_RETRY_DELAY, None, rand::random())).await;
        }
    }

    /// Exports present and future log entries, one batch per organization in turn. Returns the error that ends it.
    async fn export_to(&self, sink: &mut Sink, failures: &mut i64) -> Error {
        loop {
            match self.export_round(sink).await {
                Ok(more) => {
                    *failures = 0;
                    self.status.set_healthy();
                    sleep(if more { Duration::ZERO } else { POLL_INTERVAL }).await;
                }
                Err(error) => return error,
            }
        }
    }

    /// Exports one batch of every organization with a backlog. Returns false if there was none.
    async fn export_round(&self, sink: &mut Sink) -> Result<bool, Error> {
        let backlogs = self.db.behind_with_log_export(&self.name).await?;
        for backlog in &backlogs {
            batch::export(&self.db, &self.name, sink, backlog).await?;
        }
        sink.is_ready().await?;
        Ok(!backlogs.is_empty())
    }
}
