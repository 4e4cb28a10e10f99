//! The baseline: a handler that parses a JSON body and returns another.

use std::process::Stdio;

use anyhow::{Context, Result};
use axum::{Json, Router, routing::post};
use serde_json::{Value, json};
use tokio::{
    io::{AsyncBufReadExt, BufReader},
    net::TcpListener,
    process::{Child, Command},
};

use crate::load::Target;

/// The bare server's process. Dropping the value ends it.
pub struct Bare {
    /// Its endpoint.
    pub target: Target,
    _process: Child,
}

/// Serves until killed; prints the port first.
pub async fn serve() -> Result<()> {
    let answer = |Json(body): Json<Value>| async move {
        Json(json!({ "overall_decision": "allow", "length": body["prompt"].as_str().map_or(0, str::len) }))
    };
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    println!("{}", listener.local_addr()?.port());
    Ok(axum::serve(listener, Router::new().route("/", post(answer))).await?)
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
