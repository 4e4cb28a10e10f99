//! Clean stops with connections that would hold them up.

use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::tempdir;
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::process::ServiceProcess;

const STOPS_WITHIN: Duration = Duration::from_secs(10);
/// Time of a stop that waits for nothing.
const STOPS_QUICKLY_WITHIN: Duration = Duration::from_secs(4);

async fn opened(service: &ServiceProcess, bytes: &str) -> TcpStream {
    let mut stream = TcpStream::connect(service.address()).await.unwrap();
    stream.write_all(bytes.as_bytes()).await.unwrap();
    stream
}

#[tokio::test(flavor = "multi_thread")]
async fn connections_without_a_complete_request_do_not_delay_a_stop() {
    let folder = tempdir().unwrap();
    let service = ServiceProcess::start(folder.path()).await;
    let mut open = Vec::new();
    for bytes in
        ["", "GE", "GET /healthz HTTP/1.1\r\nHos", "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET /heal"]
    {
        open.push(opened(&service, bytes).await);
    }
    let stream = service.open_stream("/api/logs/stream").await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    assert_eq!(tokio::task::spawn_blocking(|| service.stop()).await.unwrap(), Some(0));
    assert!(began.elapsed() < STOPS_QUICKLY_WITHIN, "stopped after {:?}", began.elapsed());
    drop((open, stream));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_that_never_ends_delays_a_stop_for_seconds_only() {
    let folder = tempdir().unwrap();
    let service = ServiceProcess::start(folder.path()).await;
    let head =
        "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{";
    let _half = opened(&service, head).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let began = Instant::now();
    assert_eq!(tokio::task::spawn_blocking(|| service.stop()).await.unwrap(), Some(0));
    assert!(began.elapsed() < STOPS_WITHIN, "stopped after {:?}", began.elapsed());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_in_flight_is_answered_during_a_stop() {
    let folder = tempdir().unwrap();
    let service = ServiceProcess::start(folder.path()).await;
    let body = json!({ "username": "nobody", "password": "wrong" }).to_string();
    let (begin, end) = body.split_at(5);
    let length = body.len();
    let head = format!(
        "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
    );
    let mut stream = opened(&service, &format!("{head}{begin}")).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    let stopped = tokio::task::spawn_blocking(|| service.stop());
    tokio::time::sleep(Duration::from_secs(1)).await;
    stream.write_all(end.as_bytes()).await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 401"), "{answer}");
    assert_eq!(stopped.await.unwrap(), Some(0));
}
