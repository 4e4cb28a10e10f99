//! The baseline: a handler that parses a JSON body and returns another. It also plays a model that answers at once, or in a
//! stream of twenty seconds.

use std::{convert::Infallible, process::Stdio, time::Duration};

use anyhow::{Context, Result};
use axum::{
    Json, Router,
    body::Body,
    response::{IntoResponse as _, Response},
    routing::post,
};
use futures::stream::unfold;
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpListener,
    process::{Child, Command},
    time::sleep,
};

use crate::load::Target;

/// The bare server's process. Dropping the value ends it.
pub struct Bare {
    /// Its endpoint.
    pub target: Target,
    _process: Child,
}

impl Bare {
    /// Returns its address and port.
    pub fn address(&self) -> &str {
        self.target.url.trim_start_matches("http://").trim_end_matches('/')
    }
}

/// Serves until killed; prints the port first.
pub async fn serve() -> Result<()> {
    let answer = |Json(body): Json<Value>| async move {
        Json(json!({ "overall_decision": "allow", "length": body["prompt"].as_str().map_or(0, str::len) }))
    };
    let router = Router::new().route("/", post(answer)).route("/v1/chat/completions", post(complete));
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    Ok(axum::serve(listener, router).await?)
}

/// Parts of a stream, and the time between two.
const PARTS: usize = 40;
const PAUSE: Duration = Duration::from_millis(500);

async fn complete(Json(body): Json<Value>) -> Response {
    let usage = json!({ "prompt_tokens": 200, "completion_tokens": 40, "total_tokens": 240 });
    if body["stream"] != true {
        let message =
            json!({ "role": "assistant", "content": "The report moves to the new template on Monday." });
        let choice = json!({ "index": 0, "message": message, "finish_reason": "stop" });
        return Json(json!({ "id": "c-1", "object": "chat.completion", "created": 1, "model": "m",
            "choices": [choice], "usage": usage }))
        .into_response();
    }
    let part = |at: usize| async move {
        let (delta, end) = match at {
            ..PARTS => (json!({ "content": "and on " }), Value::Null),
            PARTS => (json!({}), "stop".into()),
            _ => return (at == PARTS + 1).then(|| (Ok("data: [DONE]\n\n".to_owned()), at + 1)),
        };
        sleep(PAUSE).await;
        let choice = json!({ "index": 0, "delta": delta, "finish_reason": end });
        let chunk = json!({ "id": "c-1", "object": "chat.completion.chunk", "created": 1, "model": "m",
            "choices": [choice] });
        Some((Ok::<_, Infallible>(format!("data: {chunk}\n\n")), at + 1))
    };
    let events = Body::from_stream(unfold(0, part));
    ([("content-type", "text/event-stream")], events).into_response()
}

/// Starts [`serve`] in a process of its own.
pub async fn start() -> Result<Bare> {
    let mut command = Command::new(std::env::current_exe()?);
    let mut process = command.arg("bare").stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
    let output = process.stdout.take().context("the bare server has no output")?;
    let port = BufReader::new(output).lines().next_line().await?.context("the bare server did not start")?;
    let target = Target { url: format!("http://127.0.0.1:{port}/"), key: String::new() };
    Ok(Bare { target, _process: process })
}
