use insta::assert_snapshot;
use serde_json::json;

use crate::support::{PASSWORD, TestService, send};

const BAD: &str = "invalid or expired token";

#[tokio::test]
async fn both_tokens_stop_at_once() {
    let service = TestService::start().await;
    let tokens = service.sign_in("admin", PASSWORD).await;
    let (access, refresh) =
        (tokens.text("access_token"), json!({ "refresh_token": tokens.text("refresh_token") }));
    let answer = service.post_json(&access, "/logout", &refresh).await;
    assert_snapshot!(answer.snapshot(), @r#"
    HTTP 200
    {
      "message": "logged out"
    }
    "#);
    service.get(&access, "/api/policy/list").await.refuses(401, BAD);
    send(service.post("/refresh").json(&refresh)).await.refuses(401, BAD);
}

#[tokio::test]
async fn the_refresh_token_is_required_and_other_sessions_continue() {
    let service = TestService::start().await;
    let (one, other) = (service.owner().await, service.owner().await);
    service.post_json(&one, "/logout", &json!({})).await.refuses(422, "field required: refresh_token");
    let ended = service.post_json(&one, "/logout", &json!({ "refresh_token": "unknown" })).await;
    assert_eq!(ended.status, 200);
    assert_eq!(service.get(&other, "/api/policy/list").await.status, 200);
}
