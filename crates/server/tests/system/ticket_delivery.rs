//! Delivery of tickets when the service is killed: each arrives once.

use std::{collections::BTreeSet, time::Duration};

use guardengine_test_support::ticketing::FakeTicketSystem;
use serde_json::json;
use tokio::time::sleep;

use crate::support::process::ServiceProcess;

const USERS: usize = 8;
const SETTINGS: [(&str, &str); 3] =
    [("OUTGOING__ALLOW_PRIVATE", "true"), ("TICKETS__SETTLING", "1s"), ("LIMITS__AUTONOMOUS", "off")];
/// Response time of Jira, long enough for the service to be killed meanwhile.
const SLOW: Duration = Duration::from_millis(700);

/// Creates a project whose policy raises tickets in Jira at `base`, and returns its id.
async fn project(served: &ServiceProcess, base: &str) -> String {
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
    let jira = FakeTicketSystem::slow_jira(SLOW).await;
    let served = ServiceProcess::with(folder.path(), &SETTINGS).await;
    let project = project(&served, &jira.url).await;
    for user in 0..USERS {
        let prompt = json!({ "prompt": "aurora", "projectId": project, "username": format!("user {user}") });
        let decided = served.answer("/api/autonomous/analyze", &prompt).await;
        assert_eq!(decided["soarTickets"][0]["status"], "queued", "{decided}");
        // At the time of the kill some are being sent and some wait.
        sleep(Duration::from_millis(200)).await;
    }
    served.kill();
    drop(served);
    let served = ServiceProcess::with(folder.path(), &SETTINGS).await;
    sleep(Duration::from_millis(1300)).await;
    served.kill();
    drop(served);

    let served = ServiceProcess::with(folder.path(), &SETTINGS).await;
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
    let records = jira.records();
    let labels: BTreeSet<_> =
        records.tickets.iter().map(|ticket| ticket.sent["labels"].to_string()).collect();
    assert_eq!((labels.len(), records.tickets.len()), (USERS, USERS));
}
