//! Ticket systems of the tests' own, on real ports: they answer as the vendors document it, and are no proof of what the
//! vendors' systems do.

mod jira;
mod receiver;
mod servicenow;

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
use tokio::net::TcpListener;

use crate::service::Running;

/// What a desk is asked.
pub struct Asked {
    pub method: Method,
    /// With its query.
    pub path: String,
    pub headers: HeaderMap,
    pub body: Value,
    /// As it came.
    pub bytes: Vec<u8>,
}

impl Asked {
    pub fn is(&self, method: &Method, begin: &str) -> bool {
        self.method == *method && self.path.starts_with(begin)
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers[name].to_str().unwrap()
    }
}

/// What goes wrong with the next request that would make something.
pub enum Trouble {
    /// It is refused so.
    Answer(u16, Value),
    /// It is to be asked again after so many seconds.
    Asks(u64),
    /// It is made, and the answer is lost.
    Lost,
}

/// What a desk holds.
#[derive(Default)]
pub struct Held {
    pub asked: Vec<Asked>,
    pub tickets: Vec<Ticket>,
    pub troubles: VecDeque<Trouble>,
}

/// A ticket, as it was sent.
pub struct Ticket {
    pub sent: Value,
    pub comments: Vec<Value>,
    pub is_closed: bool,
}

impl Held {
    fn make(&mut self, sent: Value) -> usize {
        self.tickets.push(Ticket { sent, comments: Vec::new(), is_closed: false });
        self.tickets.len() - 1
    }

    pub fn count(&self, method: &Method, begin: &str) -> usize {
        self.asked.iter().filter(|asked| asked.is(method, begin)).count()
    }
}

/// How a desk answers.
type Answers = fn(&mut Held, &Method, &Uri, &Value) -> Response;

/// A desk.
#[derive(Clone)]
pub struct Desk {
    pub base: String,
    held: Arc<Mutex<Held>>,
    answers: Answers,
}

impl Desk {
    pub async fn jira() -> Self {
        Self::serve(jira::answer).await
    }

    pub async fn servicenow() -> Self {
        Self::serve(servicenow::answer).await
    }

    pub async fn receiver() -> Self {
        Self::serve(receiver::answer).await
    }

    #[expect(clippy::disallowed_methods, reason = "a test's own server ends with the test")]
    async fn serve(answers: Answers) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        let desk = Self { base, held: Arc::default(), answers };
        let router = Router::new().fallback(answer).with_state(desk.clone());
        tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        desk
    }

    pub fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap()
    }

    pub fn trouble(&self, trouble: Trouble) {
        self.held().troubles.push_back(trouble);
    }
}

async fn answer(
    State(desk): State<Desk>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    bytes: Bytes,
) -> Response {
    let body: Value = serde_json::from_slice(&bytes).unwrap_or(Value::Null);
    let mut held = desk.held();
    let (path, bytes) = (uri.to_string(), bytes.to_vec());
    held.asked.push(Asked { method: method.clone(), path, headers, body: body.clone(), bytes });
    let makes = matches!(method, Method::POST | Method::PATCH)
        && !uri.path().contains("/search/")
        && body["type"] != "ping";
    match held.troubles.pop_front_if(|_| makes) {
        None => (desk.answers)(&mut held, &method, &uri, &body),
        Some(Trouble::Answer(status, body)) => json(status, body),
        Some(Trouble::Asks(seconds)) => {
            let after = [("retry-after", seconds.to_string())];
            (StatusCode::TOO_MANY_REQUESTS, after, Json(Value::Null)).into_response()
        }
        Some(Trouble::Lost) => {
            drop((desk.answers)(&mut held, &method, &uri, &body));
            json(504, Value::Null)
        }
    }
}

fn json(status: u16, body: Value) -> Response {
    (StatusCode::from_u16(status).unwrap(), Json(body)).into_response()
}

/// Waits in real time, for what goes on in the background.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    for _ in 0..300 {
        if let Some(found) = look().await {
            return found;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("not within half a minute: {what}");
}

/// The ticket, as soon as it has that status.
pub async fn ticket(service: &Running, token: &str, id: &str, status: &str) -> Value {
    let path = format!("/api/tickets/{id}");
    until(&format!("a ticket is {status}"), async || {
        let ticket = service.get(token, &path).await.body;
        (ticket["status"] == status).then_some(ticket)
    })
    .await
}

/// The ticket, as soon as it was tried so often.
pub async fn tried(service: &Running, token: &str, id: &str, attempts: u64) -> Value {
    let path = format!("/api/tickets/{id}");
    until(&format!("a ticket is tried {attempts} times"), async || {
        let ticket = service.get(token, &path).await.body;
        let is_over = ticket["attempts"] == attempts && ticket["last_error"].is_string();
        is_over.then_some(ticket)
    })
    .await
}
