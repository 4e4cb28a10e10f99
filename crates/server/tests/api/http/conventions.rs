use reqwest::Method;
use serde_json::json;

use crate::service::{Running, send};

#[tokio::test]
async fn unknown_paths_and_wrong_methods_have_a_detail_even_for_strangers() {
    let service = Running::start().await;
    send(service.request(Method::GET, "/nothing")).await.refuses(404, "path not found");
    send(service.request(Method::DELETE, "/api/policy/list")).await.refuses(405, "method not allowed");
    send(service.request(Method::GET, "/token")).await.refuses(405, "method not allowed");
}

#[tokio::test]
async fn a_callers_own_correlation_id_is_kept_when_it_is_short_and_printable() {
    let service = Running::start().await;
    let sent = async |id: &str| {
        let answer = send(service.request(Method::GET, "/healthz").header("X-Correlation-ID", id)).await;
        answer.header("x-correlation-id").to_owned()
    };
    let longest = "x".repeat(128);
    assert_eq!(sent("mine-1").await, "mine-1");
    assert_eq!(sent(&longest).await, longest);
    for other in ["x".repeat(129), "has blank".to_owned(), String::new()] {
        assert!(uuid::Uuid::try_parse(&sent(&other).await).is_ok(), "{other}");
    }
    let refused = send(service.request(Method::GET, "/nothing")).await;
    assert!(uuid::Uuid::try_parse(refused.header("x-correlation-id")).is_ok());
}

#[tokio::test]
async fn checks_come_in_the_documented_order() {
    let service = Running::with(&[("max_body.json", "1KiB"), ("limits.default", "2/60s")]).await;
    let viewer = service.member("eye", "viewer").await;
    let large = "x".repeat(2000);
    let create =
        |token: &str, body: &str| service.post("/api/policy/create").bearer_auth(token).body(body.to_owned());
    send(create("bad", &large)).await.refuses(401, "invalid or expired token");
    assert_eq!(send(create(&viewer, &large)).await.status, 413);
    let lacks = "missing required permission: FIREWALL_POLICIES:CREATE_POLICY";
    for _ in 0..2 {
        send(create(&viewer, "no JSON")).await.refuses(403, lacks);
    }
    assert_eq!(send(create(&viewer, "no JSON")).await.status, 429);
}

#[tokio::test]
async fn operators_see_health_readiness_and_figures() {
    let service = Running::start().await;
    service.sign_in("admin", "wrong").await;
    for path in ["/healthz", "/readyz"] {
        assert_eq!(send(service.request(Method::GET, path)).await.status, 200);
    }
    let figures = service.request(Method::GET, "/metrics").send().await.unwrap().text().await.unwrap();
    assert!(figures.contains("guardengine_sign_ins_total{outcome=\"refused\"}"), "{figures}");
}

#[tokio::test]
async fn the_pages_ask_nothing_of_other_hosts() {
    let service = Running::start().await;
    for path in ["/", "/docs"] {
        let page = service.request(Method::GET, path).send().await.unwrap();
        assert_eq!(page.status(), 200);
        let page = page.text().await.unwrap();
        assert!(
            !page.contains("src=\"http") && !page.contains("href=\"http") && !page.contains("@import"),
            "{path}"
        );
    }
}

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let service = Running::start().await;
    let (one, other) = (service.owner().await, service.owner().await);
    let change = |current: &str, new: &str| json!({ "current_password": current, "new_password": new });
    let path = "/api/users/me/password";
    service
        .post_json(&one, path, &change("wrong", "New-horse-10"))
        .await
        .refuses(422, "current_password: does not match");
    let weak = service.post_json(&one, path, &change(crate::service::PASSWORD, "alllower1")).await;
    assert!(weak.status == 422 && weak.text("detail").starts_with("new_password: "));
    assert_eq!(
        service.post_json(&one, path, &change(crate::service::PASSWORD, "New-horse-10")).await.status,
        200
    );
    assert_eq!(service.get(&one, "/api/policy/list").await.status, 200);
    service.get(&other, "/api/policy/list").await.refuses(401, "invalid or expired token");
    assert_eq!(service.sign_in("admin", "New-horse-10").await.status, 200);
}
