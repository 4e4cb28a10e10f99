//! Tickets that do not arrive at first.

use std::time::Duration;

use guardengine_test_support::ticketing::Failure;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use super::{Guarded, INCIDENT, ISSUE, SEARCH};

#[tokio::test]
async fn a_ticket_whose_response_was_lost_is_searched_before_a_retry() {
    let guarded = Guarded::jira(json!({}), &[]).await;
    guarded.desk.fail_next(Failure::LostResponse);
    let id = guarded.asked("zoe").await;
    let waiting = guarded.tried(&id, 1).await;
    assert_eq!(waiting["last_error"], "it answered 504: the server failed");
    assert_eq!((guarded.made(), guarded.desk.records().count(&Method::POST, SEARCH)), (1, 0));
    guarded.service.clock.advance(Duration::from_secs(119));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(
        guarded.desk.records().count(&Method::POST, SEARCH),
        0,
        "a created ticket needs time to appear in searches"
    );
    guarded.service.clock.advance(Duration::from_secs(2));
    assert_eq!(guarded.reaches(&id, "sent").await["key"], "ED-1");
    assert_eq!((guarded.made(), guarded.desk.records().count(&Method::POST, SEARCH)), (1, 1));

    guarded.desk.fail_next(Failure::LostResponse);
    let comment = guarded.asked("zoe").await;
    guarded.tried(&comment, 1).await;
    guarded.service.clock.advance(Duration::from_secs(11));
    guarded.reaches(&comment, "commented").await;
    assert_eq!(guarded.comments(), [1]);
}

#[tokio::test]
async fn a_lost_response_of_servicenow_creates_no_second_record_or_note() {
    let guarded = Guarded::servicenow(json!({})).await;
    for status in ["sent", "commented"] {
        guarded.desk.fail_next(Failure::LostResponse);
        let id = guarded.asked("zoe").await;
        guarded.tried(&id, 1).await;
        guarded.service.clock.advance(Duration::from_secs(11));
        guarded.reaches(&id, status).await;
    }
    assert_eq!(guarded.comments(), [1]);
    assert_eq!(guarded.desk.records().count(&Method::POST, INCIDENT), 1);
}

#[tokio::test]
async fn retry_after_is_observed() {
    let guarded = Guarded::jira(json!({}), &[]).await;
    guarded.desk.fail_next(Failure::RetryAfter(1000));
    let id = guarded.asked("zoe").await;
    guarded.tried(&id, 1).await;
    guarded.service.clock.advance(Duration::from_secs(999));
    tokio::time::sleep(Duration::from_secs(2)).await;
    assert_eq!(guarded.desk.records().count(&Method::POST, ISSUE), 1);
    guarded.service.clock.advance(Duration::from_secs(1));
    guarded.reaches(&id, "sent").await;
}

#[tokio::test]
async fn a_refused_ticket_is_dead_until_it_is_retried() {
    let guarded = Guarded::jira(json!({ "priority": "Sky" }), &[]).await;
    let errors = json!({ "errorMessages": [], "errors": { "priority": "The priority 'Sky' is invalid" } });
    guarded.desk.fail_next(Failure::Status(400, errors));
    let id = guarded.asked("zoe").await;
    let dead = guarded.reaches(&id, "dead").await;
    assert_eq!(dead["last_error"], "it answered 400: refused fields: priority");
    let token = guarded.token().await;
    let listed = guarded.service.get(&token, "/api/tickets?status=dead").await.body;
    assert_eq!((&listed["tickets"], &listed["next_cursor"]), (&json!([dead]), &Value::Null));
    let taken_up = guarded.retried(&id).await;
    assert_eq!((taken_up.status, taken_up.text("status").as_str()), (200, "queued"));
    guarded.reaches(&id, "sent").await;
    assert_snapshot!(guarded.retried(&id).await.snapshot(), @r#"
    HTTP 409
    {
      "detail": "ticket is not dead"
    }
    "#);
    let trail = guarded.service.get(&token, "/api/audit?action=CONNECTORS:RETRY_TICKET").await.body;
    assert_eq!(trail["entries"][0]["action"], "CONNECTORS:RETRY_TICKET", "{trail}");
    let metrics = guarded.service.metrics();
    for outcome in ["dead", "sent"] {
        let counted = |line: &str| line.contains("guardengine_tickets_total") && line.contains(outcome);
        assert!(metrics.lines().any(counted), "{metrics}");
    }
}

#[tokio::test]
async fn a_ticket_is_dead_with_its_comments_after_the_last_attempt() {
    let guarded = Guarded::jira(json!({}), &[("tickets.attempts", "2")]).await;
    for _ in 0..2 {
        guarded.desk.fail_next(Failure::Status(401, Value::Null));
    }
    let first = guarded.asked("zoe").await;
    let failed = guarded.tried(&first, 1).await;
    assert_eq!(
        (&failed["status"], &failed["last_error"]),
        (&json!("queued"), &json!("it answered 401: the credentials are not accepted"))
    );
    let connector =
        guarded.service.get(&guarded.token().await, &format!("/api/connectors/{}", guarded.connector)).await;
    assert_eq!(connector.text("status"), "error");
    let second = guarded.asked("zoe").await;
    guarded.service.clock.advance(Duration::from_secs(11));
    guarded.reaches(&first, "dead").await;
    guarded.reaches(&second, "dead").await;
    assert_eq!(guarded.retried(&second).await.status, 200);
    guarded.reaches(&first, "sent").await;
    guarded.reaches(&second, "commented").await;
    assert_eq!(guarded.comments(), [1]);
}
