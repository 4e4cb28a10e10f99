//! The running service: opened, served until told to stop, drained.

use std::{future::Future, net::SocketAddr, time::Duration};

use anyhow::{Context as _, Result};
use tokio::{net::TcpListener, time::timeout};
use tokio_util::{sync::CancellationToken, task::TaskTracker};

use crate::{
    app::App,
    clock::Clock,
    config::Settings,
    first_run::{FirstOwner, bootstrap},
    http,
    router::router,
};

/// The longest that connections in flight may take to finish once the service is told to stop.
const DRAIN: Duration = Duration::from_secs(30);
/// The longest that background work may take to end after that.
const END: Duration = Duration::from_secs(10);

/// The service with its port open, not answering yet.
pub struct Service {
    app: App,
    listener: TcpListener,
    address: SocketAddr,
    first_owner: Option<FirstOwner>,
    tasks: TaskTracker,
    stop: CancellationToken,
}

impl Service {
    /// Opens the port and everything behind it; an empty database gets its first organisation and owner.
    pub async fn open(settings: Settings, clock: Clock) -> Result<Self> {
        let listener = TcpListener::bind(settings.listen).await;
        let listener = listener.with_context(|| format!("cannot listen on {}", settings.listen))?;
        let address = listener.local_addr()?;
        let (tasks, stop) = (TaskTracker::new(), CancellationToken::new());
        let app = App::open(settings, clock, &tasks, &stop).await?;
        let first_owner = bootstrap(&app).await?;
        Ok(Self { app, listener, address, first_owner, tasks, stop })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What handlers share.
    pub const fn app(&self) -> &App {
        &self.app
    }

    /// The owner whom this start made, if it was the first.
    pub const fn first_owner(&self) -> Option<&FirstOwner> {
        self.first_owner.as_ref()
    }

    /// Answers until `told` to stop, then finishes what is in flight and writes what is buffered.
    pub async fn run(self, told: impl Future<Output = ()> + Send + 'static) -> Result<()> {
        let draining = self.app.draining.clone();
        let told = async move {
            told.await;
            draining.cancel();
        };
        let open = http::serve(self.listener, router(&self.app), told).await;
        if timeout(DRAIN, open.finish()).await.is_err() {
            tracing::warn!("some connections did not end in time; they are cut");
        }
        self.stop.cancel();
        end(self.app, &self.tasks).await;
        Ok(())
    }
}

/// The journal ends, with everything written, when the last handle to it is gone.
async fn end(app: App, tasks: &TaskTracker) {
    app.write_activity_now().await;
    let db = app.db.clone();
    drop(app);
    tasks.close();
    if timeout(END, tasks.wait()).await.is_err() {
        tracing::warn!("background work did not end in time");
    }
    db.close().await;
}
