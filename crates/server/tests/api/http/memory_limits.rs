//! Limits on what clients make the service hold: connections, and bodies in memory.

use std::time::Duration;

use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
    time::{sleep, timeout},
};

use crate::support::TestService;

/// Bytes of a body that arrive; one more never does.
const SENT: usize = 900;

async fn connected(service: &TestService) -> TcpStream {
    TcpStream::connect(service.address()).await.unwrap()
}

/// Begins a request and sends its body but for the last byte.
async fn half_sent(service: &TestService, token: &str) -> TcpStream {
    let mut stream = connected(service).await;
    let head = format!(
        "POST /v2/pii/mask HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n\
         Content-Length: {}\r\n\r\n",
        SENT + 1
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    stream.write_all(&[b' '; SENT]).await.unwrap();
    stream
}

async fn answered(stream: &mut TcpStream) -> Option<String> {
    let mut answer = vec![0; 1024];
    let read = timeout(Duration::from_secs(5), stream.read(&mut answer)).await.ok()?.unwrap_or(0);
    Some(String::from_utf8_lossy(&answer[..read]).into_owned())
}

#[tokio::test]
async fn an_address_has_a_limited_number_of_connections() {
    let service = TestService::with(&[("limits.connections_per_address", "3")]).await;
    let mut open = vec![connected(&service).await, connected(&service).await, connected(&service).await];
    // The fourth is closed without an answer.
    let mut fourth = connected(&service).await;
    assert_eq!(answered(&mut fourth).await.as_deref(), Some(""));
    drop(open.pop());
    for _ in 0..50 {
        let mut another = connected(&service).await;
        let _sent = another.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n").await;
        if answered(&mut another).await.is_some_and(|answer| answer.starts_with("HTTP/1.1 200")) {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("a closed connection still counts");
}

#[tokio::test]
async fn bodies_of_an_organization_fill_its_part_of_the_memory_and_no_more() {
    // Four parts of 4,000 bytes each.
    let set = [("max_body.json", "1000"), ("max_body.media", "1000"), ("max_body.in_flight", "1")];
    let service = TestService::with(&set).await;
    let (token, stranger) = (service.owner().await, service.stranger().await);
    let mut held = Vec::new();
    for _ in 0..4 {
        held.push(half_sent(&service, &token).await);
    }
    sleep(Duration::from_millis(300)).await;
    let refused = answered(&mut half_sent(&service, &token).await).await.unwrap();
    assert!(
        refused.starts_with("HTTP/1.1 503") && refused.contains("too many request bodies at once"),
        "{refused}"
    );
    let mask = serde_json::json!({ "text": "x".repeat(500) });
    assert_eq!(service.post_json(&stranger, "/v2/pii/mask", &mask).await.status, 200);
    drop(held);
    for _ in 0..50 {
        if service.post_json(&token, "/v2/pii/mask", &mask).await.status == 200 {
            return;
        }
        sleep(Duration::from_millis(20)).await;
    }
    panic!("bodies of closed connections still count");
}
