//! Delivery of events when the service is killed: each arrives in order, and repetitions have the same id.

use std::time::Duration;

use guardengine_test_support::fake_server::{FakeServer, ReceivedRequest};
use serde_json::{Value, json};
use tokio::time::sleep;

use crate::support::process::ServiceProcess;

const EVENTS: i64 = 12;
/// Response time of the receiver, long enough for the service to be killed meanwhile.
const SLOW: Duration = Duration::from_millis(300);

/// Returns the numbers and message ids of the events that arrived, in order.
fn arrived(receiver: &FakeServer) -> Vec<(i64, String)> {
    let event = |request: &ReceivedRequest| {
        (request.json["sequence"].as_i64().unwrap(), request.header("webhook-id").to_owned())
    };
    receiver.requests().iter().map(event).collect()
}

/// Creates a project that blocks `aurora` and returns its id.
async fn project(served: &ServiceProcess) -> Value {
    let policy = json!({ "policyName": "strict", "blocked_keywords": ["aurora"] });
    let policy = served.answer("/api/policy/create", &policy).await;
    let project = json!({ "projectName": "strict", "policyId": policy["policyId"] });
    served.answer("/api/project/create", &project).await["projectId"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_event_arrives_in_order_however_often_the_service_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let receiver = FakeServer::start_slow(SLOW, |_| (200, Value::Null)).await;
    let served = ServiceProcess::start(folder.path()).await;
    let hook = json!({ "name": "hook", "url": receiver.url, "secret": "shared-by-both-sides" });
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
    // At the time of the kill some are delivered and some wait.
    while arrived(&receiver).len() < 3 {
        sleep(Duration::from_millis(20)).await;
    }
    served.kill();
    drop(served);
    let before = arrived(&receiver).len();

    let served = ServiceProcess::start(folder.path()).await;
    let mut cursor = json!(0);
    for _ in 0..240 {
        cursor = served.get(&path).await["cursor"].clone();
        if cursor == EVENTS {
            break;
        }
        sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(cursor, EVENTS, "{}", served.get(&path).await);
    let arrived = arrived(&receiver);
    assert!(arrived.len() > before, "nothing arrived after the kill");
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
