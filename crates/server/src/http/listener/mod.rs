//! The listener: accepts connections, and limits their number and the time for request headers.

mod observed_stream;
mod peers;
mod refusal;

use std::{convert::Infallible, net::SocketAddr, pin::Pin, sync::Arc, time::Duration};

use axum::{
    Router,
    body::Body,
    extract::{ConnectInfo, Request},
    response::Response,
};
use hyper::{body::Incoming, server::conn::http1, service::service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::{TcpListener, TcpStream},
    sync::Semaphore,
    time::{sleep, timeout},
};
use tokio_util::{sync::CancellationToken, task::TaskTracker};
use tower::Service as _;

use observed_stream::{Activity, ObservedStream};
pub use peers::PeerLimit;
use refusal::Refusal;

/// Maximum number of connections; more wait in the kernel's queue.
const CONNECTIONS: usize = 10_000;
/// Maximum size of a request's head, and of what is read of a body before it is taken. A client that sends more than the
/// service reads fills this much for each connection.
const MAX_BUFFER: usize = 128 << 10;
/// Time limit from the connection or the previous response to the end of the request headers.
const HEADERS: Duration = Duration::from_mins(1);
/// Delay before the next attempt after `accept` failed.
const PAUSE: Duration = Duration::from_millis(100);
/// Time for the headers of a request that arrives while the service stops. Without them a connection is idle.
const LAST_HEADERS: Duration = Duration::from_millis(500);
/// Bounds for reading what follows a refused request. Closing earlier would reset the connection, and the client could lose
/// the response.
const LINGER: Duration = Duration::from_secs(2);
const LINGER_BYTES: u64 = 4 << 20;

/// Open connections.
pub struct Connections {
    tasks: TaskTracker,
    /// Asks connections to end after their current request.
    stop: CancellationToken,
    /// Closes connections at once.
    close: CancellationToken,
}

/// Serves `router` until `stop` resolves; returns the connections that are still open. Connections beyond `peers` are closed
/// at once.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    peers: PeerLimit,
    stop: impl Future<Output = ()>,
) -> Connections {
    let (tasks, stopped, close) = (TaskTracker::new(), CancellationToken::new(), CancellationToken::new());
    let connections = Connections { tasks, stop: stopped, close };
    let places = Arc::new(Semaphore::new(CONNECTIONS));
    let accept = async {
        while let Ok(place) = Arc::clone(&places).acquire_owned().await {
            match listener.accept().await {
                Ok((stream, peer)) => match peers.admit(peer.ip()) {
                    Some(permit) => connections.open(stream, peer, router.clone(), (place, permit)),
                    None => metrics::counter!("guardengine_refused_connections_total").increment(1),
                },
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
        let (stop, close) = (self.stop.clone(), self.close.clone());
        self.tasks.spawn(async move {
            close.run_until_cancelled(run(stream, peer, router, stop)).await;
            drop(place);
        });
    }

    /// Waits until every connection has finished its current request. Closes those that need longer than `limit`, and
    /// returns false if there were any.
    pub async fn finish(self, limit: Duration) -> bool {
        self.stop.cancel();
        self.tasks.close();
        let is_finished = timeout(limit, self.tasks.wait()).await.is_ok();
        self.close.cancel();
        self.tasks.wait().await;
        is_finished
    }
}

/// Runs a connection. After `stop`, ends it after its current request, or soon if there is none.
async fn run(stream: TcpStream, peer: SocketAddr, router: Router, stop: CancellationToken) {
    let activity = Activity::default();
    let observed = activity.clone();
    let answer = service_fn(move |request: hyper::Request<Incoming>| {
        let mut request: Request = request.map(Body::new);
        request.extensions_mut().insert(ConnectInfo(peer));
        observed.begin();
        let (answered, observed) = (router.clone().call(request), observed.clone());
        async move {
            let response: Result<Response, Infallible> = answered.await;
            response.map(|response| response.map(|body| observed.until_end_of(body)))
        }
    });
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS).max_buf_size(MAX_BUFFER);
    let stream = TokioIo::new(ObservedStream::new(stream, activity.clone()));
    let mut connection = builder.serve_connection(stream, answer);
    let ended = tokio::select! {
        ended = &mut connection => Some(ended),
        () = stop.cancelled() => None,
    };
    let ended = if let Some(ended) = ended {
        ended
    } else {
        Pin::new(&mut connection).graceful_shutdown();
        match timeout(LAST_HEADERS, &mut connection).await {
            Ok(ended) => ended,
            Err(_) if activity.is_answering() => (&mut connection).await,
            Err(_) => return,
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "connection ended early");
        let is_late = error.is_timeout() && activity.has_partial_head();
        if is_late || error.is_parse() {
            let stream = connection.into_parts().io.into_inner().into_inner();
            // The client may be gone.
            let _closed = timeout(LINGER, refuse(stream, is_late)).await;
        }
    }
}

/// Sends the response that a late request still needs, and reads what the client sends before it reads the response.
async fn refuse(mut stream: TcpStream, is_late: bool) -> std::io::Result<()> {
    if is_late {
        stream.write_all(&Refusal::late().response()).await?;
    }
    stream.shutdown().await?;
    let mut rest = stream.take(LINGER_BYTES);
    tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
    Ok(())
}
