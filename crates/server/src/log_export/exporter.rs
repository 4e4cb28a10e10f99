//! The replica that holds the lease exports, the others wait for it to be free.

use std::time::Duration;

use guardengine_store::new_id;
use tokio::time::{sleep, timeout};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::{ExportStatus, batch, error::Error, sink::Sink};
use crate::{app::App, backoff::wait, config::LogExport};

/// Between two looks for the lease, and its renewals.
const TURN: Duration = Duration::from_secs(3);
/// How long it holds: when its holder is gone, another one exports after that.
const LEASE: Duration = Duration::from_secs(10);
/// Between two looks for rows.
const LOOK: Duration = Duration::from_secs(1);
/// Between two attempts that fail.
const LONGEST_WAIT: Duration = Duration::from_mins(1);
/// For the lease to be given back.
const RELEASE: Duration = Duration::from_secs(2);

/// Exports rows as `wanted`, until `stop`.
pub async fn export(app: App, stop: CancellationToken) {
    let (Some(wanted), Some(standing)) = (&app.settings.log_export, &app.log_export) else { return };
    if wanted.shows_password() {
        tracing::warn!(
            "log_export.kafka sends its password where anybody on the way can read it: set tls, or a scram mechanism"
        );
    }
    let export = Export { app: &app, wanted, name: wanted.name(), standing, holder: new_id(app.clock.now()) };
    Box::pin(stop.run_until_cancelled(export.take_turns())).await;
    let given_back = app.db.release_log_export(&export.name, export.holder, app.clock.now());
    // Else it ends by itself.
    let _over = timeout(RELEASE, given_back).await;
}

struct Export<'a> {
    app: &'a App,
    wanted: &'a LogExport,
    /// What its position and its lease are kept under.
    name: String,
    standing: &'a ExportStatus,
    holder: Uuid,
}

impl Export<'_> {
    async fn take_turns(&self) {
        loop {
            // What hangs when the store goes is tried again when it is back.
            let _cut = self.app.degraded.watch.run_while_up(self.turn()).await;
            self.standing.lease_released();
            sleep(TURN).await;
        }
    }

    /// Exports for as long as the lease is ours.
    async fn turn(&self) {
        self.measure().await;
        if self.holds().await {
            self.standing.lease_acquired();
            tokio::select! {
                () = self.lease_ends() => {}
                () = Box::pin(self.export()) => {}
            }
        }
    }

    async fn lease_ends(&self) {
        loop {
            sleep(TURN).await;
            self.measure().await;
            if !self.holds().await {
                return;
            }
        }
    }

    async fn holds(&self) -> bool {
        let now = self.app.clock.now();
        let leased = self.app.db.lease_log_export(&self.name, self.holder, now, now + LEASE).await;
        leased
            .inspect_err(|fault| tracing::warn!(%fault, "who exports the log is not known"))
            .unwrap_or(false)
    }

    async fn measure(&self) {
        match self.app.db.log_export_lag(&self.name).await {
            Ok(lag) => self.standing.measured(lag, self.app.clock.now()),
            Err(fault) => tracing::warn!(%fault, "how far the export is behind is not known"),
        }
    }

    /// Connects, exports until that fails, and again.
    async fn export(&self) {
        let mut failures = 0;
        loop {
            let fault = match Sink::connect(self.wanted).await {
                Ok(mut broker) => self.export_to(&mut broker, &mut failures).await,
                Err(fault) => fault,
            };
            failures += 1;
            self.standing.set_error(&fault);
            sleep(wait(failures, LONGEST_WAIT, None, rand::random())).await;
        }
    }

    /// Exports what there is and what comes, a page of each organisation in turn; why it ended.
    async fn export_to(&self, broker: &mut Sink, failures: &mut i64) -> Error {
        loop {
            match self.round(broker).await {
                Ok(more) => {
                    *failures = 0;
                    self.standing.set_healthy();
                    sleep(if more { Duration::ZERO } else { LOOK }).await;
                }
                Err(fault) => return fault,
            }
        }
    }

    /// Whether there was anything.
    async fn round(&self, broker: &mut Sink) -> Result<bool, Error> {
        let behind = self.app.db.behind_with_log_export(&self.name).await?;
        for org in &behind {
            batch::export(self.app, &self.name, broker, org).await?;
        }
        broker.is_ready().await?;
        Ok(!behind.is_empty())
    }
}
