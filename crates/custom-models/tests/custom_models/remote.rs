//! Classifiers behind a URL.

use std::{
    net::TcpListener,
    time::{Duration, Instant},
};

use guardengine_classifiers::Unavailable;
use guardengine_custom_models::{LabelProbabilities, Model as _, RemoteEndpoint, RemoteModel};
use serde_json::{Value, json};

use crate::servers::{answer, serve};

const TIMEOUT: Duration = Duration::from_millis(300);

fn ask_of(url: &str, stretches: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
    let service =
        RemoteEndpoint { url: url.parse().unwrap(), token: Some("s3cret".to_owned()), timeout: TIMEOUT };
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let labels = "INJECTION=prompt_injection,hot=toxicity".parse().unwrap();
    let remote = RemoteModel::new(service, labels, runtime.handle().clone()).unwrap();
    remote.classify(stretches)
}

fn told_of(url: &str) -> String {
    ask_of(url, &["hi"]).unwrap_err().0.into_owned()
}

const SOUND: &str =
    r#"[{"label": "INJECTION", "score": 0.75}, {"label": "hot", "score": 0.5}, {"label": "x", "score": 7}]"#;

#[test]
fn each_stretch_is_posted_with_the_token() {
    let (url, asked) = serve(answer(200, SOUND), Duration::ZERO);
    let opinions = ask_of(&url, &["one", "two"]).unwrap();
    assert_eq!(opinions.len(), 2);
    assert_eq!((opinions[0][0], opinions[0][3], opinions[0][1]), (Some(0.75), Some(0.5), None));
    let requests = [asked.recv().unwrap(), asked.recv().unwrap()];
    assert!(requests.iter().all(|one| one.headers.starts_with("post /predict ")));
    assert!(requests.iter().all(|one| one.headers.contains("authorization: bearer s3cret\r\n")));
    let mut bodies = requests.map(|one| serde_json::from_str::<Value>(&one.body).unwrap());
    bodies.sort_by_key(|body| body["inputs"].to_string());
    assert_eq!(bodies, ["one", "two"].map(|text| json!({ "inputs": text, "truncate": true })));
}

#[test]
fn an_answer_may_be_one_level_deeper() {
    let (url, _asked) = serve(answer(200, &format!("[{SOUND}]")), Duration::ZERO);
    assert_eq!(ask_of(&url, &["hi"]).unwrap()[0][0], Some(0.75));
}

#[test]
fn a_dead_port_is_unavailable() {
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
    let told = told_of(&format!("http://user:hidden@127.0.0.1:{port}/predict"));
    assert!(told.starts_with("the remote classifier: ") && !told.contains("hidden"), "{told}");
}

#[test]
fn a_slow_server_holds_nobody_longer_than_its_time() {
    let (url, _asked) = serve(answer(200, SOUND), Duration::from_secs(20));
    let began = Instant::now();
    let told = ask_of(&url, &["one", "two", "three", "four"]).unwrap_err();
    assert_eq!(told.0, "the remote classifier: it did not answer in time");
    assert!(began.elapsed() < 3 * TIMEOUT, "{:?}", began.elapsed());
}

#[test]
fn what_is_no_answer_is_unavailable() {
    let long = format!("[{SOUND}{}]", " ".repeat(70_000));
    for (body, told) in [
        ("", "its answer is no list of labels and scores"),
        ("<html>", "its answer is no list of labels and scores"),
        (r#"{"label": "INJECTION", "score": 0.5}"#, "its answer is no list of labels and scores"),
        (r#"[{"label": "INJECTION", "score": "0.5"}]"#, "its answer is no list of labels and scores"),
        ("[]", "its answer lacks a probability of a label that is mapped"),
        (
            r#"[{"label": "INJECTION", "score": 0.5}]"#,
            "its answer lacks a probability of a label that is mapped",
        ),
        (&SOUND.replace("0.75", "1.75"), "its answer lacks a probability of a label that is mapped"),
        (&SOUND.replace("0.75", "-1"), "its answer lacks a probability of a label that is mapped"),
        (&SOUND.replace("0.75", "1e99"), "its answer lacks a probability of a label that is mapped"),
        (&format!("[{SOUND},{SOUND}]"), "its answer is no list of labels and scores"),
        (&long, "its answer is too long"),
    ] {
        let (url, _asked) = serve(answer(200, body), Duration::ZERO);
        assert_eq!(
            told_of(&url),
            format!("the remote classifier: {told}"),
            "{}",
            &body[..body.len().min(90)]
        );
    }
}

#[test]
fn other_statuses_are_unavailable_and_redirects_are_not_followed() {
    for status in [204, 404, 429, 500] {
        let (url, _asked) = serve(answer(status, SOUND), Duration::ZERO);
        assert_eq!(told_of(&url), format!("the remote classifier: it answered {status}"));
    }
    let (elsewhere, asked) = serve(answer(200, SOUND), Duration::ZERO);
    let moved = format!("HTTP/1.1 307 X\r\nlocation: {elsewhere}\r\ncontent-length: 0\r\n\r\n");
    let (url, _asked) = serve(moved, Duration::ZERO);
    assert_eq!(told_of(&url), "the remote classifier: it answered 307");
    assert!(asked.try_recv().is_err());
}
