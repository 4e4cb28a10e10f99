//! A provider whose answers arrive in parts.

use std::{
    io,
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Router,
    body::{Body, Bytes},
    extract::State,
    http::Uri,
    response::{IntoResponse as _, Response},
};
use futures::{StreamExt as _, stream};
use guardengine_test_support::fake_server::{listen, serve};
use serde_json::{Value, json};

/// The parts in which an answer arrives.
#[derive(Clone, Default)]
pub struct Script {
    /// The parts of the body.
    pub parts: Vec<String>,
    /// Pause before each part.
    pub pause: Duration,
    /// True if the connection breaks after the last part.
    pub breaks: bool,
}

impl Script {
    /// Cuts events into parts of these many bytes, again and again.
    pub fn cut(events: &str, sizes: &[usize]) -> Self {
        let (mut rest, mut parts) = (events, Vec::new());
        for size in sizes.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let end =
                (*size.max(&1)..=rest.len()).find(|at| rest.is_char_boundary(*at)).unwrap_or(rest.len());
            parts.push(rest[..end].to_owned());
            rest = &rest[end..];
        }
        Self { parts, ..Self::default() }
    }
}

/// A provider that answers each call with its script.
#[derive(Clone)]
pub struct StreamingModel {
    /// `http://127.0.0.1:<port>`.
    pub url: String,
    script: Arc<Mutex<Script>>,
}

impl StreamingModel {
    /// Starts a provider. It ends with the runtime of the test.
    pub async fn start() -> Self {
        let (listener, url) = listen().await;
        let model = Self { url, script: Arc::default() };
        serve(listener, Router::new().fallback(handle).with_state(model.clone()));
        model
    }

    /// Sets how the next answers arrive.
    pub fn plays(&self, script: Script) {
        *self.script.lock().unwrap() = script;
    }
}

async fn handle(State(model): State<StreamingModel>, _: Uri, _: Bytes) -> Response {
    let Script { parts, pause, breaks } = model.script.lock().unwrap().clone();
    let end = breaks.then(|| Err(io::Error::other("broken")));
    let parts = parts.into_iter().map(|part| Ok(Bytes::from(part))).chain(end);
    let body = stream::iter(parts).then(move |part| async move {
        tokio::time::sleep(pause).await;
        part
    });
    ([("content-type", "text/event-stream")], Body::from_stream(body)).into_response()
}

/// Returns the data of the events of a body.
pub fn events(body: &str) -> Vec<Value> {
    let data = body.lines().filter_map(|line| line.strip_prefix("data: "));
    data.map(|data| serde_json::from_str(data).unwrap_or_else(|_| json!(data))).collect()
}
