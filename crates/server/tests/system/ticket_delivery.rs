//! What a sudden end leaves of tickets: each arrives, and once.

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use axum::{Json, Router, extract::State, http::StatusCode, routing::post};
use serde_json::{Value, json};
use tokio::{net::TcpListener, time::sleep};

use crate::served::Served;

const USERS: usize = 8;
const SETTINGS: [(&str, &str); 3] =
    [("OUTGOING__ALLOW_PRIVATE", "true"), ("TICKETS__SETTLING", "1s"), ("LIMITS__AUTONOMOUS", "off")];
/// How long the desk takes to answer: time enough to be killed in.
const SLOW: Duration = Duration::from_millis(700);

/// Labels of the issues that were made.
type Made = Arc<Mutex<Vec<String>>>;

/// A desk that answers as Jira Cloud documents it, slowly.
#[expect(clippy::disallowed_methods, reason = "a test's own server ends with the test")]
async fn desk() -> (String, Made) {
    let made = Made::default();
    let router = Router::new()
        .route("/rest/api/3/issue", post(create))
        .route("/rest/api/3/search/jql", post(search))
        .with_state(Arc::clone(&made));
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    (base, made)
}

async fn create(State(made): State<Made>, Json(issue): Json<Value>) -> (StatusCode, Json<Value>) {
    let label = issue["fields"]["labels"][0].as_str().unwrap().to_owned();
    let number = {
        let mut made = made.lock().unwrap();
        made.push(label);
        made.len()
    };
    sleep(SLOW).await;
    (StatusCode::CREATED, Json(json!({ "id": number.to_string(), "key": format!("ED-{number}") })))
}

async fn search(State(made): State<Made>, Json(asked): Json<Value>) -> Json<Value> {
    let jql = asked["jql"].as_str().unwrap();
    let found = made.lock().unwrap().iter().position(|label| jql.contains(label.as_str()));
    let issue = |at: usize| json!({ "id": (at + 1).to_string(), "key": format!("ED-{}", at + 1) });
    Json(json!({ "issues": found.map(issue).into_iter().collect::<Vec<_>>(), "isLast": true }))
}

/// A project whose policy raises tickets at that desk.
async fn project(served: &Served, base: &str) -> String {
    let connector =
        json!({ "name": "desk", "base_url": base, "email": "a@b.c", "api_token": "t", "project_key": "ED" });
    let connector = served.answer("/api/connectors/jira", &connector).await;
    let item = json!({
        "guardrail": "custom_regex", "patterns": [{ "name": "project", "pattern": "aurora" }],
        "ticket": { "connector_id": connector["id"] },
    });
    let policy = json!({ "policyName": "desk", "guardrails": [item] });
    let policy = served.answer("/api/policy/create", &policy).await;
    let project = json!({ "projectName": "desk", "policyId": policy["policyId"] });
    served.answer("/api/project/create", &project).await["projectId"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn every_ticket_arrives_once_however_often_the_service_is_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (base, made) = desk().await;
    let served = Served::with(folder.path(), &SETTINGS).await;
    let project = project(&served, &base).await;
    for user in 0..USERS {
        let prompt = json!({ "prompt": "aurora", "projectId": project, "username": format!("user {user}") });
        let decided = served.answer("/api/autonomous/analyze", &prompt).await;
        assert_eq!(decided["soarTickets"][0]["status"], "queued", "{decided}");
        // Some of them are being sent by the time of the kill, some wait.
        sleep(Duration::from_millis(200)).await;
    }
    served.kill();
    drop(served);
    let served = Served::with(folder.path(), &SETTINGS).await;
    sleep(Duration::from_millis(1300)).await;
    served.kill();
    drop(served);

    let served = Served::with(folder.path(), &SETTINGS).await;
    let mut sent = 0;
    for _ in 0..120 {
        let tickets = served.get("/api/tickets?status=sent").await;
        sent = tickets["tickets"].as_array().unwrap().len();
        if sent == USERS {
            break;
        }
        sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(sent, USERS, "{}", served.get("/api/tickets").await);
    let mut labels = made.lock().unwrap().clone();
    labels.sort();
    labels.dedup();
    assert_eq!((labels.len(), made.lock().unwrap().len()), (USERS, USERS));
}
