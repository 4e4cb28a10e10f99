//! Remote classifiers.

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use guardengine_classifiers::Unavailable;
use guardengine_custom_models::{LabelProbabilities, Model as _, RemoteEndpoint, RemoteModel};
use serde_json::{Value, json};

use crate::servers::{response, serve};

const TIMEOUT: Duration = Duration::from_millis(300);

fn classify(url: &str, texts: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
    let endpoint =
        RemoteEndpoint { url: url.parse().unwrap(), token: Some("s3cret".to_owned()), timeout: TIMEOUT };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let labels = "INJECTION=prompt_injection,hot=toxicity".parse().unwrap();
    let remote = RemoteModel::new(endpoint, labels, runtime.handle().clone()).unwrap();
    remote.classify(texts)
}

fn error_of(url: &str) -> String {
    classify(url, &["hi"]).unwrap_err().0.into_owned()
}

const VALID: &str =
    r#"[{"label": "INJECTION", "score": 0.75}, {"label": "hot", "score": 0.5}, {"label": "x", "score": 7}]"#;

#[test]
fn posts_each_text_with_the_token() {
    let (url, received) = serve(response(200, VALID), Duration::ZERO);
    let probabilities = classify(&url, &["one", "two"]).unwrap();
    assert_eq!(probabilities.len(), 2);
    assert_eq!(
        (probabilities[0][0], probabilities[0][3], probabilities[0][1]),
        (Some(0.75), Some(0.5), None)
    );
    let requests = [received.recv().unwrap(), received.recv().unwrap()];
    assert!(requests.iter().all(|one| one.headers.starts_with("post /predict ")));
    assert!(requests.iter().all(|one| one.headers.contains("authorization: bearer s3cret\r\n")));
    let mut bodies = requests.map(|one| serde_json::from_str::<Value>(&one.body).unwrap());
    bodies.sort_by_key(|body| body["inputs"].to_string());
    assert_eq!(bodies, ["one", "two"].map(|text| json!({ "inputs": text, "truncate": true })));
}

#[test]
fn accepts_a_nested_response() {
    let (url, _received) = serve(response(200, &format!("[{VALID}]")), Duration::ZERO);
    assert_eq!(classify(&url, &["hi"]).unwrap()[0][0], Some(0.75));
}

#[test]
fn a_closed_port_is_unavailable() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let error = error_of(&format!("http://user:hidden@127.0.0.1:{port}/predict"));
    assert!(error.starts_with("remote classifier: ") && !error.contains("hidden"), "{error}");
}

#[test]
fn stops_waiting_for_a_slow_server_at_the_timeout() {
    let (url, _received) = serve(response(200, VALID), Duration::from_secs(20));
    let start = Instant::now();
    let error = classify(&url, &["one", "two", "three", "four"]).unwrap_err();
    assert_eq!(error.0, "remote classifier: no response in time");
    assert!(start.elapsed() < 3 * TIMEOUT, "{:?}", start.elapsed());
}

#[test]
fn an_invalid_response_is_unavailable() {
    let long = format!("[{VALID}{}]", " ".repeat(70_000));
    for (body, expected) in [
        ("", "expected a list of labels and scores in the response"),
        ("<html>", "expected a list of labels and scores in the response"),
        (r#"{"label": "INJECTION", "score": 0.5}"#, "expected a list of labels and scores in the response"),
        (
            r#"[{"label": "INJECTION", "score": "0.5"}]"#,
            "expected a list of labels and scores in the response",
        ),
        ("[]", "expected a probability for every mapped label in the response"),
        (
            r#"[{"label": "INJECTION", "score": 0.5}]"#,
            "expected a probability for every mapped label in the response",
        ),
        (&VALID.replace("0.75", "1.75"), "expected a probability for every mapped label in the response"),
        (&VALID.replace("0.75", "-1"), "expected a probability for every mapped label in the response"),
        (&VALID.replace("0.75", "1e99"), "expected a probability for every mapped label in the response"),
        (&format!("[{VALID},{VALID}]"), "expected a list of labels and scores in the response"),
        (&long, "the response is too large"),
    ] {
        let (url, _received) = serve(response(200, body), Duration::ZERO);
        assert_eq!(
            error_of(&url),
            format!("remote classifier: {expected}"),
            "{}",
            &body[..body.len().min(90)]
        );
    }
}

#[test]
fn other_statuses_are_unavailable_and_redirects_are_not_followed() {
    for status in [204, 404, 429, 500] {
        let (url, _received) = serve(response(status, VALID), Duration::ZERO);
        assert_eq!(error_of(&url), format!("remote classifier: responded with status {status}"));
    }
    let (target, received) = serve(response(200, VALID), Duration::ZERO);
    let moved = format!("HTTP/1.1 307 X\r\nlocation: {target}\r\ncontent-length: 0\r\n\r\n");
    let (url, _received) = serve(moved, Duration::ZERO);
    assert_eq!(error_of(&url), "remote classifier: responded with status 307");
    assert!(received.try_recv().is_err());
}
