use std::time::Duration;

use reqwest::Method;
use serde_json::json;

use crate::support::{TestService, send};

#[tokio::test]
async fn a_limit_is_reported_in_headers_and_body() {
    let service = TestService::with(&[("limits.default", "2/60s")]).await;
    let token = service.owner().await;
    let first = service.get(&token, "/api/policy/list").await;
    let shown =
        ["limit", "remaining", "window"].map(|name| first.header(&format!("x-ratelimit-{name}")).to_owned());
    assert_eq!(shown, ["2", "1", "60"]);
    assert!(!first.headers.contains_key("retry-after"));
    let reset_at: u64 = first.header("x-ratelimit-reset").parse().unwrap();
    service.clock.advance(Duration::from_secs(10));
    assert_eq!(service.get(&token, "/api/policy/list").await.header("x-ratelimit-remaining"), "0");
    let over = service.get(&token, "/api/policy/list").await;
    let message = over.body["detail"]["message"].as_str().unwrap().to_owned();
    assert!(message.contains("/api/policy/list") && message.contains('2'));
    let detail = json!({
        "error": "rate_limit_exceeded", "message": message, "limit": 2, "window": 60, "reset_at": reset_at, "retry_after": 50,
    });
    assert_eq!((over.status, over.body), (429, json!({ "detail": detail })));
    let reported = [
        "retry-after",
        "x-ratelimit-limit",
        "x-ratelimit-remaining",
        "x-ratelimit-reset",
        "x-ratelimit-window",
    ];
    let reported = reported.map(|name| over.headers[name].to_str().unwrap().to_owned());
    assert_eq!(reported, ["50", "2", "0", &reset_at.to_string(), "60"]);
    service.clock.advance(Duration::from_secs(50));
    assert_eq!(service.get(&token, "/api/policy/list").await.status, 200);
}

#[tokio::test]
async fn endpoints_and_callers_are_counted_separately() {
    let service = TestService::with(&[("limits.default", "1/60s")]).await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    for token in [&owner, &developer] {
        for path in ["/api/policy/list", "/api/project/list"] {
            assert_eq!(service.get(token, path).await.status, 200);
        }
    }
    assert_eq!(service.get(&owner, "/api/policy/list").await.status, 429);
}

#[tokio::test]
async fn sign_in_is_limited_by_address_regardless_of_its_outcome() {
    let service = TestService::start().await;
    for attempt in 0..10 {
        assert_eq!(service.sign_in(&format!("user{attempt}"), "wrong").await.status, 401);
    }
    let over = service.sign_in("admin", "wrong").await;
    assert_eq!((over.status, &over.body["detail"]["error"]), (429, &json!("rate_limit_exceeded")));
}

#[tokio::test]
async fn a_limit_that_is_off_has_no_headers() {
    let service = TestService::with(&[("limits.default", "off")]).await;
    let answer = service.get(&service.owner().await, "/api/policy/list").await;
    assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("x-ratelimit")));
}

#[tokio::test]
async fn only_a_trusted_proxy_names_the_client() {
    let set = [("limits.token", "1/60s"), ("trusted_proxies", "127.0.0.0/8")];
    let form = [("username", "a"), ("password", "b")];
    let statuses = async |service: &TestService, from: [&str; 2]| {
        let mut statuses = Vec::new();
        for address in from {
            let request =
                service.request(Method::POST, "/token").header("X-Forwarded-For", address).form(&form);
            statuses.push(send(request).await.status);
        }
        statuses
    };
    assert_eq!(statuses(&TestService::with(&set).await, ["192.0.2.1", "192.0.2.2"]).await, [401, 401]);
    assert_eq!(statuses(&TestService::with(&set[..1]).await, ["192.0.2.1", "192.0.2.2"]).await, [401, 429]);
}

#[tokio::test]
async fn the_client_is_known_from_both_headers_with_and_without_a_port() {
    let set = [("limits.token", "1/60s"), ("trusted_proxies", "127.0.0.0/8")];
    let service = TestService::with(&set).await;
    let form = [("username", "a"), ("password", "b")];
    let status = async |header: &str, value: &str| {
        let request = service.request(Method::POST, "/token").header(header, value).form(&form);
        send(request).await.status
    };
    assert_eq!(status("X-Forwarded-For", "203.0.113.3").await, 401);
    assert_eq!(status("X-Forwarded-For", "203.0.113.3:50211").await, 429);
    assert_eq!(status("Forwarded", "for=203.0.113.3:50211;proto=https").await, 429);
    assert_eq!(status("X-Forwarded-For", "203.0.113.4:50211").await, 401);
    assert_eq!(status("Forwarded", "for=\"[2001:db8:0:1::1]:4711\"").await, 401);
    // One /64 counts as one address.
    assert_eq!(status("X-Forwarded-For", "[2001:db8:0:1:ffff::2]").await, 429);
    assert_eq!(status("X-Forwarded-For", "2001:db8:0:2::1").await, 401);
}

async fn new_key(service: &TestService, token: &str) -> String {
    send(service.post("/api-keys/create?name=k").bearer_auth(token)).await.text("api_key")
}

async fn list_with(service: &TestService, key: &str) -> crate::support::Response {
    send(service.request(Method::GET, "/api/policy/list").header("X-API-Key", key)).await
}

#[tokio::test]
async fn each_key_is_counted_and_all_keys_of_a_user_reach_ten_times_the_limit() {
    let service = TestService::with(&[("limits.default", "20/60s")]).await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let mut admitted = 0;
    for _ in 0..11 {
        let key = new_key(&service, &owner).await;
        for _ in 0..20 {
            admitted += u32::from(list_with(&service, &key).await.status == 200);
        }
    }
    assert_eq!(admitted, 200);
    let over = list_with(&service, &new_key(&service, &owner).await).await;
    assert_eq!((over.status, &over.body["detail"]["limit"]), (429, &json!(20)));
    assert_eq!((over.header("x-ratelimit-limit"), over.header("x-ratelimit-remaining")), ("20", "0"));
    // The user and the keys of others are counted apart.
    assert_eq!(service.get(&owner, "/api/policy/list").await.status, 200);
    assert_eq!(list_with(&service, &new_key(&service, &developer).await).await.status, 200);
}

#[tokio::test]
async fn refused_keys_are_counted_by_address_and_valid_ones_pass() {
    let set = [("limits.default", "5/60s"), ("trusted_proxies", "127.0.0.0/8")];
    let service = TestService::with(&set).await;
    let key = new_key(&service, &service.owner().await).await;
    let status = async |path: &str, key: &str, address: &str| {
        let request = service.request(Method::GET, path).header("X-API-Key", key);
        send(request.header("X-Forwarded-For", address)).await.status
    };
    for path in ["/api/policy/list", "/api/logs", "/api/users", "/api/audit", "/api/policy/list"] {
        assert_eq!(status(path, "ge_guessed", "192.0.2.1").await, 401);
    }
    assert_eq!(status("/api/policy/list", "ge_guessed", "192.0.2.1").await, 429);
    assert_eq!(status("/api/policy/list", "ge_guessed", "192.0.2.2").await, 401);
    assert_eq!(status("/api/policy/list", &key, "192.0.2.1").await, 200);
    // The same in the body.
    let in_body = service.post("/api/autonomous/analyze").header("X-Forwarded-For", "192.0.2.1");
    let refused = send(in_body.json(&json!({ "API-key": "ge_guessed", "prompt": "a" }))).await;
    assert_eq!(refused.body["detail"]["error"], "rate_limit_exceeded");
}
