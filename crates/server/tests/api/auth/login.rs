use serde_json::json;

use crate::support::{PASSWORD, TestService, send};

#[tokio::test]
async fn json_and_forms_are_accepted() {
    let service = TestService::start().await;
    let body = json!({ "username": "admin", "password": PASSWORD });
    let answers =
        [send(service.post("/login").json(&body)).await, send(service.post("/login").form(&body)).await];
    for answer in answers {
        assert_eq!((answer.status, answer.text("token_type").as_str()), (200, "bearer"));
    }
}

#[tokio::test]
async fn failures_count_towards_the_same_lock_as_those_at_token() {
    let service = TestService::start().await;
    let guess = json!({ "username": "admin", "password": "wrong" });
    for _ in 0..3 {
        send(service.post("/login").json(&guess)).await.refuses(401, "invalid username or password");
    }
    for _ in 0..2 {
        service.sign_in("admin", "wrong").await.refuses(401, "invalid username or password");
    }
    assert_eq!(service.sign_in("admin", PASSWORD).await.status, 429);
}
