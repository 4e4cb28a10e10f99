//! The service: open, run, drain.

use std::{future::Future, net::SocketAddr, sync::Arc, time::Duration};

use anyhow::{Context as _, Result};
use guardengine_store::Clock;
use tokio::{net::TcpListener, time::timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::App,
    config::Settings,
    first_run::{FirstOwner, bootstrap},
    http, maintenance,
    router::router,
};

// Together less than 10 s, after which many supervisors kill a process.
/// Time for open connections to finish after a stop is requested.
const DRAIN_TIMEOUT: Duration = Duration::from_secs(5);
/// Time to write pending activity after that.
const ACTIVITY_TIMEOUT: Duration = Duration::from_secs(1);
/// Time for background jobs to end after that.
const TASKS_TIMEOUT: Duration = Duration::from_secs(2);
/// Time to send the last traces after that.
const TRACES_TIMEOUT: Duration = Duration::from_millis(500);
/// Time to close the database after that.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// The service with its port open, not serving yet.
pub struct Service {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    first_owner: Option<FirstOwner>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Service {
    /// Opens the port and all parts of the service. An empty database gets its first organization and owner.
    pub async fn open(settings: Settings, clock: Clock) -> Result<Self> {
        let listener = TcpListener::bind(settings.listen).await;
        let listener = listener.with_context(|| format!("could not listen on {}", settings.listen))?;
        let address = listener.local_addr()?;
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let app = App::open(settings, clock, &tasks, &stop).await?;
        maintenance::start(&app, &tasks, &stop);
        let first_owner = bootstrap(&app).await?;
        Ok(Self { app, listener, address, first_owner, tasks, stop })
    }

    /// Returns the address of the listener.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// Returns the shared state.
    pub const fn app(&self) -> &App {
        &self.app
    }

    /// Checks in the background whether images and audio can be read, and logs what is missing.
    pub fn check_media(&self) {
        let workers = Arc::clone(self.app.guard.media_workers());
        self.tasks.spawn(async move { workers.check().await });
    }

    /// Returns the owner that this start created, if it was the first start.
    pub const fn first_owner(&self) -> Option<&FirstOwner> {
        self.first_owner.as_ref()
    }

    /// Serves until `stop_requested` completes, then finishes open requests and writes buffered data.
    pub async fn run(self, stop_requested: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let draining = self.app.operations.draining.clone();
        let stop_requested = async move {
            stop_requested.await;
            draining.cancel();
        };
        let settings = &self.app.operations.settings;
        let peers = http::PeerLimit::new(settings.connections_per_address, settings.trusted_proxies.clone());
        let open = http::serve(self.listener, router(&self.app), peers, stop_requested).await;
        if !open.finish(DRAIN_TIMEOUT).await {
            tracing::warn!("closed connections that did not finish within {} s", DRAIN_TIMEOUT.as_secs());
        }
        self.stop.cancel();
        end(self.app, &self.tasks).await;
        Ok(())
    }
}

/// Writes pending activity and waits for background jobs. Dropping the last handle to the journal flushes and ends it.
async fn end(app: App, tasks: &TaskTracker) {
    // Logs its own errors.
    let _written = timeout(ACTIVITY_TIMEOUT, app.write_activity_now()).await;
    let (db, traces) = (app.tenants.db.clone(), app.operations.traces.clone());
    drop(app);
    tasks.close();
    if timeout(TASKS_TIMEOUT, tasks.wait()).await.is_err() {
        tracing::warn!("background jobs did not end within {} s", TASKS_TIMEOUT.as_secs());
    }
    if let Some(traces) = traces {
        traces.end(TRACES_TIMEOUT).await;
    }
    if timeout(CLOSE_TIMEOUT, db.close()).await.is_err() {
        tracing::warn!("the database did not close within {} s", CLOSE_TIMEOUT.as_secs());
    }
}
