use std::time::Duration;

use futures::future::join_all;
use serde_json::{Value, json};

use crate::{
    autonomous::analyze::{ANALYZE, analyze, api_key, policy, project, trusts},
    support::{PASSWORD, Response, TestService, send},
};

const CHALLENGE: &str = "/api/autonomous/challenge";
const PROMPT: &str = "a zebra, please";

/// Returns the response to a challenged prompt and the body that confirms it.
async fn challenged(service: &TestService, token: &str, project: &str) -> (Response, Value) {
    let answer = analyze(service, token, project, PROMPT).await;
    let confirmed = json!({
        "challenge_token": answer.text("challenge_token"), "confirmed": true,
        "projectId": project, "prompt": PROMPT, "username": "eve",
    });
    (answer, confirmed)
}

fn with(body: &Value, field: &str, value: Value) -> Value {
    let mut body = body.clone();
    body[field] = value;
    body
}

async fn started() -> (TestService, String, String) {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    (service, token, project)
}

#[tokio::test]
async fn a_confirmation_allows_the_prompt_once_without_a_charge() {
    let (service, token, project) = started().await;
    let (challenge, body) = challenged(&service, &token, &project).await;
    let until = service.clock.now() + Duration::from_mins(5);
    assert_eq!(challenge.text("challenge_expires_at"), until.to_string());
    let answer = service.post_json(&token, CHALLENGE, &body).await;
    assert_eq!((answer.status, answer.text("decision").as_str()), (200, "ALLOW"), "{}", answer.body);
    assert_eq!((&answer.body["challenge_token"], &answer.body["output"]), (&Value::Null, &json!("")));
    assert_eq!(answer.body["guardrailActions"][0]["action"], "ALLOW");
    assert_eq!(answer.text("reasoning"), "the user confirmed it");
    let log = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await.body;
    let reported = ["endpoint", "decision", "outcome", "credits"].map(|field| log[field].clone());
    assert_eq!(reported, [json!("challenge"), json!("allow"), json!("allowed"), json!(0)]);
    service.post_json(&token, CHALLENGE, &body).await.refuses(409, "challenge already answered");
    assert_eq!(analyze(&service, &token, &project, PROMPT).await.text("decision"), "CHALLENGE");
    assert_eq!(service.get(&token, "/api/credits").await.body["balance"], 100_000 - 4);
}

#[tokio::test]
async fn a_prompt_that_the_user_withdraws_is_blocked() {
    let (service, token, project) = started().await;
    let (_, body) = challenged(&service, &token, &project).await;
    let answer = service.post_json(&token, CHALLENGE, &with(&body, "confirmed", json!(false))).await;
    assert_eq!((answer.status, answer.text("decision").as_str()), (200, "BLOCK"));
    assert_eq!(answer.text("reasoning"), "the user did not confirm it");
    assert_eq!(answer.text("output"), "Your message was not sent.");
    let log = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await.body;
    assert_eq!((&log["decision"], &log["outcome"]), (&json!("block"), &json!("blocked")));
    service.post_json(&token, CHALLENGE, &body).await.refuses(409, "challenge already answered");
}

#[tokio::test]
async fn an_answer_to_a_challenge_takes_no_images() {
    let (service, token, project) = started().await;
    let (_, body) = challenged(&service, &token, &project).await;
    let images = with(&body, "images", json!(vec!["/9j/4A=="; 20]));
    let refused = service.post_json(&token, CHALLENGE, &images).await;
    refused.refuses(422, "images: must be empty: svc_firewall_analyze reads images");
    assert_eq!(service.post_json(&token, CHALLENGE, &body).await.status, 200);
}

#[tokio::test]
async fn only_the_challenged_prompt_is_allowed() {
    let (service, token, project) = started().await;
    let (_, body) = challenged(&service, &token, &project).await;
    let other = service.project_with(&token, &policy("other")).await;
    for (field, value) in [
        ("prompt", json!("a zebra, please!")),
        ("documents", json!(["more"])),
        ("conversation_history", json!(["before"])),
        ("username", json!("adam")),
        ("username", Value::Null),
        ("pii_masking", json!(true)),
        ("projectId", json!(other)),
        ("projectId", Value::Null),
    ] {
        let refused = service.post_json(&token, CHALLENGE, &with(&body, field, value)).await;
        refused.refuses(409, "challenge is for another prompt");
    }
    assert_eq!(service.post_json(&token, CHALLENGE, &body).await.text("decision"), "ALLOW");
}

