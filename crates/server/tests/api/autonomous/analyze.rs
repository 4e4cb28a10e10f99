use std::time::Duration;

use serde_json::{Value, json};

use crate::support::{Response, TestService, send};

pub const ANALYZE: &str = "/api/autonomous/analyze";

/// A policy with a word for each action: `zebra` challenges, `aurora` escalates, `forbidden` blocks. It masks e-mail
/// addresses.
pub fn policy(name: &str) -> Value {
    json!({
        "policyName": name,
        "blocked_keywords": ["forbidden"],
        "guardrails": [
            { "guardrail": "custom_regex", "action": "Challenge", "patterns": [{ "name": "animal", "pattern": "zebra" }] },
            { "guardrail": "confidential_terms", "action": "escalate", "terms": ["aurora"] },
            { "guardrail": "spam", "enabled": false },
            { "guardrail": "pii", "pii_masking_enabled": true, "pii_masking_strategy": "full", "pii_kinds": ["email"] },
        ],
    })
}

/// Creates a project with [`policy`] and returns its id.
pub async fn project(service: &TestService, token: &str, name: &str) -> String {
    service.project_with(token, &policy(name)).await
}

pub async fn analyze(service: &TestService, token: &str, project: &str, prompt: &str) -> Response {
    let body = json!({ "projectId": project, "prompt": prompt, "username": "eve" });
    service.post_json(token, ANALYZE, &body).await
}

pub async fn api_key(service: &TestService, token: &str) -> String {
    send(service.post("/api-keys/create?name=app").bearer_auth(token)).await.text("api_key")
}

/// Asserts the trust score of a decision, within a rounding error.
#[track_caller]
pub fn trusts(answer: &Response, expected: f64) {
    let reported = answer.body["userTrustScore"].as_f64().unwrap_or_else(|| panic!("{}", answer.body));
    assert!((reported - expected).abs() < 1.5e-4, "{reported} is not {expected}");
}

fn guardrail<'a>(answer: &'a Response, name: &str) -> &'a Value {
    let rows = answer.body["guardrailActions"].as_array().unwrap();
    rows.iter().find(|row| row["guardrail"] == name).unwrap_or_else(|| panic!("no {name} in {rows:?}"))
}

#[tokio::test]
async fn each_action_has_its_message_and_its_log_entry() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for (prompt, decision, row) in [
        ("a horse", "ALLOW", "allow"),
        ("a zebra", "CHALLENGE", "challenge"),
        ("the aurora", "ESCALATE", "escalate"),
        ("a forbidden horse", "BLOCK", "block"),
    ] {
        let answer = analyze(&service, &token, &project, prompt).await;
        assert_eq!((answer.status, answer.text("decision").as_str()), (200, decision), "{}", answer.body);
        assert_eq!(
            (&answer.body["policyMatch"]["rule"], &answer.body["soarTickets"]),
            (&json!(decision), &json!([]))
        );
        assert_eq!(answer.text("output").is_empty(), decision == "ALLOW");
        assert_eq!(answer.body["challenge_token"].is_string(), decision == "CHALLENGE");
        assert_eq!(answer.body["review_id"].is_string(), decision == "ESCALATE");
        let log = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await.body;
        assert_eq!((&log["decision"], &log["endpoint"]), (&json!(row), &json!("autonomous")));
        assert_eq!((&log["credits"], &log["username"]), (&json!(2), &json!("eve")));
    }
}

#[tokio::test]
async fn a_decision_has_every_field_of_the_specification() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    let answer = analyze(&service, &token, &project, "Tell me where the zebra of the zoo lives").await;
    let found = &answer.body;
    let confidence = found["confidence"].as_f64().unwrap();
    assert!(confidence >= 0.85 && found["riskScore"] == confidence, "{found}");
    assert_eq!((&found["riskLevel"], &found["userTrustScore"]), (&json!("CRITICAL"), &json!(0.5)));
    let learned = json!({
        "risk_score": confidence,
        "threats_detected": ["custom_regex"],
        "guardrails_triggered": { "custom_regex": confidence },
    });
    assert_eq!(found["mlGuardrails"], learned);
    assert_eq!(found["policyMatch"]["reasoning"], "custom_regex asks for CHALLENGE");
    assert!(answer.text("reasoning").starts_with("custom_regex (confidence "));
    assert_eq!((&found["maskedPrompt"], &found["lang_code"]), (&Value::Null, &json!("en")));
    assert_eq!(answer.text("timestamp"), service.clock.now().to_string());
    assert!(found["latency_ms"].is_number());
    let quiet = analyze(&service, &token, &project, "a horse").await.body;
    assert_eq!((&quiet["riskLevel"], &quiet["output"]), (&json!("LOW"), &json!("")));
    assert!(quiet["riskScore"].as_f64().unwrap() < 0.3 && quiet["reasoning"].is_string());
}

