use std::time::Duration;

use futures::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{
    autonomous::analyze::{ANALYZE, analyze, api_key, project},
    support::{TestService, send},
};

const PROMPT: &str = "where is the aurora, asks ann@example.com";

async fn started() -> (TestService, String, String) {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    (service, token, project)
}

async fn escalated(service: &TestService, token: &str, project: &str) -> String {
    analyze(service, token, project, PROMPT).await.text("review_id")
}

fn decision(decision: &str) -> Value {
    json!({ "decision": decision })
}

async fn listed(service: &TestService, token: &str, query: &str) -> Vec<String> {
    let answer = service.get(token, &format!("/api/reviews?{query}")).await;
    let reviews = answer.body["reviews"].as_array().unwrap_or_else(|| panic!("{}", answer.body));
    reviews.iter().map(|review| review["review_id"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_review_is_read_decided_and_reported_to_the_caller() {
    let (service, owner, project) = started().await;
    let id = escalated(&service, &owner, &project).await;
    let (review, awaited) = (format!("/api/reviews/{id}"), format!("/api/autonomous/reviews/{id}"));
    let waiting = service.get(&owner, &awaited).await;
    assert_snapshot!(waiting.snapshot(), @r#"
    HTTP 200
    {
      "created_at": "[time]",
      "decided_at": null,
      "expired": false,
      "expires_at": "[time]",
      "review_id": "[id]",
      "status": "pending"
    }
    "#);
    let until = service.clock.now() + Duration::from_hours(7 * 24);
    assert_eq!(
        (&waiting.body["created_at"], &waiting.body["expires_at"]),
        (&json!(service.clock.now()), &json!(until))
    );
    let admin = service.member("boss", "admin").await;
    let seen = service.get(&admin, &review).await.body;
    assert_eq!((&seen["status"], &seen["log"]["decision"]), (&json!("pending"), &json!("escalate")));
    assert_eq!((&seen["log"]["username"], &seen["log"]["projectId"]), (&json!("eve"), &json!(project)));
    let approve = json!({ "decision": "Approve", "note": "a known customer" });
    let decided = service.post_json(&admin, &review, &approve).await;
    assert_snapshot!(decided.snapshot(), @r#"
    HTTP 200
    {
      "created_at": "[time]",
      "decided_at": "[time]",
      "decided_by": "user:boss",
      "expired": false,
      "expires_at": "[time]",
      "log": {
        "completion_tokens": null,
        "confidence": 1.0,
        "context": null,
        "conversation_id": null,
        "correlation_id": "[id]",
        "created_at": "[time]",
        "credits": 2,
        "decision": "escalate",
        "device_id": null,
        "direction": "input",
        "endpoint": "autonomous",
        "foreign_id": null,
        "lang_code": "en",
        "log_id": "[id]",
        "mark": null,
        "model_version": "[model_version]",
        "outcome": "escalated",
        "policyId": "[id]",
        "policy_version": 1,
        "principal": "user:admin",
        "processing_time_ms": "[processing_time_ms]",
        "projectId": "[id]",
        "projectName": "shop",
        "prompt_tokens": null,
        "reason": "confidential_terms (confidence 1.00, threshold 0.50): a confidential term",
        "residual_risk_level": "critical",
        "risk_level": "critical",
        "safety_score": 1,
        "shadow_decision": null,
        "source_app": null,
        "surface": "native",
        "text": "where is the aurora, asks [EMAIL_REDACTED]",
        "triggered_guardrails": [
          {
            "action": "escalate",
            "confidence": 1.0,
            "evidence": [
              "a confidential term"
            ],
            "name": "confidential_terms",
            "severity": "high",
            "spans": [
              {
                "end": 19,
                "start": 13
              }
            ]
          },
          {
            "action": "mask",
            "confidence": 0.98,
            "evidence": [
              "email"
            ],
            "name": "pii",
            "severity": "high",
            "spans": [
              {
                "end": 41,
                "start": 26
              }
            ]
          }
        ],
        "upstream_time_ms": null,
        "username": "eve"
      },
      "log_id": "[id]",
      "note": "a known customer",
      "review_id": "[id]",
      "status": "approved"
    }
    "#);
    let decided = decided.body;
    let awaited = service.get(&owner, &awaited).await.body;
    assert_eq!((&awaited["status"], &awaited["note"]), (&json!("approved"), &Value::Null));
    let trail = service.get(&owner, "/api/audit?action=REVIEWS:DECIDE_REVIEW").await.body;
    let entry = &trail["entries"][0];
    assert_eq!((&entry["principal"], &entry["target"]), (&json!("user:boss"), &json!(id)));
    assert_eq!(entry["details"], json!({ "decision": "approve", "log_id": decided["log_id"] }));
}

#[tokio::test]
async fn a_review_is_decided_once() {
    let (service, owner, project) = started().await;
    let path = format!("/api/reviews/{}", escalated(&service, &owner, &project).await);
    let decisions = (0..8).map(|number| decision(if number % 2 == 0 { "approve" } else { "deny" }));
    let answers = join_all(decisions.map(async |body| service.post_json(&owner, &path, &body).await)).await;
    let (done, late): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(done.len(), 1);
    for answer in &late {
        answer.refuses(409, "review already decided");
    }
    assert_eq!(service.get(&owner, &path).await.body["status"], done[0].body["status"]);
    let trail = service.get(&owner, "/api/audit?action=REVIEWS:DECIDE_REVIEW").await.body;
    assert_eq!(trail["entries"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn an_expired_review_is_denied() {
    let service = TestService::with(&[("reviews.expires_after", "10m")]).await;
    let owner = service.owner().await;
    let project = project(&service, &owner, "shop").await;
    let id = escalated(&service, &owner, &project).await;
    service.clock.advance(Duration::from_mins(10));
    let awaited = service.get(&owner, &format!("/api/autonomous/reviews/{id}")).await.body;
    assert_eq!((&awaited["status"], &awaited["expired"]), (&json!("denied"), &json!(true)));
    let late = service.post_json(&owner, &format!("/api/reviews/{id}"), &decision("approve")).await;
    assert_snapshot!(late.snapshot(), @r#"
    HTTP 409
    {
      "detail": "review expired"
    }
    "#);
    assert_eq!(listed(&service, &owner, "status=denied").await, [id]);
}

#[tokio::test]
async fn reviews_are_listed_by_status_and_page() {
    let (service, owner, project) = started().await;
    let mut ids = Vec::new();
    for _ in 0..3 {
        ids.insert(0, escalated(&service, &owner, &project).await);
        service.clock.advance(Duration::from_secs(1));
    }
    for (at, word) in [(0, "approve"), (1, "deny")] {
        service.post_json(&owner, &format!("/api/reviews/{}", ids[at]), &decision(word)).await;
    }
    assert_eq!(listed(&service, &owner, "").await, ids);
    for (at, status) in ["approved", "denied", "pending"].into_iter().enumerate() {
        assert_eq!(listed(&service, &owner, &format!("status={status}")).await, ids[at..=at]);
    }
    let first = service.get(&owner, "/api/reviews?limit=2").await.body;
    let cursor = first["next_cursor"].as_str().unwrap();
    assert_eq!(listed(&service, &owner, &format!("limit=2&cursor={cursor}")).await, ids[2..]);
    let refused = service.get(&owner, "/api/reviews?status=open").await;
    refused.refuses(422, "status: must be one of pending, approved, denied");
    let path = format!("/api/reviews/{}", ids[2]);
    service.post_json(&owner, &path, &json!({})).await.refuses(422, "field required: decision");
    let refused = service.post_json(&owner, &path, &decision("maybe")).await;
    refused.refuses(422, "decision: must be one of approve, deny");
    let note = json!({ "decision": "deny", "note": "x".repeat(2_001) });
    service.post_json(&owner, &path, &note).await.refuses(422, "note: must have at most 2000 characters");
    service.get(&owner, "/api/reviews/7").await.refuses(422, "invalid UUID format: review_id");
}

#[tokio::test]
async fn reviews_of_other_organizations_are_not_found() {
    let (service, owner, project) = started().await;
    let id = escalated(&service, &owner, &project).await;
    let stranger = service.stranger().await;
    assert_eq!(listed(&service, &stranger, "").await, Vec::<String>::new());
    for path in [format!("/api/reviews/{id}"), format!("/api/autonomous/reviews/{id}")] {
        service.get(&stranger, &path).await.refuses(404, "review not found");
    }
    let decided = service.post_json(&stranger, &format!("/api/reviews/{id}"), &decision("approve")).await;
    decided.refuses(404, "review not found");
    assert_eq!(service.get(&owner, &format!("/api/reviews/{id}")).await.body["status"], "pending");
}

#[tokio::test]
async fn reviewers_see_reviews_of_their_projects() {
    let (service, owner, project) = started().await;
    let analyst = service.member("ana", "analyst").await;
    let id = escalated(&service, &owner, &project).await;
    let path = format!("/api/reviews/{id}");
    assert_eq!(listed(&service, &analyst, "").await, Vec::<String>::new());
    service.get(&analyst, &path).await.refuses(404, "review not found");
    service.post_json(&analyst, &path, &decision("approve")).await.refuses(404, "review not found");
    let member = json!({ "username": "ana" });
    service.post_json(&owner, &format!("/api/project/{project}/members"), &member).await;
    assert_eq!(listed(&service, &analyst, "").await, [id]);
    assert_eq!(service.post_json(&analyst, &path, &decision("approve")).await.text("status"), "approved");
}

#[tokio::test]
async fn a_review_without_a_project_is_visible_to_its_caller_only() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let (developer, other) =
        (service.member("dev", "developer").await, service.member("dev two", "developer").await);
    let key = api_key(&service, &developer).await;
    let org = service.org_id().await;
    // The built-in policy escalates nothing, so the review is written directly.
    let body = json!({ "prompt": "a horse", "API-key": key });
    let row = send(service.post(ANALYZE).json(&body)).await.text("log_id");
    let log = service.db.log(org, row.parse().unwrap()).await.unwrap().unwrap();
    let id = uuid::Uuid::now_v7();
    let review =
        guardengine_store::NewReview { id, expires_at: service.clock.now() + Duration::from_mins(1) };
    let log = guardengine_store::LogEntry { id: uuid::Uuid::now_v7(), ..log };
    let mut made = guardengine_store::DecisionRecord::of(log, "autonomous");
    made.side_effects.review = Some(review);
    service.db.commit_decisions(&[made]).await.unwrap();
    let path = format!("/api/autonomous/reviews/{id}");
    let by_key = service.request(reqwest::Method::GET, &path).header("X-API-Key", &key);
    assert_eq!(send(by_key).await.text("status"), "pending");
    for token in [&owner, &developer] {
        assert_eq!(service.get(token, &path).await.text("status"), "pending");
    }
    service.get(&other, &path).await.refuses(404, "review not found");
}

#[tokio::test]
async fn the_reviewer_reads_the_text_that_the_log_stores() {
    let (service, owner, project) = started().await;
    for (log_content, text) in [
        ("full", json!(PROMPT)),
        ("masked", json!("where is the aurora, asks [EMAIL_REDACTED]")),
        ("none", Value::Null),
    ] {
        let change = json!({ "log_content": log_content });
        service.put_json(&owner, &format!("/api/project/{project}"), &change).await;
        let id = escalated(&service, &owner, &project).await;
        let review = service.get(&owner, &format!("/api/reviews/{id}")).await.body;
        assert_eq!(review["log"]["text"], text);
    }
}

#[tokio::test]
async fn reviews_are_deleted_with_their_entries_unless_pending() {
    let service = TestService::with(&[("logs.retention", "1d"), ("reviews.expires_after", "3d")]).await;
    let owner = service.owner().await;
    let project = project(&service, &owner, "shop").await;
    let id = escalated(&service, &owner, &project).await;
    service.clock.advance(Duration::from_hours(48));
    service.run_maintenance().await;
    let owner = service.owner().await;
    let waiting = service.get(&owner, &format!("/api/reviews/{id}")).await.body;
    assert_eq!((&waiting["status"], &waiting["log"]), (&json!("pending"), &Value::Null));
    service.clock.advance(Duration::from_hours(48));
    service.run_maintenance().await;
    let owner = service.owner().await;
    service.get(&owner, &format!("/api/reviews/{id}")).await.refuses(404, "review not found");
}
