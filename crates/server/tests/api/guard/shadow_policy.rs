//! Shadow policies, which are evaluated beside the live policy and only logged.

use guardengine_store::LogEntry;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{Response, TestService};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

/// Creates a project with these policies and returns its id.
async fn project(service: &TestService, token: &str, live: Value, shadow: Value) -> String {
    let live = service.policy(token, &live).await;
    let shadow = service.policy(token, &shadow).await;
    let project = json!({ "projectName": "shop", "policyId": live, "shadow_policy_id": shadow });
    service.post_json(token, "/api/project/create", &project).await.text("projectId")
}

async fn row(service: &TestService, answer: &Response) -> LogEntry {
    let org = service.org_id().await;
    let id: Uuid = answer.text("log_id").parse().unwrap();
    service.db.log(org, id).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_shadow_policy_that_would_block_appears_in_the_log_only() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let shadow = json!({ "policyName": "stricter", "blocked_keywords": ["aurora"] });
    let project = project(&service, &token, json!({ "policyName": "live" }), shadow).await;
    for (prompt, decision, outcome) in
        [("what is aurora?", "block", "would_block"), ("what is polar light?", "allow", "allowed")]
    {
        let answer =
            service.post_json(&token, ANALYZE, &json!({ "prompt": prompt, "projectId": project })).await;
        assert_eq!(
            (answer.text("action").as_str(), &answer.body["triggered_guardrails"]),
            ("allow", &json!([]))
        );
        let row = row(&service, &answer).await;
        assert_eq!((row.decision.as_str(), row.outcome.as_str()), ("allow", outcome));
        assert_eq!((row.shadow_decision.as_deref(), row.credits), (Some(decision), 1));
    }
}

#[tokio::test]
async fn a_shadow_policy_that_would_allow_changes_no_block() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let live = json!({ "policyName": "live", "blocked_keywords": ["aurora"] });
    let project = project(&service, &token, live, json!({ "policyName": "milder" })).await;
    let body = json!({ "prompt": "what is aurora?", "projectId": project });
    let answer = service.post_json(&token, ANALYZE, &body).await;
    assert_eq!(answer.text("action"), "block");
    let row = row(&service, &answer).await;
    assert_eq!((row.outcome.as_str(), row.shadow_decision.as_deref()), ("blocked", Some("allow")));
}

#[tokio::test]
async fn a_shadow_policy_ignores_unguarded_directions_and_masking() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let shadow = json!({ "policyName": "out", "policyMode": "output", "blocked_keywords": ["aurora"] });
    let project =
        project(&service, &token, json!({ "policyName": "live", "policyMode": "input" }), shadow).await;
    let body = json!({ "prompt": "what is aurora?", "projectId": project });
    let answer = service.post_json(&token, ANALYZE, &body).await;
    assert_eq!(row(&service, &answer).await.shadow_decision, None);
    let body = json!({ "response": "aurora is a code name", "projectId": project });
    let answer = service.post_json(&token, "/v2/guardengine/svc_firewall_validate", &body).await;
    let row = row(&service, &answer).await;
    assert_eq!(
        (row.outcome.as_str(), row.shadow_decision.as_deref(), row.credits),
        ("would_block", Some("block"), 0)
    );
    let body = json!({ "text": "aurora", "projectId": project });
    assert_eq!(service.post_json(&token, "/v2/pii/mask", &body).await.status, 200);
}

#[tokio::test]
async fn an_unreadable_shadow_fails_nothing() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let org = service.org_id().await;
    let text = guardengine_store::PolicyFields { name: "torn", content: "{", by: "admin", connectors: &[] };
    let made = service.change(async |tx| tx.create_policy(org, text, service.clock.now()).await).await;
    let guardengine_store::Created::Done(torn) = made else { panic!("the name is free") };
    let change = json!({ "shadow_policy_id": torn.id });
    service.put_json(&token, &format!("/api/project/{project}"), &change).await;
    let answer =
        service.post_json(&token, ANALYZE, &json!({ "prompt": "hello", "projectId": project })).await;
    assert_eq!((answer.status, answer.text("action").as_str()), (200, "allow"));
    assert_eq!(row(&service, &answer).await.shadow_decision, None);
}