#[tokio::test]
async fn the_most_severe_action_wins() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for (prompt, decision) in [
        ("zebra and ann@example.com", "CHALLENGE"),
        ("zebra and aurora", "ESCALATE"),
        ("zebra, aurora, forbidden", "BLOCK"),
    ] {
        assert_eq!(analyze(&service, &token, &project, prompt).await.text("decision"), decision, "{prompt}");
    }
}

#[tokio::test]
async fn every_guardrail_of_the_policy_has_an_action() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    let answer = analyze(&service, &token, &project, "a forbidden zebra").await;
    let rows = answer.body["guardrailActions"].as_array().unwrap();
    let reported: Vec<_> = rows
        .iter()
        .map(|row| {
            assert!(row["confidence"].is_number() && row["reasoning"].is_string(), "{row}");
            json!([row["guardrail"], row["triggered"], row["action"]])
        })
        .collect();
    let expected = [
        json!(["custom_regex", true, "CHALLENGE"]),
        json!(["confidential_terms", false, "ESCALATE"]),
        json!(["spam", false, "BLOCK"]),
        json!(["pii", false, "MASK"]),
        json!(["blocked_keyword", true, "BLOCK"]),
    ];
    assert_eq!(reported, expected);
    assert_eq!(guardrail(&answer, "spam")["reasoning"], "switched off");
    let built_in = service.post_json(&token, ANALYZE, &json!({ "prompt": "a horse" })).await;
    let default = service.get(&token, "/api/policy/default").await.body;
    let count = default["guardrails"].as_array().unwrap().len();
    assert_eq!(built_in.body["guardrailActions"].as_array().unwrap().len(), count);
}

#[tokio::test]
async fn personal_data_is_masked_in_challenged_and_escalated_prompts() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for (prompt, decision, masked) in [
        ("write to ann@example.com", "ALLOW", json!("write to [EMAIL_REDACTED]")),
        ("zebra to ann@example.com", "CHALLENGE", json!("zebra to [EMAIL_REDACTED]")),
        ("aurora to ann@example.com", "ESCALATE", json!("aurora to [EMAIL_REDACTED]")),
        ("forbidden to ann@example.com", "BLOCK", Value::Null),
    ] {
        let answer = analyze(&service, &token, &project, prompt).await;
        assert_eq!((&answer.body["decision"], &answer.body["maskedPrompt"]), (&json!(decision), &masked));
    }
    let body = json!({ "projectId": project, "prompt": "zebra to ann@example.com" });
    let guarded = service.post_json(&token, "/v2/guardengine/svc_firewall_analyze", &body).await.body;
    assert_eq!((&guarded["action"], &guarded["masked_prompt"]), (&json!("challenge"), &Value::Null));
}

#[tokio::test]
async fn documents_and_earlier_turns_are_evaluated() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    let body = json!({ "projectId": project, "prompt": "sum it up", "documents": ["about the aurora"] });
    assert_eq!(service.post_json(&token, ANALYZE, &body).await.text("decision"), "ESCALATE");
    let body = json!({ "projectId": project, "prompt": "hi", "documents": ["ann@example.com"], "conversation_history": ["x"] });
    let answer = service.post_json(&token, ANALYZE, &body).await.body;
    assert_eq!(answer["maskedDocuments"], json!(["[EMAIL_REDACTED]"]));
    let refused =
        service.post_json(&token, ANALYZE, &json!({ "prompt": "hi", "images": ["/9j/4A=="] })).await;
    refused.refuses(422, "images: must be empty: svc_firewall_analyze reads images");
    let reasoned =
        service.post_json(&token, ANALYZE, &json!({ "prompt": "hi", "enable_llm_reasoning": true })).await;
    reasoned.refuses(400, "no active AI connector for the organisation");
}

