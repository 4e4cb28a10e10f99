use std::time::Duration;

use futures::future::join_all;
use insta::assert_snapshot;
use serde_json::json;

use crate::support::{PASSWORD, Response, TestService, send};

const BAD: &str = "invalid or expired token";

async fn refresh(service: &TestService, token: &str) -> Response {
    send(service.post("/refresh").json(&json!({ "refresh_token": token }))).await
}

#[tokio::test]
async fn a_refresh_token_works_once_and_a_second_use_ends_the_session() {
    let service = TestService::start().await;
    let first = service.sign_in("admin", PASSWORD).await.text("refresh_token");
    let second = refresh(&service, &first).await;
    assert_snapshot!(second.snapshot(), @r#"
    HTTP 200
    {
      "access_token": "[access_token]",
      "expires_in": 900,
      "refresh_token": "[refresh_token]",
      "token_type": "bearer"
    }
    "#);
    assert_snapshot!(refresh(&service, &first).await.snapshot(), @r#"
    HTTP 401
    www-authenticate: Bearer
    {
      "detail": "invalid or expired token"
    }
    "#);
    refresh(&service, &second.text("refresh_token")).await.refuses(401, BAD);
    service.get(&second.text("access_token"), "/api/policy/list").await.refuses(401, BAD);
}

#[tokio::test]
async fn exactly_one_of_thirty_two_concurrent_refreshes_succeeds() {
    let service = TestService::with(&[("limits.refresh", "off")]).await;
    let token = service.sign_in("admin", PASSWORD).await.text("refresh_token");
    let answers = join_all((0..32).map(|_| refresh(&service, &token))).await;
    let (won, lost): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 200);
    assert_eq!(won.len(), 1);
    for answer in &lost {
        answer.refuses(401, BAD);
    }
    // The others used a spent token, which also ends the session of the winner.
    service.get(&won[0].text("access_token"), "/api/policy/list").await.refuses(401, BAD);
}

#[tokio::test]
async fn a_second_use_within_the_grace_leaves_the_session_alone() {
    let service = TestService::with(&[("session.reuse_grace", "10s")]).await;
    let first = service.sign_in("admin", PASSWORD).await.text("refresh_token");
    let second = refresh(&service, &first).await.text("refresh_token");
    refresh(&service, &first).await.refuses(401, BAD);
    assert_eq!(refresh(&service, &second).await.status, 200);
}

#[tokio::test]
async fn an_idle_session_cannot_be_refreshed_and_requests_keep_it_alive() {
    let service = TestService::with(&[("session.access_token_ttl", "2h")]).await;
    let tokens = service.sign_in("admin", PASSWORD).await;
    let (access, refresh_token) = (tokens.text("access_token"), tokens.text("refresh_token"));
    service.clock.advance(Duration::from_mins(16));
    assert_eq!(service.get(&access, "/api/policy/list").await.status, 200);
    service.clock.advance(Duration::from_mins(16));
    let next = refresh(&service, &refresh_token).await;
    assert_eq!(next.status, 200);
    service.clock.advance(Duration::from_secs(17 * 60 + 1));
    refresh(&service, &next.text("refresh_token")).await.refuses(401, "session expired, log in again");
}

#[tokio::test]
async fn an_invalid_refresh_token_is_refused() {
    let service = TestService::start().await;
    refresh(&service, "made up").await.refuses(401, BAD);
    send(service.post("/refresh").json(&json!({}))).await.refuses(422, "field required: refresh_token");
    send(service.post("/refresh").json(&json!({ "refresh_token": 7 })))
        .await
        .refuses(422, "refresh_token: must be a string");
}
