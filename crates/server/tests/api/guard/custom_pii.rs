//! PII types that a policy defines, over HTTP.

use serde_json::{Value, json};

use crate::support::TestService;

fn policy(name: &str, custom: &Value) -> Value {
    let pii = json!({ "guardrail": "pii", "pii_masking_enabled": true, "custom_pii": custom });
    json!({ "policyName": name, "guardrails": [pii] })
}

fn badge() -> Value {
    json!([{ "name": "badge_no", "pattern": r"\b\d{6}\b", "labels": ["badge"] }])
}

#[tokio::test]
async fn a_custom_value_is_masked_logged_and_restored() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project_with(&token, &policy("shop", &badge())).await;
    let body = json!({ "prompt": "Badge 471100 opens room 471101.", "projectId": project, "username": "badge 471102" });
    let answer = service.post_json(&token, "/v2/guardengine/svc_firewall_analyze", &body).await;
    assert_eq!(answer.text("masked_prompt"), "Badge **1100 opens room **1101.");
    assert_eq!(answer.body["triggered_guardrails"][0]["evidence"], json!(["badge_no"]));
    let entry = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await;
    assert_eq!(entry.text("text"), "Badge [BADGE_NO_REDACTED] opens room [BADGE_NO_REDACTED].");
    assert!(entry.text("username").starts_with("badge [BADGE_NO_HASH_"), "{}", entry.body);

    let text = "Badge 471100 of jane@example.com";
    let body = json!({ "text": text, "projectId": project, "strategy": "token" });
    let masked = service.post_json(&token, "/v2/pii/mask", &body).await;
    assert_eq!(masked.body["pii_found"], json!(["badge_no", "email"]));
    let with_token = masked.text("masked_text");
    assert!(with_token.starts_with("Badge [BADGE_NO_TOKEN_"), "{with_token}");
    let restored =
        service.post_json(&token, "/v2/pii/unmask", &json!({ "text": with_token.to_lowercase() })).await;
    assert_eq!((restored.text("text"), &restored.body["restored"]), (text.to_lowercase(), &json!(2)));
}

#[tokio::test]
async fn a_policy_shows_its_types_and_an_error_names_the_field() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let id = service.policy(&token, &policy("shop", &badge())).await;
    let stored = service.get(&token, &format!("/api/policy/{id}")).await;
    assert_eq!(stored.body["guardrails"][0]["custom_pii"], badge());
    let taken = policy("other", &json!([{ "name": "email", "pattern": "x" }]));
    let refused = service.post_json(&token, "/api/policy/create", &taken).await;
    refused.refuses(422, "guardrails.0.custom_pii.0.name: must not be a built-in PII type");
}
