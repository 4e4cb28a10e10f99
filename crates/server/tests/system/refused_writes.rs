//! The embedded store while its disk is full or its file is locked: every write is refused in time, reads go on, and
//! everything works again when the cause is gone.

use std::{
    fs::remove_file,
    time::{Duration, Instant},
};

use reqwest::Method;
use serde_json::{Value, json};
use sqlx::{Connection as _, SqliteConnection};

use crate::support::{
    disk::SmallDisk,
    process::{PASSWORD, ServiceProcess},
};

/// Time limit of a request that is refused.
const REFUSED_WITHIN: Duration = Duration::from_secs(10);
/// Time limit of the recovery.
const BACK_WITHIN: Duration = Duration::from_secs(5);

/// Requests that write, one for each area.
fn writes(tokens: &Value, masked: &str) -> Vec<(&'static str, &'static str, Value)> {
    let refresh = json!({ "refresh_token": tokens["refresh_token"] });
    let sign_in = json!({ "username": "admin", "password": PASSWORD });
    vec![
        ("sign-in", "/login", sign_in),
        ("guard call", "/v2/guardengine/svc_firewall_analyze", json!({ "prompt": "Hello." })),
        ("policy", "/api/policy/create", json!({ "policyName": "new" })),
        ("user", "/api/users", json!({ "username": "new", "password": PASSWORD, "role": "viewer" })),
        ("key", "/api-keys/create?name=new", Value::Null),
        ("unmask", "/v2/pii/unmask", json!({ "text": masked })),
        ("refresh", "/refresh", refresh.clone()),
        ("logout", "/logout", refresh),
    ]
}

/// Sends every write, signed in as somebody else, and checks that each is refused in time.
async fn all_are_refused(served: &ServiceProcess, tokens: &Value, masked: &str) {
    for (name, path, body) in writes(tokens, masked) {
        let began = Instant::now();
        let request =
            served.request(Method::POST, path).bearer_auth(tokens["access_token"].as_str().unwrap());
        let answer = request.json(&body).send().await.unwrap();
        assert!(began.elapsed() < REFUSED_WITHIN, "{name} after {:?}", began.elapsed());
        let (status, headers) = (answer.status(), answer.headers().clone());
        let body = answer.text().await.unwrap();
        assert_eq!(status, 503, "{name}: {body}");
        assert!(headers.contains_key("retry-after"), "{name}");
        assert_eq!(body, r#"{"detail":"the store does not answer, try again later"}"#, "{name}");
    }
}

/// Waits until readiness and the metric show that writes are refused, or accepted.
async fn shows(served: &ServiceProcess, is_writable: bool, limit: Duration) {
    let (status, line) =
        if is_writable { (200, "\nguardengine_store_up 1\n") } else { (503, "\nguardengine_store_up 0\n") };
    let began = Instant::now();
    while served.get_as(&Value::Null, "/readyz").await != status || !served.metrics().await.contains(line) {
        assert!(began.elapsed() < limit, "not shown after {:?}", began.elapsed());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn all_are_served_again(served: &ServiceProcess, tokens: &Value, masked: &str) {
    shows(served, true, BACK_WITHIN).await;
    for (name, path, body) in writes(tokens, masked) {
        let request =
            served.request(Method::POST, path).bearer_auth(tokens["access_token"].as_str().unwrap());
        let answer = request.json(&body).send().await.unwrap();
        let (status, body) = (answer.status(), answer.text().await.unwrap());
        assert!(status.is_success(), "{name}: {status} {body}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_refuses_writes_until_it_has_space() {
    let Some(disk) = SmallDisk::of("24m") else { return };
    let served = ServiceProcess::of(disk.serve()).await;
    let (tokens, masked) = (served.sign_in("admin").await, served.token_for("jane@example.com").await);
    for _ in 0..2 {
        let filler = disk.fill();
        // A full disk may have room in files that exist: it is full once a call fails.
        let prompt = json!({ "prompt": "What is the weather like in Oslo today? ".repeat(200) });
        let path = "/v2/guardengine/svc_firewall_analyze";
        while served.post_as(&tokens["access_token"], path, &prompt).await != 503 {}
        shows(&served, false, REFUSED_WITHIN).await;
        assert_eq!(served.get_as(&tokens["access_token"], "/api/policy/list").await, 200, "reads go on");
        assert_eq!(served.get_as(&Value::Null, "/healthz").await, 200);
        remove_file(&filler).unwrap();
        shows(&served, true, BACK_WITHIN).await;
        assert_eq!(served.post_as(&tokens["access_token"], path, &prompt).await, 200);
    }
    let filler = disk.fill();
    let prompt = json!({ "prompt": "What is the weather like in Oslo today? ".repeat(200) });
    while served.post_as(&tokens["access_token"], "/v2/guardengine/svc_firewall_analyze", &prompt).await
        != 503
    {}
    let masked = masked.as_str();
    for (name, path, body) in writes(&tokens, masked) {
        let request =
            served.request(Method::POST, path).bearer_auth(tokens["access_token"].as_str().unwrap());
        // A small write may still find room.
        let status = request.json(&body).send().await.unwrap().status();
        assert!(status.is_success() || status == 503, "{name}: {status}");
    }
    remove_file(&filler).unwrap();
    shows(&served, true, BACK_WITHIN).await;
    assert_eq!(served.signs_in("admin", PASSWORD).await, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_file_refuses_writes_until_it_is_unlocked() {
    let folder = tempfile::tempdir().unwrap();
    let served = ServiceProcess::start(folder.path()).await;
    let (tokens, masked) = (served.sign_in("admin").await, served.token_for("jane@example.com").await);
    let path = folder.path().join("guardengine.db");
    let mut other = SqliteConnection::connect(&format!("sqlite://{}", path.display())).await.unwrap();
    for _ in 0..2 {
        let lock = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
        all_are_refused(&served, &tokens, &masked).await;
        shows(&served, false, REFUSED_WITHIN).await;
        assert_eq!(served.get_as(&tokens["access_token"], "/api/policy/list").await, 200, "reads go on");
        lock.rollback().await.unwrap();
        shows(&served, true, BACK_WITHIN).await;
    }
    all_are_served_again(&served, &tokens, &masked).await;
}
