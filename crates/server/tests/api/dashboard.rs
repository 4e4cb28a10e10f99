use std::time::Duration;

use insta::assert_snapshot;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    logs::list::{ANALYZE, ATTACK, analyze, unlimited},
    support::{TestService, send},
};

const VALIDATE: &str = "/v2/guardengine/svc_firewall_validate";

async fn project(service: &TestService, token: &str, name: &str, policy: Value) -> String {
    let mut policy = policy;
    policy["policyName"] = json!(name);
    let made = service.post_json(token, "/api/policy/create", &policy).await;
    let project = json!({ "projectName": name, "policyId": made.text("policyId") });
    service.post_json(token, "/api/project/create", &project).await.text("projectId")
}

async fn totals(service: &TestService, token: &str, query: &str) -> Value {
    service.write_activity().await;
    let answer = service.get(token, &format!("/api/dashboard{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body["totals"].clone()
}

#[tokio::test]
async fn every_request_has_one_outcome_and_they_add_up_to_the_requests() {
    let set = [("limits.analyze", "13/60s"), ("limits.default", "off"), ("max_body.media", "1KiB")];
    let service = TestService::with(&set).await;
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
    // Requests without a valid credential are not counted.
    assert_eq!(service.post_json("bad", ANALYZE, &json!({ "prompt": "a" })).await.status, 401);
    // The body that was too large did not count towards the rate limit.
    for status in [200, 200, 200, 429] {
        assert_eq!(service.post_json(&token, ANALYZE, &prompt("a", &blocking)).await.status, status);
    }
    // An unguarded direction, and a masking call.
    let response = json!({ "response": "a", "projectId": blocking });
    assert_eq!(service.post_json(&token, VALIDATE, &response).await.status, 200);
    assert_eq!(
        service.post_json(&token, "/v2/pii/mask", &json!({ "text": "a@b.example" })).await.status,
        200
    );
    let org = service.org_id().await;
    service.change(async |tx| tx.set_credits(org, 0, 0, service.clock.now()).await).await;
    assert_eq!(service.post_json(&token, "/v2/pii/mask", &json!({ "text": "a" })).await.status, 403);

    let expected = json!({
        "requests": 20, "allowed": 4, "blocked": 1, "masked": 2, "challenged": 1, "escalated": 1, "would_block": 1,
        "not_judged": 10, "unlogged": 9,
    });
    assert_eq!(totals(&service, &token, "").await, expected);
    service.run_maintenance().await;
    assert_eq!(totals(&service, &token, "").await, expected);
    let of_project = totals(&service, &token, &format!("?project={blocking}")).await;
    assert_eq!((&of_project["requests"], &of_project["not_judged"]), (&json!(9), &json!(2)));
    let listed = service.get(&token, "/api/logs?outcome=not_judged").await.body;
    assert_eq!((listed["logs"].as_array().unwrap().len(), &of_project["unlogged"]), (1, &json!(1)));
    // Counts outlive a stop.
    let service = service.restarted().await;
    assert_eq!(totals(&service, &service.owner().await, "").await, expected);
}

#[tokio::test]
async fn metrics_count_guardrails_hours_and_users() {
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
        let metrics = service.get(&token, "/api/dashboard").await.body;
        let named = |name: &str, count: i64| json!({ "name": name, "count": count });
        assert_eq!(metrics["top_users"], json!([named("jane", 2), named("joe", 1)]));
        assert_eq!(metrics["top_apps"], json!([named("web", 3)]));
        assert_eq!(metrics["top_projects"], json!([named("desk", 2), named("shop", 1)]));
        assert_eq!(metrics["top_guardrails"], json!([named("prompt_injection", 2)]));
        assert_eq!(metrics["top_blocked_users"], json!([named("jane", 2)]));
        assert_eq!(metrics["top_blocked_apps"], json!([named("web", 2)]));
        let outcomes = metrics["outcomes_per_hour"].as_array().unwrap();
        let of = |hour: usize| outcomes[hour]["by_outcome"].clone();
        assert_eq!((of(22), of(23)), (json!({ "blocked": 1 }), json!({ "allowed": 1, "blocked": 1 })));
        let hours = metrics["threats_per_hour"].as_array().unwrap();
        assert_eq!(hours.len(), 24);
        let threats: Vec<_> = hours.iter().map(|hour| hour["total"].as_i64().unwrap()).collect();
        assert_eq!(threats[22..], [1, 1]);
        assert_eq!(hours[23]["by_guardrail"], json!({ "prompt_injection": 1 }));
        assert!(metrics["latency_ms"]["p50"].is_i64() && metrics["latency_ms"]["p99"].is_i64());
        let scores = metrics["confidences"].as_array().unwrap();
        let scored = scores.iter().find(|one| one["guardrail"] == "prompt_injection").unwrap();
        let buckets: Vec<_> =
            scored["buckets"].as_array().unwrap().iter().map(|one| one.as_i64().unwrap()).collect();
        assert_eq!((buckets.len(), buckets[14..].iter().sum::<i64>()), (20, 2), "{scored}");
        service.run_maintenance().await;
    }
}

#[tokio::test]
async fn blocked_requests_are_counted_by_api_key() {
    let service = unlimited().await;
    let token = service.owner().await;
    let policy = json!({ "guardrails": [], "blocked_keywords": ["aurora"] });
    let shop = project(&service, &token, "shop", policy).await;
    let key = service.post_json(&token, "/api-keys/create?name=shop", &json!({})).await;
    let id = key.text("key_id");
    for prompt in ["What is aurora?", "Hello"] {
        let call = service.post(ANALYZE).header("X-API-Key", key.text("api_key"));
        let answer = send(call.json(&json!({ "prompt": prompt, "projectId": shop }))).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
    }
    for _ in 0..2 {
        let metrics = service.get(&token, "/api/dashboard").await.body;
        assert_eq!(metrics["top_blocked_keys"], json!([{ "name": id, "count": 1 }]));
        service.run_maintenance().await;
    }
}

#[tokio::test]
async fn a_period_has_totals_threats_and_the_most_frequent_names() {
    let service = unlimited().await;
    let token = service.owner().await;
    let policy = json!({ "guardrails": [], "blocked_keywords": ["aurora"] });
    let shop = project(&service, &token, "shop", policy).await;
    for prompt in ["What is aurora?", "Hello"] {
        let body = json!({ "prompt": prompt, "projectId": shop, "username": "jane", "source_app": "web" });
        analyze(&service, &token, &body).await;
    }
    let from = service.clock.now();
    let to = from + Duration::from_millis(1);
    let dashboard = service.get(&token, &format!("/api/dashboard?from={from}&to={to}")).await;
    assert_snapshot!(dashboard.snapshot(), @r#"
    HTTP 200
    {
      "confidences": [],
      "latency_ms": {
        "p50": "[p50]",
        "p95": "[p95]",
        "p99": "[p99]"
      },
      "outcomes_per_hour": [
        {
          "by_outcome": {
            "allowed": 1,
            "blocked": 1
          },
          "hour": "[time]"
        }
      ],
      "previous": {
        "allowed": 0,
        "blocked": 0,
        "challenged": 0,
        "escalated": 0,
        "masked": 0,
        "not_judged": 0,
        "requests": 0,
        "unlogged": 0,
        "would_block": 0
      },
      "threats_per_hour": [
        {
          "by_guardrail": {
            "blocked_keyword": 1
          },
          "hour": "[time]",
          "total": 1
        }
      ],
      "top_apps": [
        {
          "count": 2,
          "name": "web"
        }
      ],
      "top_blocked_apps": [
        {
          "count": 1,
          "name": "web"
        }
      ],
      "top_blocked_keys": [],
      "top_blocked_users": [
        {
          "count": 1,
          "name": "jane"
        }
      ],
      "top_guardrails": [
        {
          "count": 1,
          "name": "blocked_keyword"
        }
      ],
      "top_projects": [
        {
          "count": 2,
          "name": "shop"
        }
      ],
      "top_users": [
        {
          "count": 2,
          "name": "jane"
        }
      ],
      "totals": {
        "allowed": 1,
        "blocked": 1,
        "challenged": 0,
        "escalated": 0,
        "masked": 0,
        "not_judged": 0,
        "requests": 2,
        "unlogged": 0,
        "would_block": 0
      }
    }
    "#);
    let reversed = service.get(&token, &format!("/api/dashboard?from={to}&to={from}")).await;
    assert_snapshot!(reversed.snapshot(), @r#"
    HTTP 422
    {
      "detail": "to: must be after from"
    }
    "#);
}

#[tokio::test]
async fn a_period_is_reported_with_the_previous_one() {
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
        let metrics = service.get(&token, &query).await.body;
        assert_eq!((&metrics["totals"]["allowed"], &metrics["previous"]["allowed"]), (&json!(3), &json!(2)));
        service.run_maintenance().await;
    }
}

#[tokio::test]
async fn metrics_outlive_log_entries() {
    let service = TestService::with(&[("logs.retention", "1h")]).await;
    let token = service.owner().await;
    let (old, new) = (json!({ "prompt": "old" }), json!({ "prompt": "new" }));
    analyze(&service, &token, &old).await;
    service.clock.advance(Duration::from_mins(10));
    let kept = service.owner().await;
    analyze(&service, &kept, &new).await;
    service.clock.advance(Duration::from_mins(55));
    service.run_maintenance().await;
    let token = service.owner().await;
    let rows = service.get(&token, "/api/logs").await;
    assert_eq!(rows.body["logs"].as_array().unwrap().len(), 1);
    assert_eq!(totals(&service, &token, "").await["requests"], 2);
}

#[tokio::test]
async fn members_see_the_metrics_of_their_projects() {
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
async fn an_invalid_period_is_refused() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let get = async |query: &str| {
        send(service.request(reqwest::Method::GET, &format!("/api/dashboard?{query}")).bearer_auth(&token))
            .await
    };
    get("from=x").await.refuses(422, "from: must be an RFC 3339 time, such as 2026-01-02T03:04:05Z");
    get("from=2026-01-02&to=2026-01-02").await.refuses(422, "to: must be after from");
    get("from=2020-01-02&to=2026-01-02").await.refuses(422, "to: must be at most 400 days after from");
    get("project=x").await.refuses(422, "invalid UUID format: project");
}

#[tokio::test]
async fn a_refused_request_counts_in_the_metrics() {
    let service = TestService::start().await;
    let token = service.owner().await;
    // Other tests of the process count too, so the counter grows by at least one.
    let counted = || {
        let line =
            |line: &str| line.starts_with("guardengine_decisions_total") && line.contains("not_judged");
        let metrics = service.metrics();
        let ours = metrics.lines().filter(|text| line(text) && text.contains("operation=\"mask\""));
        ours.filter_map(|text| text.rsplit(' ').next()?.parse::<u64>().ok()).sum::<u64>()
    };
    let before = counted();
    assert_eq!(service.post_json(&token, "/v2/pii/mask", &json!({})).await.status, 422);
    assert!(counted() > before);
}
