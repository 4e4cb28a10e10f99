//! The listener: accepts connections, and limits their number and the time for request headers.

use std::{net::SocketAddr, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::{
    rt::{TokioIo, TokioTimer},
    server::graceful::GracefulShutdown,
};
use tokio::{
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::sleep,
};
use tokio_util::task::TaskTracker;
use tower::Service as _;

/// Maximum number of connections; more wait in the kernel's queue.
const CONNECTIONS: usize = 10_000;
/// Time limit from the connection or the previous response to the end of the request headers.
const HEADERS: Duration = Duration::from_mins(1);
/// Delay before the next attempt after `accept` failed.
const PAUSE: Duration = Duration::from_millis(100);

/// Open connections.
pub struct Connections {
    graceful: GracefulShutdown,
    tasks: TaskTracker,
}

/// Serves `router` until `stop` resolves; returns the connections that are still open.
pub async fn serve(listener: TcpListener, router: Router, stop: impl Future<Output = ()>) -> Connections {
    let connections = Connections { graceful: GracefulShutdown::new(), tasks: TaskTracker::new() };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let accept = async {
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, peer)) => connections.open(stream, peer, router.clone(), place),
                Err(error) => {
                    tracing::warn!(%error, "could not accept a connection");
                    sleep(PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = stop => {}
    }
    connections
}

impl Connections {
    fn open(&self, stream: TcpStream, peer: SocketAddr, router: Router, place: impl Send + 'static) {
        // Small responses must not wait for more data.
        drop(stream.set_nodelay(true));
        let answer = service_fn(move |request: hyper::Request<Incoming>| {
            let mut request: Request = request.map(Body::new);
            request.extensions_mut().insert(ConnectInfo(peer));
            router.clone().call(request)
        });
        let mut builder = http1::Builder::new();
        builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
        let watched = self.graceful.watch(builder.serve_connection(TokioIo::new(stream), answer));
        self.tasks.spawn(async move {
            if let Err(error) = watched.await {
                tracing::debug!(%error, "connection ended early");
            }
            drop(place);
        });
    }

    /// Waits until every connection has finished its current request.
    pub async fn finish(self) {
        self.graceful.shutdown().await;
        self.tasks.close();
        self.tasks.wait().await;
    }
}
