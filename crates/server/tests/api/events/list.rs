//! Events, listed by cursor and streamed.

use std::time::Duration;

use guardengine_test_support::poll::until;
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{
    autonomous::analyze::analyze,
    logs::stream::Stream,
    support::{TestService, send},
};

const VALIDATE: &str = "/v2/guardengine/svc_firewall_validate";
const PRIVATE: &str = "ann.lee@example.com";

/// Creates a project that blocks `borealis`, escalates `aurora` and masks personal data, and returns its id.
pub async fn project(service: &TestService, token: &str, name: &str) -> String {
    let pii = json!({ "guardrail": "pii", "pii_masking_enabled": true, "pii_masking_strategy": "partial" });
    let patterns = json!([{ "name": "project", "pattern": "aurora" }]);
    let custom = json!({ "guardrail": "custom_regex", "action": "Escalate", "patterns": patterns });
    let policy = json!({ "policyName": name, "blocked_keywords": ["borealis"], "guardrails": [pii, custom] });
    service.project_with(token, &policy).await
}

pub async fn evaluate(service: &TestService, token: &str, project: &str, text: &str) -> Value {
    let body = json!({ "response": text, "projectId": project, "username": "eve" });
    let answer = service.post_json(token, VALIDATE, &body).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn events(service: &TestService, token: &str, query: &str) -> Value {
    let answer = service.get(token, &format!("/api/events?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

fn types(page: &Value) -> Vec<&str> {
    page["events"].as_array().unwrap().iter().map(|event| event["type"].as_str().unwrap()).collect()
}

async fn started() -> (TestService, String, String) {
    let service = TestService::with(&[("limits.token", "off"), ("limits.autonomous", "off")]).await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    (service, token, project)
}

/// Returns the first event of a type as soon as it exists.
async fn until_there(service: &TestService, token: &str, kind: &str) -> Value {
    until(kind, async || {
        let page = events(service, token, &format!("kind={kind}")).await;
        page["events"].get(0).cloned()
    })
    .await
}

#[tokio::test]
async fn events_of_decisions_contain_no_text() {
    let (service, token, project) = started().await;
    evaluate(&service, &token, &project, "all is well").await;
    let masked = evaluate(&service, &token, &project, &format!("write to {PRIVATE}")).await;
    let blocked = evaluate(&service, &token, &project, &format!("borealis of {PRIVATE}")).await;
    let escalated = analyze(&service, &token, &project, &format!("where is aurora, {PRIVATE}")).await.body;
    let page = service.get(&token, "/api/events").await;
    assert_snapshot!(page.snapshot(), @r#"
    HTTP 200
    {
      "events": [
        {
          "data": {
            "confidence": 0.98,
            "correlation_id": "[id]",
            "decision": "mask",
            "direction": "output",
            "endpoint": "validate",
            "log_id": "[id]",
            "policyId": "[id]",
            "policy_version": 1,
            "principal": "user:admin",
            "projectName": "shop",
            "review_id": null,
            "risk_level": "critical",
            "safety_score": 3,
            "triggered_guardrails": [
              {
                "action": "mask",
                "confidence": 0.98,
                "name": "pii",
                "severity": "high"
              }
            ],
            "username": "eve"
          },
          "event_id": "[id]",
          "projectId": "[id]",
          "sequence": 1,
          "timestamp": "[time]",
          "type": "decision.masked"
        },
        {
          "data": {
            "confidence": 1.0,
            "correlation_id": "[id]",
            "decision": "block",
            "direction": "output",
            "endpoint": "validate",
            "log_id": "[id]",
            "policyId": "[id]",
            "policy_version": 1,
            "principal": "user:admin",
            "projectName": "shop",
            "review_id": null,
            "risk_level": "critical",
            "safety_score": 1,
            "triggered_guardrails": [
              {
                "action": "block",
                "confidence": 1.0,
                "name": "blocked_keyword",
                "severity": "high"
              },
              {
                "action": "mask",
                "confidence": 0.98,
                "name": "pii",
                "severity": "high"
              }
            ],
            "username": "eve"
          },
          "event_id": "[id]",
          "projectId": "[id]",
          "sequence": 2,
          "timestamp": "[time]",
          "type": "decision.blocked"
        },
        {
          "data": {
            "confidence": 1.0,
            "correlation_id": "[id]",
            "decision": "escalate",
            "direction": "input",
            "endpoint": "autonomous",
            "log_id": "[id]",
            "policyId": "[id]",
            "policy_version": 1,
            "principal": "user:admin",
            "projectName": "shop",
            "review_id": "[id]",
            "risk_level": "critical",
            "safety_score": 1,
            "triggered_guardrails": [
              {
                "action": "escalate",
                "confidence": 1.0,
                "name": "custom_regex",
                "severity": "high"
              },
              {
                "action": "mask",
                "confidence": 0.98,
                "name": "pii",
                "severity": "high"
              }
            ],
            "username": "eve"
          },
          "event_id": "[id]",
          "projectId": "[id]",
          "sequence": 3,
          "timestamp": "[time]",
          "type": "decision.escalated"
        }
      ],
      "forgotten": false,
      "newest_cursor": 3,
      "next_cursor": 3
    }
    "#);
    let page = page.body;
    for (event, decided) in page["events"].as_array().unwrap().iter().zip([&masked, &blocked, &escalated]) {
        assert_eq!(event["data"]["log_id"], decided["log_id"]);
        assert_eq!(event["projectId"], json!(project));
    }
    assert_eq!(page["events"][2]["data"]["review_id"], escalated["review_id"]);
    for hidden in [PRIVATE, "ann.lee", "borealis", "aurora", "write to", "evidence", "spans"] {
        assert!(!page.to_string().contains(hidden), "{hidden}: {page}");
    }
}

#[tokio::test]
async fn a_cursor_continues_at_any_later_time() {
    let (service, token, project) = started().await;
    for number in 0..5 {
        evaluate(&service, &token, &project, &format!("borealis {number}")).await;
    }
    let first = events(&service, &token, "limit=2").await;
    assert_eq!((types(&first).len(), &first["next_cursor"]), (2, &json!(2)));
    let rest = events(&service, &token, "cursor=2").await;
    assert_eq!((types(&rest).len(), &rest["next_cursor"], &rest["forgotten"]), (3, &json!(5), &json!(false)));
    let end = events(&service, &token, "cursor=5").await;
    assert_eq!((types(&end).len(), &end["next_cursor"]), (0, &json!(5)));
    evaluate(&service, &token, &project, PRIVATE).await;
    let service = service.restarted().await;
    let token = service.owner().await;
    assert_eq!(types(&events(&service, &token, "cursor=5").await), ["decision.masked"]);
    assert_eq!(types(&events(&service, &token, "kind=decision.masked").await).len(), 1);
    for (query, detail) in [
        ("cursor=9", "cursor: must be the next_cursor of an earlier answer"),
        ("cursor=-1", "cursor: must be the next_cursor of an earlier answer"),
        ("limit=0", "limit: must be a whole number from 1 to 500"),
        ("project=x", "invalid UUID format: project"),
    ] {
        service.get(&token, &format!("/api/events?{query}")).await.refuses(422, detail);
    }
    let unknown = service.get(&token, "/api/events?kind=decision.allowed").await;
    assert!(unknown.text("detail").starts_with("kind: must be one of decision.masked, "), "{}", unknown.body);
}

#[tokio::test]
async fn old_events_are_deleted_and_older_cursors_report_it() {
    let (service, token, project) = started().await;
    evaluate(&service, &token, &project, "borealis").await;
    service.clock.advance(Duration::from_hours(31 * 24));
    let token = service.owner().await;
    evaluate(&service, &token, &project, PRIVATE).await;
    service.run_maintenance().await;
    let page = events(&service, &token, "cursor=0").await;
    assert_eq!((types(&page), &page["forgotten"]), (vec!["decision.masked"], &json!(true)));
    assert_eq!(events(&service, &token, "cursor=1").await["forgotten"], json!(false));
}

#[tokio::test]
async fn members_see_the_events_of_their_projects_and_strangers_none() {
    let (service, token, project) = started().await;
    let (viewer, stranger) = (service.member("vera", "viewer").await, service.stranger().await);
    evaluate(&service, &token, &project, "borealis").await;
    for nobody in [&viewer, &stranger] {
        assert_eq!(types(&events(&service, nobody, "").await).len(), 0);
    }
    assert_eq!(events(&service, &stranger, "").await["newest_cursor"], 0);
    let of_project = format!("/api/events?project={project}");
    assert_snapshot!(service.get(&viewer, &of_project).await.snapshot(), @r#"
    HTTP 403
    {
      "detail": "not a member of this project"
    }
    "#);
    service.get(&stranger, &of_project).await.refuses(404, "project not found");
    let members = format!("/api/project/{project}/members");
    assert_eq!(service.post_json(&token, &members, &json!({ "username": "vera" })).await.status, 200);
    assert_eq!(types(&events(&service, &viewer, &format!("project={project}")).await), ["decision.blocked"]);
    let org = service.org_id().await;
    service.change(async |tx| tx.set_credits(org, 1, 10, service.clock.now()).await).await;
    assert_eq!(types(&events(&service, &token, "kind=credits.low").await), ["credits.low"]);
    assert_eq!(
        types(&events(&service, &viewer, "kind=credits.low").await).len(),
        0,
        "events of the organization are hidden"
    );
}

#[tokio::test]
async fn decided_and_expired_reviews_emit_events() {
    let (service, token, project) = started().await;
    let first = analyze(&service, &token, &project, "aurora one").await.text("review_id");
    let second = analyze(&service, &token, &project, "aurora two").await.text("review_id");
    let approve = json!({ "decision": "approve", "note": "a secret note" });
    assert_eq!(service.post_json(&token, &format!("/api/reviews/{first}"), &approve).await.status, 200);
    let decided = events(&service, &token, "kind=review.decided").await;
    let data = &decided["events"][0]["data"];
    assert_eq!((&data["review_id"], &data["status"]), (&json!(first), &json!("approved")));
    assert_eq!(data["expired"], false);
    assert!(!decided.to_string().contains("secret note"), "{decided}");
    service.clock.advance(Duration::from_hours(7 * 24));
    let token = service.owner().await;
    let expired = until_there(&service, &token, "review.expired").await;
    let data = &expired["data"];
    assert_eq!((&data["review_id"], &data["status"]), (&json!(second), &json!("denied")));
    assert_eq!((&data["expired"], &expired["projectId"]), (&json!(true), &json!(project)));
}

#[tokio::test]
async fn low_credits_emit_one_event() {
    let service = TestService::with(&[("credits.initial", "20")]).await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for _ in 0..20 {
        evaluate(&service, &token, &project, "all is well").await;
    }
    let page = events(&service, &token, "").await;
    assert_eq!(types(&page), ["credits.low"]);
    assert_eq!(page["events"][0]["data"], json!({ "balance": 1, "mark": 2 }));
    assert_eq!(page["events"][0]["projectId"], Value::Null);
}

#[tokio::test]
async fn a_stream_sends_events_and_continues_after_the_last_event_id() {
    let (service, token, project) = started().await;
    evaluate(&service, &token, &project, "borealis before").await;
    let mut stream = Stream::at(&service, &token, "/api/events/stream", None).await;
    let mut masked = Stream::at(&service, &token, "/api/events/stream?kind=decision.masked", None).await;
    evaluate(&service, &token, &project, "borealis").await;
    evaluate(&service, &token, &project, PRIVATE).await;
    let (id, event) = stream.next().await.unwrap();
    assert_eq!((id.as_str(), &event["type"]), ("2", &json!("decision.blocked")));
    assert_eq!(event, events(&service, &token, "cursor=1&limit=1").await["events"][0]);
    assert_eq!(masked.next().await.unwrap().0, "3");
    let mut again = Stream::at(&service, &token, "/api/events/stream", Some("0")).await;
    for id in ["1", "2", "3"] {
        assert_eq!(again.next().await.unwrap().0, id);
    }
    let request = service.request(Method::GET, "/api/events/stream").bearer_auth(&token);
    let refused = send(request.header("Last-Event-ID", "9")).await;
    refused.refuses(422, "Last-Event-ID: must be the id of an earlier event");
}

#[tokio::test]
async fn a_stream_sends_only_events_visible_to_its_reader() {
    let (service, token, project) = started().await;
    let (dev, stranger) = (service.member("dev", "developer").await, service.stranger().await);
    let mut hers = Stream::at(&service, &dev, "/api/events/stream", None).await;
    let mut theirs = Stream::at(&service, &stranger, "/api/events/stream", None).await;
    evaluate(&service, &token, &project, "borealis").await;
    let own = self::project(&service, &dev, "own").await;
    evaluate(&service, &dev, &own, "borealis").await;
    assert_eq!(hers.next().await.unwrap().1["projectId"], json!(own));
    let elsewhere = self::project(&service, &stranger, "elsewhere").await;
    evaluate(&service, &stranger, &elsewhere, "borealis").await;
    let (id, event) = theirs.next().await.unwrap();
    assert_eq!((id.as_str(), &event["projectId"]), ("1", &json!(elsewhere)));
    assert_eq!(types(&events(&service, &token, "").await).len(), 2);
}
