//! Sources that a guardrail of a policy applies to.

use serde_json::{Value, json};

use crate::support::TestService;

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
const THREAT: &str = "I will kill you tonight when you come home.";

/// Returns the guardrails that a prompt with a document triggers under a policy.
async fn triggered(
    service: &TestService,
    token: &str,
    guardrail: Value,
    prompt: &str,
    document: &str,
) -> Vec<String> {
    let name = guardrail["guardrail"].to_string() + prompt + document + &guardrail["applies_to"].to_string();
    let policy =
        json!({ "policyName": name.chars().take(100).collect::<String>(), "guardrails": [guardrail] });
    let policy = service.policy(token, &policy).await;
    let project = json!({ "projectName": name.chars().take(100).collect::<String>(), "policyId": policy });
    let project = service.post_json(token, "/api/project/create", &project).await.text("projectId");
    let body = json!({ "prompt": prompt, "documents": [document], "projectId": project });
    let answer = service.post_json(token, ANALYZE, &body).await;
    let triggered = answer.body["triggered_guardrails"].as_array().unwrap().clone();
    triggered.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn content_moderation_reads_documents_only_where_a_policy_says_so() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let usual = json!({ "guardrail": "violence" });
    let documents = json!({ "guardrail": "violence", "applies_to": ["documents"] });
    let question = "What does the letter say?";
    assert_eq!(triggered(&service, &token, usual.clone(), question, THREAT).await, Vec::<String>::new());
    assert_eq!(triggered(&service, &token, usual, THREAT, question).await, ["violence"]);
    assert_eq!(triggered(&service, &token, documents.clone(), question, THREAT).await, ["violence"]);
    assert_eq!(triggered(&service, &token, documents, THREAT, question).await, Vec::<String>::new());
}

#[tokio::test]
async fn confidential_terms_can_leave_out_documents() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let terms = |more: Value| {
        let mut item = json!({ "guardrail": "confidential_terms", "terms": ["aurora"] });
        item.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        item
    };
    let (question, document) = ("What is it called?", "It is called Aurora.");
    let usual = triggered(&service, &token, terms(json!({})), question, document).await;
    assert_eq!(usual, ["confidential_terms"]);
    let prompts =
        triggered(&service, &token, terms(json!({ "applies_to": ["prompt"] })), question, document).await;
    assert_eq!(prompts, Vec::<String>::new());
}

#[tokio::test]
async fn sources_are_checked_kept_and_listed() {
    let service = TestService::start().await;
    let token = service.owner().await;
    for (sources, error) in [
        (
            json!(["web"]),
            "guardrails.0.applies_to.0: must be one of prompt, history, documents, response, media",
        ),
        (
            json!([]),
            "guardrails.0.applies_to: must have at least one of prompt, history, documents, response, media",
        ),
        (json!("prompt"), "guardrails.0.applies_to: must be an array of at most 5 items"),
    ] {
        let policy =
            json!({ "policyName": "a", "guardrails": [{ "guardrail": "spam", "applies_to": sources }] });
        let answer = service.post_json(&token, "/api/policy/create", &policy).await;
        assert_eq!((answer.status, answer.text("detail")), (422, error.to_owned()));
    }
    let item = json!({ "guardrail": "spam", "applies_to": ["media", "prompt"] });
    let id = service.policy(&token, &json!({ "policyName": "b", "guardrails": [item] })).await;
    let policy = service.get(&token, &format!("/api/policy/{id}")).await;
    assert_eq!(policy.body["guardrails"][0]["applies_to"], json!(["prompt", "media"]));
    let known = service.get(&token, "/api/guardrails").await.body["guardrails"].clone();
    let of = |name: &str| {
        known.as_array().unwrap().iter().find(|one| one["guardrail"] == name).unwrap()["applies_to"].clone()
    };
    assert_eq!(of("prompt_injection"), json!(["prompt", "history", "documents", "response", "media"]));
    assert_eq!(of("violence"), json!(["prompt", "history", "response", "media"]));
}
