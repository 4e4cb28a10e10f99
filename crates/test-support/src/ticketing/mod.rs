//! Fake ticket systems.

mod jira;
mod servicenow;
mod webhook;

use std::{
    collections::VecDeque,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use axum::{
    Json, Router,
    body::Bytes,
    extract::State,
    http::{HeaderMap, Method, StatusCode, Uri},
    response::{IntoResponse as _, Response},
};
use serde_json::Value;

use crate::fake_server::{ReceivedRequest, listen, serve};

/// A failure of the next request that would create something.
pub enum Failure {
    /// Refuses the request with this status and body.
    Status(u16, Value),
    /// Refuses the request with 429 and this `Retry-After` in seconds.
    RetryAfter(u64),
    /// Handles the request and responds with 504.
    LostResponse,
}

/// Requests and tickets of a fake ticket system.
#[derive(Default)]
pub struct Records {
    /// Every request, in order.
    pub requests: Vec<ReceivedRequest>,
    /// Every ticket, in order of creation.
    pub tickets: Vec<Ticket>,
    failures: VecDeque<Failure>,
}

/// A ticket.
pub struct Ticket {
    /// The fields that created it.
    pub sent: Value,
    /// Comments, as they were sent.
    pub comments: Vec<Value>,
    /// True when the ticket is closed.
    pub is_closed: bool,
}

impl Records {
    /// Creates a ticket and returns its index.
    fn create(&mut self, sent: Value) -> usize {
        self.tickets.push(Ticket { sent, comments: Vec::new(), is_closed: false });
        self.tickets.len() - 1
    }

    /// Returns the number of requests with this method and path prefix.
    pub fn count(&self, method: &Method, prefix: &str) -> usize {
        self.requests.iter().filter(|request| request.is(method, prefix)).count()
    }
}

type Handler = fn(&mut Records, &Method, &Uri, &Value) -> Response;

/// A ticket system. It ends with the runtime of the test.
#[derive(Clone)]
pub struct FakeTicketSystem {
    /// `http://127.0.0.1:<port>`.
    pub url: String,
    records: Arc<Mutex<Records>>,
    handler: Handler,
    delay: Duration,
}

impl FakeTicketSystem {
    /// Starts a Jira Cloud with the project `ED`.
    pub async fn jira() -> Self {
        Self::start(jira::handle, Duration::ZERO).await
    }

    /// Starts a Jira Cloud that responds `delay` after it created an issue or a comment.
    pub async fn slow_jira(delay: Duration) -> Self {
        Self::start(jira::handle, delay).await
    }

    /// Starts a ServiceNow instance.
    pub async fn servicenow() -> Self {
        Self::start(servicenow::handle, Duration::ZERO).await
    }

    /// Starts a webhook receiver.
    pub async fn webhook() -> Self {
        Self::start(webhook::handle, Duration::ZERO).await
    }

    async fn start(handler: Handler, delay: Duration) -> Self {
        let (listener, url) = listen().await;
        let system = Self { url, records: Arc::default(), handler, delay };
        serve(listener, Router::new().fallback(handle).with_state(system.clone()));
        system
    }

    /// Locks the records. The system does not respond while they are locked.
    pub fn records(&self) -> MutexGuard<'_, Records> {
        self.records.lock().unwrap()
    }

    /// Fails a later request that would create something. Failures apply in the order of the calls.
    pub fn fail_next(&self, failure: Failure) {
        self.records().failures.push_back(failure);
    }

    fn respond(&self, request: ReceivedRequest, uri: &Uri, creates: bool) -> Response {
        let mut records = self.records();
        let (method, body) = (request.method.clone(), request.json.clone());
        records.requests.push(request);
        match records.failures.pop_front_if(|_| creates) {
            None => (self.handler)(&mut records, &method, uri, &body),
            Some(Failure::Status(status, body)) => json(status, body),
            Some(Failure::RetryAfter(seconds)) => {
                let after = [("retry-after", seconds.to_string())];
                (StatusCode::TOO_MANY_REQUESTS, after, Json(Value::Null)).into_response()
            }
            Some(Failure::LostResponse) => {
                drop((self.handler)(&mut records, &method, uri, &body));
                json(504, Value::Null)
            }
        }
    }
}

async fn handle(
    State(system): State<FakeTicketSystem>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let request = ReceivedRequest::new(method, &uri, headers, &bytes);
    let creates = matches!(request.method, Method::POST | Method::PATCH)
        && !uri.path().contains("/search/")
        && request.json["type"] != "ping";
    let response = system.respond(request, &uri, creates);
    if creates {
        tokio::time::sleep(system.delay).await;
    }
    response
}

fn json(status: u16, body: Value) -> Response {
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}