#[tokio::test]
async fn the_message_is_in_the_language_of_the_user() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for (prompt, code, begins) in [
        (
            "Bitte erklären Sie mir, was das Projekt aurora ist und wie es weitergeht",
            "de",
            "Ihre Nachricht wartet",
        ),
        (
            "Explique-moi ce que les gens de la maison pensent du projet aurora",
            "fr",
            "Votre message est en attente",
        ),
        ("aurora について教えてください", "ja", "メッセージは審査待ち"),
    ] {
        let answer = analyze(&service, &token, &project, prompt).await;
        assert_eq!(answer.text("lang_code"), code);
        assert!(answer.text("output").starts_with(begins), "{}", answer.body);
    }
    let wordless = analyze(&service, &token, &project, "12345").await;
    assert_eq!(wordless.text("lang_code"), "und");
}

#[tokio::test]
async fn a_policy_that_guards_no_prompts_allows_without_a_charge() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let mut policy = policy("answers");
    policy["policyMode"] = json!("output");
    let policy = service.policy(&token, &policy).await;
    let project = json!({ "projectName": "answers", "policyId": policy });
    let project = service.post_json(&token, "/api/project/create", &project).await.text("projectId");
    let answer = analyze(&service, &token, &project, "a forbidden zebra").await;
    assert_eq!(answer.text("decision"), "ALLOW");
    assert_eq!(answer.text("reasoning"), "not judged: the policy does not guard prompts");
    assert_eq!(guardrail(&answer, "custom_regex")["reasoning"], "not judged");
    assert_eq!(service.get(&token, "/api/credits").await.body["balance"], 100_000);
    assert_eq!(analyze(&service, &token, &project, "more").await.body["userTrustScore"], 0.5);
}

