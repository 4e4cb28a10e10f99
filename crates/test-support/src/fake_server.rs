//! An HTTP server whose responses a test chooses, and the requests that it received.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse as _, Response},
};
use serde_json::Value;
use tokio::net::TcpListener;

/// A request that a fake server received.
#[derive(Clone, Debug)]
pub struct ReceivedRequest {
    /// Method.
    pub method: Method,
    /// Path with query.
    pub path: String,
    /// Headers.
    pub headers: HeaderMap,
    /// Body as received.
    pub bytes: Vec<u8>,
    /// Body as text; invalid UTF-8 is replaced.
    pub body: String,
    /// Body as JSON; null when it is not JSON.
    pub json: Value,
}

impl ReceivedRequest {
    pub(crate) fn new(method: Method, uri: &Uri, headers: HeaderMap, bytes: &[u8]) -> Self {
        Self {
            method,
            path: uri.to_string(),
            headers,
            bytes: bytes.to_vec(),
            body: String::from_utf8_lossy(bytes).into_owned(),
            json: serde_json::from_slice(bytes).unwrap_or(Value::Null),
        }
    }

    /// Returns true for this method and a path with this prefix.
    pub fn is(&self, method: &Method, prefix: &str) -> bool {
        self.method == *method && self.path.starts_with(prefix)
    }

    /// Returns the value of a header, or an empty string.
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

type Handler = Arc<dyn Fn(&ReceivedRequest) -> (u16, Value) + Send + Sync>;

/// A server that responds with what `handler` returns. It ends with the runtime of the test.
#[derive(Clone)]
pub struct FakeServer {
    /// `http://127.0.0.1:<port>`.
    pub url: String,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    handler: Handler,
    delay: Duration,
}

impl FakeServer {
    /// Starts a server. `handler` returns the status and the JSON body of a response.
    pub async fn start(handler: impl Fn(&ReceivedRequest) -> (u16, Value) + Send + Sync + 'static) -> Self {
        Self::start_slow(Duration::ZERO, handler).await
    }

    /// Starts a server that records each request at once and responds after `delay`.
    pub async fn start_slow(
        delay: Duration,
        handler: impl Fn(&ReceivedRequest) -> (u16, Value) + Send + Sync + 'static,
    ) -> Self {
        let (listener, url) = listen().await;
        let server = Self { url, requests: Arc::default(), handler: Arc::new(handler), delay };
        serve(listener, Router::new().fallback(handle).with_state(server.clone()));
        server
    }

    /// Returns the requests received so far.
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }
}

async fn handle(
    State(server): State<FakeServer>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> Response {
    let request = ReceivedRequest::new(method, &uri, headers, &body);
    server.requests.lock().unwrap().push(request.clone());
    let (status, body) = (server.handler)(&request);
    tokio::time::sleep(server.delay).await;
    (StatusCode::from_u16(status).unwrap(), body.to_string()).into_response()
}

/// Binds a free port of 127.0.0.1 and returns the listener with its base URL.
pub async fn listen() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (listener, url)
}

/// Serves `router` until the runtime of the test ends.
#[expect(clippy::disallowed_methods, reason = "a server of a test ends with the test")]
pub fn serve(listener: TcpListener, router: Router) {
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
}
