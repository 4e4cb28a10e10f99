//! A clock that jumps by an hour, steps by parts of a second, or repeats a second.

use std::{collections::BTreeSet, time::Duration};

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PASSWORD, Response, TestService, send};

const HOUR: Duration = Duration::from_hours(1);

async fn service() -> (TestService, String, String) {
    let service = TestService::with(&[("limits.analyze", "3/1m"), ("credits.initial", "100")]).await;
    let token = service.owner().await;
    let made = send(service.post("/api-keys/create?name=clock").bearer_auth(&token)).await;
    let key = made.text("api_key");
    (service, token, key)
}

async fn analyze(service: &TestService, key: &str) -> Response {
    let request = service.post("/v2/guardengine/svc_firewall_analyze").header("x-api-key", key);
    send(request.json(&json!({ "prompt": "Good morning" }))).await
}

/// Checks that each answered decision has one log entry and one charge, and that the audit trail is unaltered.
async fn check(service: &TestService, token: &str, answered: &[Response]) {
    let ids = |entries: &Value| -> Vec<String> {
        entries
            .as_array()
            .unwrap()
            .iter()
            .map(|entry| entry["log_id"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let answered: BTreeSet<_> = answered.iter().map(|answer| answer.text("log_id")).collect();
    let logged = ids(&service.get(token, "/api/logs?limit=100").await.body["logs"]);
    assert_eq!(logged.len(), answered.len());
    assert_eq!(logged.into_iter().collect::<BTreeSet<_>>(), answered);
    let credits = service.get(token, "/api/credits?limit=100").await.body;
    let charged: BTreeSet<_> = ids(&credits["ledger"]).into_iter().filter(|id| !id.is_empty()).collect();
    assert_eq!((charged, credits["balance"].as_u64()), (answered.clone(), Some(100 - answered.len() as u64)));
    let verdict = service.db.verify_audit(service.org_id().await).await.unwrap();
    assert_eq!(verdict.first_altered, None);
}

#[tokio::test]
async fn a_clock_that_jumps_forward_ends_idle_sessions_and_nothing_else() {
    let (service, token, key) = service().await;
    let mut answered = vec![analyze(&service, &key).await];
    service.clock.advance(HOUR);
    assert_eq!(service.get(&token, "/api/credits").await.status, 401);
    answered.push(analyze(&service, &key).await);
    let token = service.sign_in("admin", PASSWORD).await.text("access_token");
    service.run_maintenance().await;
    check(&service, &token, &answered).await;
}

#[tokio::test]
async fn a_clock_that_jumps_back_refuses_nobody() {
    let (service, token, key) = service().await;
    let mut answered = Vec::new();
    for _ in 0..3 {
        answered.push(analyze(&service, &key).await);
    }
    assert_eq!(analyze(&service, &key).await.status, 429);
    service.clock.set_back(HOUR);
    // The window of the limit ends too late for this clock: another one begins.
    for _ in 0..3 {
        answered.push(analyze(&service, &key).await);
    }
    let refused = analyze(&service, &key).await;
    assert!(refused.status == 429 && refused.header("retry-after").parse::<u64>().unwrap() <= 60);
    assert!(answered.iter().all(|answer| answer.status == 200));
    assert_eq!(service.get(&token, "/api/credits").await.status, 200, "the token is valid longer");
    assert_eq!(service.sign_in("admin", PASSWORD).await.status, 200);
    service.run_maintenance().await;
    check(&service, &token, &answered).await;
    service.clock.advance(HOUR);
    check(&service, &service.sign_in("admin", PASSWORD).await.text("access_token"), &answered).await;
}

#[tokio::test]
async fn a_second_that_repeats_and_small_steps_lose_no_entry() {
    let service = TestService::with(&[("limits.analyze", "off"), ("credits.initial", "100")]).await;
    let token = service.owner().await;
    let made = send(service.request(Method::POST, "/api-keys/create?name=clock").bearer_auth(&token)).await;
    let key = made.text("api_key");
    let mut answered = Vec::new();
    // A leap second that the clock repeats, and steps by NTP.
    for (forward, back) in [(600, 1_000), (400, 0), (0, 128), (128, 500), (500, 0)] {
        for _ in 0..3 {
            answered.push(analyze(&service, &key).await);
        }
        service.clock.advance(Duration::from_millis(forward));
        service.clock.set_back(Duration::from_millis(back));
    }
    check(&service, &token, &answered).await;
}
