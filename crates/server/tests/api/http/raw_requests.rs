//! Requests that no HTTP client sends.

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt as _, AsyncWriteExt as _},
    net::TcpStream,
};

use crate::support::TestService;

/// Sends bytes and returns the status, the head in lower case, and the JSON body of the first response.
async fn sent(service: &TestService, bytes: &[u8]) -> (u16, String, Value) {
    let mut stream = TcpStream::connect(service.address()).await.unwrap();
    // The service may refuse before it has read everything.
    let _refused = stream.write_all(bytes).await;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.unwrap();
    let answer = String::from_utf8(answer).unwrap();
    let (head, body) = answer.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no response: {answer}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, head.to_lowercase(), serde_json::from_str(body).unwrap_or(Value::Null))
}

#[tokio::test]
async fn refused_requests_have_a_detail_and_a_correlation_id() {
    let service = TestService::start().await;
    let long = "a".repeat(70_000);
    let headers = "x: y\r\n".repeat(200);
    for (request, status, detail) in [
        ("\x01\x02 / HTTP/1.1\r\n\r\n".to_owned(), 400, "malformed HTTP request"),
        ("GET / HTTP/1.1\r\nbroken header\r\n\r\n".to_owned(), 400, "malformed HTTP request"),
        (format!("GET /{long} HTTP/1.1\r\nHost: x\r\n\r\n"), 414, "request target too long"),
        (format!("GET / HTTP/1.1\r\nHost: x\r\n{headers}\r\n"), 431, "request headers too large"),
        (
            format!("GET / HTTP/1.1\r\nHost: x\r\nlong: {}\r\n\r\n", "a".repeat(600_000)),
            431,
            "request headers too large",
        ),
    ] {
        let (answered, head, body) = sent(&service, request.as_bytes()).await;
        assert_eq!((answered, &body), (status, &json!({ "detail": detail })), "{head}");
        assert!(head.contains("\r\nx-correlation-id: ") && head.contains("\r\ndate: "), "{head}");
        assert!(head.contains("\r\ncontent-type: application/json"), "{head}");
    }
}

#[tokio::test]
async fn a_refused_request_follows_an_answered_one() {
    let service = TestService::start().await;
    let mut stream = TcpStream::connect(service.address()).await.unwrap();
    stream.write_all(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/9\r\n\r\n").await.unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).await.unwrap();
    assert!(
        answer.starts_with("HTTP/1.1 200 OK") && answer.ends_with("{\"detail\":\"malformed HTTP request\"}"),
        "{answer}"
    );
}

#[tokio::test]
async fn http_1_1_needs_exactly_one_valid_host() {
    let service = TestService::start().await;
    for (version, hosts, status) in [
        ("1.1", "", 400),
        ("1.1", "Host: a\r\nHost: a\r\n", 400),
        ("1.1", "Host: a b\r\n", 400),
        ("1.1", "Host:\r\n", 400),
        ("1.1", "Host: user@a\r\n", 400),
        ("1.1", "Host: a:80:80\r\n", 400),
        ("1.1", "Host: [::1]:8080\r\n", 200),
        ("1.1", "Host: guard.example.com\r\n", 200),
        ("1.0", "", 200),
        ("1.0", "Host: a\r\nHost: b\r\n", 400),
    ] {
        let request = format!("GET /healthz HTTP/{version}\r\n{hosts}Connection: close\r\n\r\n");
        let (answered, head, body) = sent(&service, request.as_bytes()).await;
        assert_eq!(answered, status, "{hosts}: {head} {body}");
        assert!(
            head.contains("x-correlation-id: ") && (status == 200 || body["detail"].is_string()),
            "{head} {body}"
        );
    }
}

#[tokio::test]
async fn transfer_codings_other_than_chunked_are_refused() {
    let service = TestService::start().await;
    for (coding, status) in [
        ("chunked", 422),
        ("gzip, chunked", 400),
        ("chunked, chunked", 400),
        ("identity", 400),
        ("gzip", 400),
    ] {
        let request = format!(
            "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nConnection: close\r\n\
             Transfer-Encoding: {coding}\r\n\r\n2\r\n{{}}\r\n0\r\n\r\n"
        );
        let (answered, head, body) = sent(&service, request.as_bytes()).await;
        assert_eq!(answered, status, "{coding}: {head} {body}");
        assert!(body["detail"].is_string() && head.contains("x-correlation-id: "), "{head} {body}");
    }
}
