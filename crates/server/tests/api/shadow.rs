//! A project's shadow policy: evaluated beside the live one, and only logged.

use guardengine_store::Log;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{Answer, Running};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

/// A project with those policies.
async fn project(service: &Running, token: &str, live: Value, shadow: Value) -> String {
    let live = service.policy(token, &live).await;
    let shadow = service.policy(token, &shadow).await;
    let project = json!({ "projectName": "shop", "policyId": live, "shadow_policy_id": shadow });
    service.post_json(token, "/api/project/create", &project).await.text("projectId")
}

async fn row(service: &Running, answer: &Answer) -> Log {
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let id: Uuid = answer.text("log_id").parse().unwrap();
    service.app.tenants.db.log(org, id).await.unwrap().unwrap()
}

#[tokio::test]
async fn a_shadow_that_would_block_shows_in_the_row_alone() {
    let service = Running::start().await;
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
async fn a_shadow_that_would_allow_changes_no_block() {
    let service = Running::start().await;
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
async fn a_shadow_is_silent_about_what_it_does_not_guard_and_about_masking() {
    let service = Running::start().await;
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
    let service = Running::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let text = guardengine_store::PolicyText { name: "torn", content: "{", by: "admin", connectors: &[] };
    let made = service.app.tenants.db.create_policy(org, text, service.clock.now()).await.unwrap();
    let guardengine_store::Created::Done(torn) = made else { panic!("the name is free") };
    let change = json!({ "shadow_policy_id": torn.id });
    service.put_json(&token, &format!("/api/project/{project}"), &change).await;
    let answer =
        service.post_json(&token, ANALYZE, &json!({ "prompt": "hello", "projectId": project })).await;
    assert_eq!((answer.status, answer.text("action").as_str()), (200, "allow"));
    assert_eq!(row(&service, &answer).await.shadow_decision, None);
}
