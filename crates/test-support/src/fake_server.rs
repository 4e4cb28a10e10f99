//! Other systems, played by servers of this process.

use std::sync::{Arc, Mutex};

use axum::{
    Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
};
use serde_json::Value;
use tokio::net::TcpListener;

/// A request that a peer got.
#[derive(Clone, Debug)]
pub struct Seen {
    pub method: String,
    /// With its query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: String,
}

impl Seen {
    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

type Answers = Arc<dyn Fn(&Seen) -> (u16, Value) + Send + Sync>;

/// A peer, where it is, and what it got.
#[derive(Clone)]
pub struct Peer {
    pub url: String,
    seen: Arc<Mutex<Vec<Seen>>>,
    answers: Answers,
}

impl Peer {
    /// One that answers so.
    #[expect(clippy::disallowed_methods, reason = "a test's own server ends with the test")]
    pub async fn start(answers: impl Fn(&Seen) -> (u16, Value) + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let peer = Self { url, seen: Arc::default(), answers: Arc::new(answers) };
        let router = Router::new().fallback(handle).with_state(peer.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        peer
    }

    /// What it got so far.
    pub fn seen(&self) -> Vec<Seen> {
        self.seen.lock().unwrap().clone()
    }
}

async fn handle(
    State(peer): State<Peer>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    body: Bytes,
) -> (StatusCode, String) {
    let body = String::from_utf8_lossy(&body).into_owned();
    let seen = Seen { method: method.to_string(), path: uri.to_string(), headers, body };
    peer.seen.lock().unwrap().push(seen.clone());
    let (status, answer) = (peer.answers)(&seen);
    (StatusCode::from_u16(status).unwrap(), answer.to_string())
}
