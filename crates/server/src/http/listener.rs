//! The port: who connects, how many at once, and how long they may take to say what they want.

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

/// Connections at once; further ones wait in the kernel's queue.
const CONNECTIONS: usize = 10_000;
/// The longest from a connection, or from the answer before, to the end of a request's headers.
const HEADERS: Duration = Duration::from_mins(1);
/// Before the next try, when the machine has no more connections to give.
const PAUSE: Duration = Duration::from_millis(100);

/// Connections that are still open.
pub struct Connections {
    graceful: GracefulShutdown,
    tasks: TaskTracker,
}

/// Answers with `router` until `told` to stop; the connections that are open then.
pub async fn serve(listener: TcpListener, router: Router, told: impl Future<Output = ()>) -> Connections {
    let connections = Connections { graceful: GracefulShutdown::new(), tasks: TaskTracker::new() };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let accept = async {
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, peer)) => connections.open(stream, peer, router.clone(), place),
                Err(fault) => {
                    tracing::warn!(%fault, "a connection could not be accepted");
                    sleep(PAUSE).await;
                }
            }
        }
    };
    tokio::select! {
        () = accept => {}
        () = told => {}
    }
    connections
}

impl Connections {
    fn open(&self, stream: TcpStream, peer: SocketAddr, router: Router, place: impl Send + 'static) {
        // Small answers must not wait for more to send.
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
            if let Err(fault) = watched.await {
                tracing::debug!(%fault, "a connection ended early");
            }
            drop(place);
        });
    }

    /// Lets every connection finish the request that it is at.
    pub async fn finish(self) {
        self.graceful.shutdown().await;
        self.tasks.close();
        self.tasks.wait().await;
    }
}
