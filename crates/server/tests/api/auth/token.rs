use std::time::Duration;

use futures::future::join_all;

use crate::support::{PASSWORD, TestService, send};
use insta::assert_snapshot;

const BAD: &str = "invalid username or password";

#[tokio::test]
async fn only_the_right_password_opens_a_session() {
    let service = TestService::start().await;
    assert_snapshot!(service.sign_in("admin", "wrong").await.snapshot(), @r#"
    HTTP 401
    www-authenticate: Bearer
    {
      "detail": "invalid username or password"
    }
    "#);
    let answer = service.sign_in(" ADMIN ", PASSWORD).await;
    assert_snapshot!(answer.snapshot(), @r#"
    HTTP 200
    {
      "access_token": "[access_token]",
      "expires_in": 900,
      "refresh_token": "[refresh_token]",
      "token_type": "bearer"
    }
    "#);
    assert_eq!(service.get(&answer.text("access_token"), "/api/policy/list").await.status, 200);
}

#[tokio::test]
async fn the_first_missing_field_is_reported() {
    let service = TestService::start().await;
    let sign_in = async |form: &[(&str, &str)]| send(service.post("/token").form(form)).await;
    sign_in(&[("password", "x")]).await.refuses(422, "field required: username");
    sign_in(&[("username", "x")]).await.refuses(422, "field required: password");
}

#[tokio::test]
async fn five_failures_lock_known_and_unknown_names() {
    let service = TestService::with(&[("limits.token", "off")]).await;
    for username in ["admin", "nobody"] {
        for _ in 0..5 {
            service.sign_in(username, "wrong").await.refuses(401, BAD);
        }
        let locked = service.sign_in(username, PASSWORD).await;
        locked.refuses(429, "too many failed attempts, try again in 600 seconds");
        assert_eq!(locked.header("retry-after"), "600");
    }
}

#[tokio::test]
async fn a_lock_ends_after_its_time_and_attempts_do_not_extend_it() {
    let service = TestService::with(&[("limits.token", "off")]).await;
    for _ in 0..5 {
        service.sign_in("admin", "wrong").await;
    }
    service.clock.advance(Duration::from_secs(599));
    assert_eq!(service.sign_in("admin", PASSWORD).await.status, 429);
    service.clock.advance(Duration::from_secs(1));
    assert_eq!(service.sign_in("admin", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_success_resets_the_failures_before_it() {
    let service = TestService::with(&[("limits.token", "off")]).await;
    for _ in 0..2 {
        for _ in 0..4 {
            service.sign_in("admin", "wrong").await.refuses(401, BAD);
        }
        assert_eq!(service.sign_in("admin", PASSWORD).await.status, 200);
    }
}

#[tokio::test]
async fn at_most_five_of_thirty_two_parallel_guesses_reach_the_password() {
    let service = TestService::with(&[("limits.token", "off")]).await;
    let guesses = join_all((0..32).map(|_| service.sign_in("admin", "wrong"))).await;
    let count = |status| guesses.iter().filter(|guess| guess.status == status).count();
    assert_eq!((count(401), count(429)), (5, 27));
}

#[tokio::test]
async fn tokens_outlive_a_restart_and_expire_after_their_time() {
    let service = TestService::with(&[("session.access_token_ttl", "15m")]).await;
    let token = service.owner().await;
    let service = service.restarted().await;
    assert_eq!(service.get(&token, "/api/policy/list").await.status, 200);
    service.clock.advance(Duration::from_mins(15));
    service.get(&token, "/api/policy/list").await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn a_forged_token_opens_nothing() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let (signed, signature) = token.rsplit_once('.').unwrap();
    let unsigned = "eyJhbGciOiJub25lIn0.eyJzdWIiOiJhZG1pbiJ9.";
    for forged in
        [format!("{signed}."), format!("{signed}.{}", signature.to_uppercase()), unsigned.to_owned()]
    {
        service.get(&forged, "/api/policy/list").await.refuses(401, "invalid or expired token");
    }
}

#[tokio::test]
async fn an_idle_session_is_over() {
    let service = TestService::with(&[("session.access_token_ttl", "2h")]).await;
    let token = service.owner().await;
    for _ in 0..3 {
        service.clock.advance(Duration::from_mins(17));
        assert_eq!(service.get(&token, "/api/policy/list").await.status, 200);
    }
    service.clock.advance(Duration::from_secs(17 * 60 + 1));
    service.get(&token, "/api/policy/list").await.refuses(401, "session expired, log in again");
}

#[tokio::test]
async fn sign_in_accepts_little_before_anything_is_verified() {
    let service = TestService::with(&[("limits.token", "off"), ("limits.login", "off")]).await;
    let long = "x".repeat(101);
    service.sign_in(&long, "wrong").await.refuses(422, "username: must have at most 100 characters");
    service.sign_in(&long[1..], "wrong").await.refuses(401, BAD);
    let password = "x".repeat(5_000);
    for path in ["/token", "/login", "/auth/select-org", "/refresh", "/auth/invitation/accept"] {
        let refused = send(service.post(path).form(&[("username", "admin"), ("password", &password)])).await;
        assert_eq!(refused.status, 413, "{path}: {}", refused.body);
    }
}
