//! What a sudden end leaves of events: each arrives, in order, and what is told again is told under the same id.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{
    Json, Router,
    extract::State,
    http::{HeaderMap, StatusCode},
    routing::post,
};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::sleep};

use crate::served::Served;

const EVENTS: i64 = 12;
/// How long the receiver takes to answer: time enough to be killed in.
const SLOW: Duration = Duration::from_millis(300);

/// Numbers and message ids, as they came.
type Arrived = Arc<Mutex<Vec<(i64, String)>>>;

#[expect(clippy::disallowed_methods, reason = "a test's own server ends with the test")]
async fn receiver() -> (String, Arrived) {
    let arrived = Arrived::default();
    let router = Router::new().route("/", post(receive)).with_state(Arc::clone(&arrived));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (url, arrived)
}

async fn receive(State(arrived): State<Arrived>, headers: HeaderMap, Json(event): Json<Value>) -> StatusCode {
    let id = headers["webhook-id"].to_str().unwrap().to_owned();
    arrived.lock().unwrap().push((event["sequence"].as_i64().unwrap(), id));
    sleep(SLOW).await;
    StatusCode::NO_CONTENT
}

/// A project that blocks a word.
async fn project(served: &Served) -> Value {
    let policy = json!({ "policyName": "strict", "blocked_keywords": ["aurora"] });
    let policy = served.answer("/api/policy/create", &policy).await;
    let project = json!({ "projectName": "strict", "policyId": policy["policyId"] });
    served.answer("/api/project/create", &project).await["projectId"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_arrives_in_order_however_often_the_service_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (url, arrived) = receiver().await;
    let served = Served::start(folder.path()).await;
    let hook = json!({ "name": "hook", "url": url, "secret": "shared" });
    let hook = served.answer("/api/connectors/webhook", &hook).await;
    let subscription = json!({ "connector_id": hook["id"] });
    let made = served.answer("/api/events/subscriptions", &subscription).await;
    let path = format!("/api/events/subscriptions/{}", made["subscription_id"].as_str().unwrap());
    let project = project(&served).await;
    for _ in 0..EVENTS {
        let prompt = json!({ "prompt": "aurora", "projectId": project });
        let decided = served.answer("/v2/guardengine/svc_firewall_analyze", &prompt).await;
        assert_eq!(decided["overall_decision"], "block", "{decided}");
    }
    // Some are being told by the time of the kill, some wait.
    while arrived.lock().unwrap().len() < 3 {
        sleep(Duration::from_millis(20)).await;
    }
    served.kill();
    drop(served);
    let before = arrived.lock().unwrap().len();

    let served = Served::start(folder.path()).await;
    let mut cursor = json!(0);
    for _ in 0..240 {
        cursor = served.get(&path).await["cursor"].clone();
        if cursor == EVENTS {
            break;
        }
        sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(cursor, EVENTS, "{}", served.get(&path).await);
    let arrived = arrived.lock().unwrap().clone();
    assert!(arrived.len() > before, "the kill came before the end");
    let mut first_times: Vec<(i64, String)> = Vec::new();
    for (number, id) in &arrived {
        match first_times.iter().find(|(seen, _)| seen == number) {
            Some((_, first)) => assert_eq!(first, id, "the same event has the same id"),
            None => first_times.push((*number, id.clone())),
        }
    }
    let numbers: Vec<_> = first_times.iter().map(|(number, _)| *number).collect();
    assert_eq!(numbers, (1..=EVENTS).collect::<Vec<_>>());
}
