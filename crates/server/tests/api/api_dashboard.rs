use std::time::Duration;

use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    api_logs::{ANALYZE, ATTACK, analyze, unlimited},
    service::{Running, send},
};

const VALIDATE: &str = "/v2/guardengine/svc_firewall_validate";

async fn project(service: &Running, token: &str, name: &str, policy: Value) -> String {
    let mut policy = policy;
    policy["policyName"] = json!(name);
    let made = service.post_json(token, "/api/policy/create", &policy).await;
    let project = json!({ "projectName": name, "policyId": made.text("policyId") });
    service.post_json(token, "/api/project/create", &project).await.text("projectId")
}

async fn totals(service: &Running, token: &str, query: &str) -> Value {
    service.app.write_activity_now().await;
    let answer = service.get(token, &format!("/api/dashboard{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["totals"].clone()
}

#[tokio::test]
async fn every_request_has_one_outcome_and_they_add_up_to_the_requests() {
    let set = [("limits.analyze", "13/60s"), ("limits.default", "off"), ("max_body.media", "1KiB")];
    let service = Running::with(&set).await;
    let token = service.owner().await;
    let guarded =
        |action: &str| json!({ "guardrails": [{ "guardrail": "prompt_injection", "action": action }] });
    let blocking = project(&service, &token, "blocking", {
        let mut policy = guarded("Block");
        policy["allowed_keywords"] = json!(["rehearsal"]);
        policy["guardrails"]
            .as_array_mut()
            .unwrap()
            .push(json!({ "guardrail": "pii", "pii_masking_enabled": true }));
        policy["policyMode"] = json!("input");
        policy
    })
    .await;
    let challenging = project(&service, &token, "challenging", guarded("Challenge")).await;
    let escalating = project(&service, &token, "escalating", guarded("Escalate")).await;
    let prompt = |text: &str, project: &str| json!({ "prompt": text, "projectId": project });
    let bodies = [
        (prompt("Hello there", &blocking), 200),
        (prompt(ATTACK, &blocking), 200),
        (prompt("Write to jane@example.com", &blocking), 200),
        (prompt(&format!("A rehearsal: {ATTACK}"), &blocking), 200),
        (prompt(ATTACK, &challenging), 200),
        (prompt(ATTACK, &escalating), 200),
        (json!({}), 422),
        (prompt("a", "x"), 422),
        (prompt("a", &Uuid::max().to_string()), 404),
        (json!({ "prompt": "a", "enable_llm_reasoning": true }), 400),
        (prompt(&"long ".repeat(400), &blocking), 413),
    ];
    for (body, status) in &bodies {
        assert_eq!(service.post_json(&token, ANALYZE, body).await.status, *status, "{body}");
    }
    let viewer = service.member("eye", "viewer").await;
    assert_eq!(service.post_json(&viewer, ANALYZE, &json!({ "prompt": "a" })).await.status, 403);
    let outsider = service.member("dev", "developer").await;
    assert_eq!(service.post_json(&outsider, ANALYZE, &prompt("a", &blocking)).await.status, 403);
    // Refused before the credential check is over: not counted.
    assert_eq!(service.post_json("bad", ANALYZE, &json!({ "prompt": "a" })).await.status, 401);
    // The body that was too large did not count towards the limit.
    for status in [200, 200, 200, 429] {
        assert_eq!(service.post_json(&token, ANALYZE, &prompt("a", &blocking)).await.status, status);
    }
    // A direction that the policy does not guard, and a mask.
    let response = json!({ "response": "a", "projectId": blocking });
    assert_eq!(service.post_json(&token, VALIDATE, &response).await.status, 200);
    assert_eq!(
        service.post_json(&token, "/v2/pii/mask", &json!({ "text": "a@b.example" })).await.status,
        200
    );
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    service.app.tenants.db.set_credits(org, 0, 0, service.clock.now()).await.unwrap();
    assert_eq!(service.post_json(&token, "/v2/pii/mask", &json!({ "text": "a" })).await.status, 403);

    let expected = json!({
        "requests": 20, "allowed": 4, "blocked": 1, "masked": 2, "challenged": 1, "escalated": 1, "would_block": 1,
        "not_judged": 10,
    });
    assert_eq!(totals(&service, &token, "").await, expected);
    guardengine::maintenance::run_now(&service.app).await.unwrap();
    assert_eq!(totals(&service, &token, "").await, expected);
    let of_project = totals(&service, &token, &format!("?project={blocking}")).await;
    assert_eq!((&of_project["requests"], &of_project["not_judged"]), (&json!(9), &json!(2)));
    // What was counted outlives a stop.
    let service = service.restarted().await;
    assert_eq!(totals(&service, &service.owner().await, "").await, expected);
}

#[tokio::test]
async fn figures_tell_what_triggered_when_and_for_whom() {
    let service = unlimited().await;
    let token = service.owner().await;
    let shop = service.project(&token, "shop").await;
    let sent = async |project: &str, prompt: &str, username: &str, app: &str| {
        let body = json!({ "prompt": prompt, "projectId": project, "username": username, "source_app": app });
        analyze(&service, &token, &body).await;
    };
    let attacked =
        project(&service, &token, "desk", json!({ "guardrails": [{ "guardrail": "prompt_injection" }] }))
            .await;
    sent(&attacked, ATTACK, "jane", "web").await;
    service.clock.advance(Duration::from_hours(1));
    sent(&attacked, ATTACK, "jane", "web").await;
    sent(&shop, "Hello", "joe", "web").await;
    for _ in 0..2 {
        let figures = service.get(&token, "/api/dashboard").await.body;
        let named = |name: &str, count: i64| json!({ "name": name, "count": count });
        assert_eq!(figures["top_users"], json!([named("jane", 2), named("joe", 1)]));
        assert_eq!(figures["top_apps"], json!([named("web", 3)]));
        assert_eq!(figures["top_projects"], json!([named("desk", 2), named("shop", 1)]));
        assert_eq!(figures["top_guardrails"], json!([named("prompt_injection", 2)]));
        let hours = figures["threats_per_hour"].as_array().unwrap();
        assert_eq!(hours.len(), 24);
        let threats: Vec<_> = hours.iter().map(|hour| hour["total"].as_i64().unwrap()).collect();
        assert_eq!(threats[22..], [1, 1]);
        assert_eq!(hours[23]["by_guardrail"], json!({ "prompt_injection": 1 }));
        assert!(figures["latency_ms"]["p50"].is_i64() && figures["latency_ms"]["p99"].is_i64());
        let scores = figures["confidences"].as_array().unwrap();
        let scored = scores.iter().find(|one| one["guardrail"] == "prompt_injection").unwrap();
        let buckets: Vec<_> =
            scored["buckets"].as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect();
        assert_eq!((buckets.len(), buckets[14..].iter().sum::<i64>()), (20, 2), "{scored}");
        guardengine::maintenance::run_now(&service.app).await.unwrap();
    }
}

#[tokio::test]
async fn a_period_is_told_beside_the_one_before_it() {
    let service = unlimited().await;
    let token = service.owner().await;
    let begin = service.clock.now();
    let after = |minutes| begin + Duration::from_mins(minutes);
    for _ in 0..6 {
        analyze(&service, &token, &json!({ "prompt": "Hello" })).await;
        service.clock.advance(Duration::from_mins(30));
    }
    for _ in 0..2 {
        let query = format!("/api/dashboard?from={}&to={}", after(60), after(150));
        let figures = service.get(&token, &query).await.body;
        assert_eq!((&figures["totals"]["allowed"], &figures["previous"]["allowed"]), (&json!(3), &json!(2)));
        guardengine::maintenance::run_now(&service.app).await.unwrap();
    }
}

#[tokio::test]
async fn figures_outlive_the_rows() {
    let service = Running::with(&[("logs.retention", "1h")]).await;
    let token = service.owner().await;
    let (old, new) = (json!({ "prompt": "old" }), json!({ "prompt": "new" }));
    analyze(&service, &token, &old).await;
    service.clock.advance(Duration::from_mins(10));
    let kept = service.owner().await;
    analyze(&service, &kept, &new).await;
    service.clock.advance(Duration::from_mins(55));
    guardengine::maintenance::run_now(&service.app).await.unwrap();
    let token = service.owner().await;
    let rows = service.get(&token, "/api/logs").await;
    assert_eq!(rows.body["logs"].as_array().unwrap().len(), 1);
    assert_eq!(totals(&service, &token, "").await["requests"], 2);
}

#[tokio::test]
async fn members_see_the_figures_of_their_projects() {
    let service = unlimited().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let (hers, theirs) = (service.project(&developer, "hers").await, service.project(&owner, "theirs").await);
    for (token, body) in [
        (&developer, json!({ "prompt": "a", "projectId": hers })),
        (&owner, json!({ "prompt": "b", "projectId": theirs })),
        (&owner, json!({ "prompt": "c" })),
    ] {
        analyze(&service, token, &body).await;
    }
    assert_eq!(totals(&service, &developer, "").await["requests"], 1);
    assert_eq!(totals(&service, &owner, "").await["requests"], 3);
    let refused = service.get(&developer, &format!("/api/dashboard?project={theirs}")).await;
    refused.refuses(403, "not a member of this project");
    assert_eq!(totals(&service, &service.stranger().await, "").await["requests"], 0);
}

#[tokio::test]
async fn a_period_that_is_none_is_refused() {
    let service = Running::start().await;
    let token = service.owner().await;
    let get = async |query: &str| {
        send(service.request(reqwest::Method::GET, &format!("/api/dashboard?{query}")).bearer_auth(&token))
            .await
    };
    get("from=x").await.refuses(422, "from: must be an ISO 8601 time in UTC, as 2026-01-02T03:04:05Z");
    get("from=2026-01-02&to=2026-01-02").await.refuses(422, "to: must be after from");
    get("from=2020-01-02&to=2026-01-02").await.refuses(422, "to: must be at most 400 days after from");
    get("project=x").await.refuses(422, "invalid UUID format: project");
}

#[tokio::test]
async fn a_refused_request_counts_in_the_metrics() {
    let service = Running::start().await;
    let token = service.owner().await;
    // Other tests of this process count too: the figure grows by one at least.
    let counted = || {
        let line =
            |line: &str| line.starts_with("guardengine_decisions_total") && line.contains("not_judged");
        let figures = service.app.operations.metrics.render();
        let ours = figures.lines().filter(|text| line(text) && text.contains("operation=\"mask\""));
        ours.filter_map(|text| text.rsplit(' ').next()?.parse::<u64>().ok()).sum::<u64>()
    };
    let before = counted();
    assert_eq!(service.post_json(&token, "/v2/pii/mask", &json!({})).await.status, 422);
    assert!(counted() > before);
}
