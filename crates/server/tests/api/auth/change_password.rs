use serde_json::json;

use crate::support::{PASSWORD, TestService};

#[tokio::test]
async fn a_new_password_ends_the_other_sessions() {
    let service = TestService::start().await;
    let (one, other) = (service.owner().await, service.owner().await);
    let change = |current: &str, new: &str| json!({ "current_password": current, "new_password": new });
    let path = "/api/users/me/password";
    service
        .post_json(&one, path, &change("wrong", "New-horse-10"))
        .await
        .refuses(422, "current_password: does not match");
    let weak = service.post_json(&one, path, &change(PASSWORD, "alllower1")).await;
    assert!(weak.status == 422 && weak.text("detail").starts_with("new_password: "));
    assert_eq!(service.post_json(&one, path, &change(PASSWORD, "New-horse-10")).await.status, 200);
    assert_eq!(service.get(&one, "/api/policy/list").await.status, 200);
    service.get(&other, "/api/policy/list").await.refuses(401, "invalid or expired token");
    assert_eq!(service.sign_in("admin", "New-horse-10").await.status, 200);
}

#[tokio::test]
async fn wrong_passwords_count_towards_the_lockout() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let change = async |current: &str| {
        let body = json!({ "current_password": current, "new_password": "New-horse-10" });
        service.post_json(&token, "/api/users/me/password", &body).await
    };
    for _ in 0..5 {
        change("wrong").await.refuses(422, "current_password: does not match");
    }
    let locked = change(PASSWORD).await;
    assert!(
        locked.status == 429 && locked.text("detail").starts_with("too many failed attempts"),
        "{}",
        locked.body
    );
    assert_eq!(service.sign_in("admin", PASSWORD).await.status, 429);
    service.clock.advance(std::time::Duration::from_mins(11));
    assert_eq!(change(PASSWORD).await.status, 200);
}