#[tokio::test]
async fn a_decision_costs_two_credits_and_a_refusal_none() {
    let service = TestService::with(&[("credits.initial", "3")]).await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    assert_eq!(analyze(&service, &token, &project, "the aurora").await.status, 200);
    let refused = analyze(&service, &token, &project, "the aurora").await;
    refused.refuses(403, "insufficient credits: autonomous needs 2, balance is 1");
    let credits = service.get(&token, "/api/credits").await.body;
    let newest = &credits["ledger"][0];
    assert_eq!(
        (&credits["balance"], &newest["operation"], &newest["amount"]),
        (&json!(1), &json!("autonomous"), &json!(-2))
    );
    let reviews = service.get(&token, "/api/reviews").await.body;
    assert_eq!(reviews["reviews"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn the_limit_is_thirty_decisions_a_minute() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let first = service.post_json(&token, ANALYZE, &json!({})).await;
    first.refuses(422, "field required: prompt");
    assert_eq!(first.header("x-ratelimit-limit"), "30");
    let reset_at: u64 = first.header("x-ratelimit-reset").parse().unwrap();
    service.clock.advance(Duration::from_secs(20));
    for _ in 0..29 {
        assert_eq!(service.post_json(&token, ANALYZE, &json!({})).await.status, 422);
    }
    let over = service.post_json(&token, ANALYZE, &json!({})).await;
    let detail = json!({
        "error": "rate_limit_exceeded",
        "message": "Rate limit exceeded for /api/autonomous/analyze: 30 requests per 60 seconds",
        "limit": 30, "window": 60, "reset_at": reset_at, "retry_after": 40,
    });
    assert_eq!((over.status, &over.body), (429, &json!({ "detail": detail })));
    assert_eq!((over.header("retry-after"), over.header("x-ratelimit-remaining")), ("40", "0"));
}

#[tokio::test]
async fn the_key_may_be_in_the_body() {
    let service = TestService::with(&[("max_body.json", "1KiB")]).await;
    let token = service.owner().await;
    let key = api_key(&service, &token).await;
    let sent = async |body: Value| send(service.post(ANALYZE).json(&body)).await;
    let answer = sent(json!({ "prompt": "a horse", "API-key": key })).await;
    assert_eq!((answer.status, answer.text("decision").as_str()), (200, "ALLOW"));
    let log = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await.body;
    assert!(log["principal"].as_str().unwrap().starts_with("api_key:"));
    sent(json!({ "prompt": "a horse", "API-key": "ge_bad" })).await.refuses(401, "invalid API key");
    sent(json!({ "prompt": "a horse" })).await.refuses(401, "invalid or expired token");
    sent(json!({ "prompt": "a horse", "API-key": 7 })).await.refuses(401, "invalid or expired token");
    send(service.post(ANALYZE).body("no JSON")).await.refuses(401, "invalid or expired token");
    let large = "x".repeat(2_000);
    sent(json!({ "prompt": large, "API-key": "ge_bad" })).await.refuses(401, "invalid API key");
    assert_eq!(sent(json!({ "prompt": large, "API-key": key })).await.status, 413);
    sent(json!({ "API-key": key })).await.refuses(422, "field required: prompt");
    // Other endpoints do not read a key from the body.
    let elsewhere = service.post("/v2/pii/mask").json(&json!({ "text": "x", "API-key": key }));
    send(elsewhere).await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn a_key_in_a_header_precedes_one_in_the_body_and_both_precede_a_token() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let key = api_key(&service, &token).await;
    let body = |key: &str| json!({ "prompt": "a horse", "API-key": key });
    let sent =
        async |name, value: &str, key| send(service.post(ANALYZE).header(name, value).json(&body(key))).await;
    assert_eq!(sent("X-API-Key", &key, "bad").await.status, 200);
    sent("X-API-Key", "bad", &key).await.refuses(401, "invalid API key");
    sent("Authorization", &format!("Bearer {token}"), "bad").await.refuses(401, "invalid API key");
    let answer = sent("Authorization", "Bearer bad", &key).await;
    assert_eq!(answer.status, 200);
    let log = service.get(&token, &format!("/api/logs/{}", answer.text("log_id"))).await.body;
    assert!(log["principal"].as_str().unwrap().starts_with("api_key:"));
    assert_eq!(sent("Authorization", "Basic eDp5", &key).await.status, 200);
}

#[tokio::test]
async fn checks_come_in_the_documented_order() {
    let service = TestService::with(&[("max_body.json", "1KiB"), ("limits.autonomous", "2/60s")]).await;
    let owner = service.owner().await;
    let viewer = service.member("eye", "viewer").await;
    let large = json!({ "prompt": "x".repeat(2_000) });
    assert_eq!(service.post_json(&viewer, ANALYZE, &large).await.status, 413);
    for _ in 0..2 {
        let refused = service.post_json(&viewer, ANALYZE, &json!({})).await;
        refused.refuses(403, "missing required permission: FIREWALL:AUTONOMOUS");
    }
    assert_eq!(service.post_json(&viewer, ANALYZE, &json!({})).await.status, 429);
    let theirs = project(&service, &service.stranger().await, "theirs").await;
    analyze(&service, &owner, &theirs, "a horse").await.refuses(404, "project not found");
    let developer = service.member("dev", "developer").await;
    let project = project(&service, &owner, "shop").await;
    analyze(&service, &developer, &project, "a horse").await.refuses(403, "not a member of this project");
}

#[tokio::test]
async fn trust_starts_at_a_half_follows_decisions_and_decays() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = project(&service, &token, "shop").await;
    for (prompt, before) in [
        ("a horse", 0.5),
        ("a forbidden horse", 0.5125),
        ("the aurora", 0.35875),
        ("a zebra", 0.287),
        ("a horse", 0.2583),
    ] {
        trusts(&analyze(&service, &token, &project, prompt).await, before);
    }
    service.clock.advance(Duration::from_hours(90 * 24));
    let token = service.owner().await;
    service.run_maintenance().await;
    trusts(&analyze(&service, &token, &project, "a horse").await, 0.5);
}

#[tokio::test]
async fn trust_belongs_to_one_end_user_of_one_organization() {
    let service = TestService::start().await;
    let (ours, theirs) = (service.owner().await, service.stranger().await);
    let blocked = json!({ "prompt": "x".repeat(10_001), "username": "eve" });
    assert_eq!(service.post_json(&ours, ANALYZE, &blocked).await.text("decision"), "BLOCK");
    let trust = async |token: &str, body: Value, expected| {
        trusts(&service.post_json(token, ANALYZE, &body).await, expected);
    };
    trust(&theirs, json!({ "prompt": "hi", "username": "eve" }), 0.5).await;
    trust(&ours, json!({ "prompt": "hi", "username": "adam" }), 0.5).await;
    trust(&ours, json!({ "prompt": "hi" }), 0.5).await;
    trust(&ours, json!({ "prompt": "hi", "username": "eve" }), 0.35).await;
    // Without an end user the score belongs to the caller, which differs from an end user of the same name.
    trust(&ours, json!({ "prompt": "hi" }), 0.5125).await;
    trust(&ours, json!({ "prompt": "hi", "username": "user:admin" }), 0.5).await;
}
