use reqwest::Method;

use crate::support::{TestService, send};

#[tokio::test]
async fn unknown_paths_and_wrong_methods_have_a_detail_even_for_strangers() {
    let service = TestService::start().await;
    send(service.request(Method::GET, "/nothing")).await.refuses(404, "path not found");
    send(service.request(Method::DELETE, "/api/policy/list")).await.refuses(405, "method not allowed");
    send(service.request(Method::GET, "/token")).await.refuses(405, "method not allowed");
}

#[tokio::test]
async fn a_short_printable_correlation_id_of_the_caller_is_kept() {
    let service = TestService::start().await;
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
    let service = TestService::with(&[("max_body.json", "1KiB"), ("limits.default", "2/60s")]).await;
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
async fn no_cache_keeps_answers() {
    let service = TestService::start().await;
    let signed_in = service.sign_in("admin", crate::support::PASSWORD).await;
    assert_eq!(signed_in.header("cache-control"), "no-store");
    let token = service.owner().await;
    for path in ["/api/logs", "/api/users/me", "/api/logs/export", "/api/logs/7"] {
        let request = service.request(Method::GET, path).bearer_auth(&token);
        assert_eq!(send(request).await.header("cache-control"), "no-store", "{path}");
    }
    assert_eq!(send(service.request(Method::GET, "/api/logs")).await.header("cache-control"), "no-store");
    for path in ["/api/logs/stream", "/api/events/stream"] {
        let stream = service.request(Method::GET, path).bearer_auth(&token).send().await.unwrap();
        let header = |name| stream.headers()[name].to_str().unwrap();
        assert_eq!((header("cache-control"), header("x-accel-buffering")), ("no-store", "no"), "{path}");
    }
}