#[tokio::test]
async fn only_the_caller_answers_and_only_in_time() {
    let (service, token, project) = started().await;
    let (_, body) = challenged(&service, &token, &project).await;
    let key = api_key(&service, &token).await;
    let by_key = service.post(CHALLENGE).header("X-API-Key", &key).json(&body);
    send(by_key).await.refuses(404, "challenge not found");
    let admin = service.member("other", "admin").await;
    service.post_json(&admin, CHALLENGE, &body).await.refuses(404, "challenge not found");
    let stranger = service.stranger().await;
    service.post_json(&stranger, CHALLENGE, &body).await.refuses(404, "challenge not found");
    let unknown = with(&body, "challenge_token", json!("gc_unknown"));
    service.post_json(&token, CHALLENGE, &unknown).await.refuses(404, "challenge not found");
    service.clock.advance(Duration::from_mins(5));
    service.post_json(&token, CHALLENGE, &body).await.refuses(409, "challenge expired");
    service.clock.advance(Duration::from_hours(25));
    service.run_maintenance().await;
    let token = service.owner().await;
    service.post_json(&token, CHALLENGE, &body).await.refuses(404, "challenge not found");
}

#[tokio::test]
async fn a_confirmation_overrides_neither_a_block_nor_a_review() {
    for (change, decision) in [
        (json!({ "blocked_keywords": ["zebra"] }), "BLOCK"),
        (json!({ "max_prompt_length": 5 }), "BLOCK"),
        (
            json!({ "guardrails": [{ "guardrail": "confidential_terms", "action": "Escalate", "terms": ["zebra"] }] }),
            "ESCALATE",
        ),
    ] {
        let service = TestService::start().await;
        let token = service.owner().await;
        let policy = service.policy(&token, &policy("shop")).await;
        let project = json!({ "projectName": "shop", "policyId": policy });
        let project = service.post_json(&token, "/api/project/create", &project).await.text("projectId");
        let (_, body) = challenged(&service, &token, &project).await;
        assert_eq!(service.put_json(&token, &format!("/api/policy/{policy}"), &change).await.status, 200);
        let answer = service.post_json(&token, CHALLENGE, &body).await;
        assert_eq!(answer.text("decision"), decision, "{}", answer.body);
        assert_eq!(answer.body["review_id"].is_string(), decision == "ESCALATE");
        service.post_json(&token, CHALLENGE, &body).await.refuses(409, "challenge already answered");
    }
}

#[tokio::test]
async fn one_of_sixteen_concurrent_confirmations_succeeds() {
    let (service, token, project) = started().await;
    let (_, body) = challenged(&service, &token, &project).await;
    let replica = service.replica().await;
    let answers = join_all((0..16).map(async |number| {
        let asked = if number % 2 == 0 { &service } else { &replica };
        asked.post_json(&token, CHALLENGE, &body).await
    }))
    .await;
    let (passed, refused): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(passed.len(), 1);
    for answer in &refused {
        answer.refuses(409, "challenge already answered");
    }
    let rows = service.get(&token, "/api/logs").await.body;
    assert_eq!(rows["logs"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn a_challenge_outlives_a_restart_and_keeps_masking() {
    let (service, token, project) = started().await;
    let prompt = "zebra for ann@example.com";
    let challenge = analyze(&service, &token, &project, prompt).await.text("challenge_token");
    let service = service.restarted().await;
    let token = service.sign_in("admin", PASSWORD).await.text("access_token");
    let body = json!({
        "challenge_token": challenge, "confirmed": true, "projectId": project, "prompt": prompt, "username": "eve",
    });
    let answer = service.post_json(&token, CHALLENGE, &body).await.body;
    assert_eq!(
        (&answer["decision"], &answer["maskedPrompt"]),
        (&json!("ALLOW"), &json!("zebra for [EMAIL_REDACTED]"))
    );
}

#[tokio::test]
async fn challenge_answers_change_the_trust_score() {
    let (service, token, project) = started().await;
    let (first, body) = challenged(&service, &token, &project).await;
    trusts(&first, 0.5);
    let confirmed = service.post_json(&token, CHALLENGE, &body).await;
    trusts(&confirmed, 0.45);
    let (second, body) = challenged(&service, &token, &project).await;
    trusts(&second, 0.4775);
    let refused = service.post_json(&token, CHALLENGE, &with(&body, "confirmed", json!(false))).await;
    trusts(&refused, 0.42975);
    trusts(&analyze(&service, &token, &project, "a horse").await, 0.40826);
}

#[tokio::test]
async fn fields_are_checked_in_order_and_the_key_may_be_in_the_body() {
    let (service, token, _) = started().await;
    let key = api_key(&service, &token).await;
    let body = json!({ "prompt": "x".repeat(10), "API-key": key });
    let sent = async |body: &Value| send(service.post(CHALLENGE).json(body)).await;
    sent(&json!({})).await.refuses(401, "invalid or expired token");
    sent(&body).await.refuses(422, "field required: challenge_token");
    let body = with(&body, "challenge_token", json!("gc_x"));
    sent(&body).await.refuses(422, "field required: confirmed");
    let body = with(&body, "confirmed", json!("yes"));
    sent(&body).await.refuses(422, "confirmed: must be true or false");
    let body = with(&with(&body, "confirmed", json!(true)), "prompt", Value::Null);
    sent(&body).await.refuses(422, "field required: prompt");
    assert_eq!(send(service.post(ANALYZE).json(&json!({ "prompt": "x", "API-key": key }))).await.status, 200);
}
