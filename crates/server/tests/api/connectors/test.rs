//! Checks of connectors against fake servers, and the status that follows.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use guardengine_test_support::fake_server::{FakeServer, ReceivedRequest};
use hmac::{Hmac, KeyInit as _, Mac as _};
use insta::assert_snapshot;
use serde_json::{Value, json};
use sha2::Sha256;

use crate::support::{Response, TestService};

async fn near() -> TestService {
    TestService::with(&[("outgoing.allow_private", "true")]).await
}

/// Creates a disabled connector, which is not checked in the background, and returns its path.
async fn made(service: &TestService, token: &str, kind: &str, mut body: Value) -> String {
    body["name"] = json!("x");
    body["enabled"] = json!(false);
    let made = service.post_json(token, &format!("/api/connectors/{kind}"), &body).await;
    assert_eq!(made.status, 200, "{}", made.body);
    format!("/api/connectors/{}", made.text("id"))
}

async fn tested(service: &TestService, token: &str, path: &str) -> Response {
    let tested = service.post_json(token, &format!("{path}/test"), &json!({})).await;
    assert_eq!(tested.status, 200, "{}", tested.body);
    tested
}

/// Checks a connector against a server with these responses. Returns the requests and the error.
async fn check(
    kind: &str,
    body: impl Fn(&str) -> Value,
    answers: impl Fn(&ReceivedRequest) -> (u16, Value) + Send + Sync + 'static,
) -> (Vec<ReceivedRequest>, Value) {
    let (service, server) = (near().await, FakeServer::start(answers).await);
    let token = service.owner().await;
    let path = made(&service, &token, kind, body(&server.url)).await;
    let error = tested(&service, &token, &path).await.body["error"].clone();
    (server.requests(), error)
}

fn calls(requests: &[ReceivedRequest]) -> Vec<String> {
    requests.iter().map(|request| format!("{} {}", request.method, request.path)).collect()
}

fn fine(_: &ReceivedRequest) -> (u16, Value) {
    (200, json!({}))
}

#[tokio::test]
async fn checks_of_tickets_and_source_hosting_request_the_account() {
    let jira = |url: &str| json!({ "base_url": url, "email": "a@b.c", "api_token": "t", "project_key": "P" });
    let (requests, error) = check("jira", jira, fine).await;
    assert_eq!((calls(&requests), &error), (vec!["GET /rest/api/3/myself".to_owned()], &Value::Null));
    assert_eq!(requests[0].header("authorization"), format!("Basic {}", BASE64_STANDARD.encode("a@b.c:t")));

    let servicenow = |url: &str| json!({ "instance_url": url, "username": "u", "password": "p w" });
    let (requests, _) = check("servicenow", servicenow, fine).await;
    assert_eq!(calls(&requests), ["GET /api/now/table/incident?sysparm_limit=1&sysparm_fields=sys_id"]);
    assert_eq!(requests[0].header("authorization"), format!("Basic {}", BASE64_STANDARD.encode("u:p w")));

    let github = |url: &str| json!({ "base_url": format!("{url}/api/v3/"), "token": "t" });
    let (requests, _) = check("github", github, fine).await;
    assert_eq!(calls(&requests), ["GET /api/v3/user"]);
    assert!(
        requests[0].header("authorization") == "Bearer t"
            && requests[0].header("user-agent").starts_with("guardengine/")
    );

    let (requests, _) = check("gitlab", |url| json!({ "base_url": url, "token": "t" }), fine).await;
    assert_eq!(
        (calls(&requests), requests[0].header("private-token")),
        (vec!["GET /api/v4/user".to_owned()], "t")
    );
}

#[tokio::test]
async fn a_webhook_is_pinged_with_a_signature_that_its_owner_can_verify() {
    let (requests, error) = check(
        "webhook",
        |url| json!({ "url": format!("{url}/in?a=b"), "secret": "s3cret-of-the-hook" }),
        fine,
    )
    .await;
    assert_eq!((calls(&requests), error), (vec!["POST /in?a=b".to_owned()], Value::Null));
    let ping = &requests[0];
    let body: Value = serde_json::from_str(&ping.body).unwrap();
    assert!(body["type"] == "ping" && body["timestamp"].is_string());
    let mut hmac = Hmac::<Sha256>::new_from_slice(b"s3cret-of-the-hook").unwrap();
    hmac.update(
        format!("{}.{}.{}", ping.header("webhook-id"), ping.header("webhook-timestamp"), ping.body)
            .as_bytes(),
    );
    let expected = format!("v1,{}", BASE64_STANDARD.encode(hmac.finalize().into_bytes()));
    assert_eq!(ping.header("webhook-signature"), expected);
}

fn ai(url: &str) -> Value {
    json!({ "base_url": url, "api_key": "k", "model": "m/1" })
}

#[tokio::test]
async fn checks_of_providers_request_the_models_description() {
    for (kind, path, header, value) in [
        ("openai", "/models/m%2F1", "authorization", "Bearer k"),
        ("anthropic", "/v1/models/m%2F1", "x-api-key", "k"),
        ("gemini", "/v1beta/models/m%2F1", "x-goog-api-key", "k"),
    ] {
        let (requests, error) = check(kind, ai, fine).await;
        assert_eq!((calls(&requests), error), (vec![format!("GET {path}")], Value::Null), "{kind}");
        assert_eq!(requests[0].header(header), value, "{kind}");
    }
    let listed = |_: &ReceivedRequest| (200, json!({ "data": [{ "id": "other" }, { "id": "m/1" }] }));
    let (requests, error) = check("openai_compatible", ai, listed).await;
    assert_eq!((calls(&requests), error), (vec!["GET /models".to_owned()], Value::Null));
}

#[tokio::test]
async fn a_provider_without_descriptions_is_asked_for_one_token() {
    let without =
        |request: &ReceivedRequest| if request.method == "GET" { (404, json!({})) } else { (200, json!({})) };
    for (kind, path) in [
        ("openai", "/chat/completions"),
        ("anthropic", "/v1/messages"),
        ("gemini", "/v1beta/models/m%2F1:generateContent"),
        ("openai_compatible", "/chat/completions"),
    ] {
        let (requests, error) = check(kind, ai, without).await;
        assert_eq!((&calls(&requests)[1], error), (&format!("POST {path}"), Value::Null), "{kind}");
        let body: Value = serde_json::from_str(&requests[1].body).unwrap();
        let limit =
            if kind == "gemini" { &body["generationConfig"]["maxOutputTokens"] } else { &body["max_tokens"] };
        assert_eq!(limit, 1, "{kind}");
    }
    let azure = |url: &str| json!({ "endpoint": url, "api_key": "k", "deployment": "d" });
    let (requests, error) = check("azure_openai", azure, fine).await;
    let path = "POST /openai/deployments/d/chat/completions?api-version=2024-10-21";
    assert_eq!(
        (calls(&requests), requests[0].header("api-key"), error),
        (vec![path.to_owned()], "k", Value::Null)
    );
}

#[tokio::test]
async fn a_reasoning_model_gets_the_limit_under_its_other_name() {
    let reasons = |request: &ReceivedRequest| {
        let reported = json!({ "error": { "message": "Use 'max_completion_tokens' instead." } });
        if request.body.contains("max_completion_tokens") { (200, json!({})) } else { (400, reported) }
    };
    let azure = |url: &str| json!({ "endpoint": url, "api_key": "k", "deployment": "d" });
    let (requests, error) = check("azure_openai", azure, reasons).await;
    assert_eq!((requests.len(), error), (2, Value::Null));
}

#[tokio::test]
async fn an_error_is_reported_without_the_response() {
    for (status, reported) in [
        (401, "it answered 401: the credentials are not accepted"),
        (404, "it answered 404: nothing exists at this address or under this name"),
        (503, "it answered 503: the server failed"),
    ] {
        let answers = move |_: &ReceivedRequest| (status, json!({ "message": "your key k is wrong" }));
        let (_, error) = check("openai", ai, answers).await;
        assert_eq!(error, json!(reported));
    }
    let whisper = |url: &str| json!({ "base_url": url, "transcription_model": "whisper-1" });
    let (_, error) = check("openai_compatible", whisper, |_| (200, json!({ "data": [{ "id": "m" }] }))).await;
    assert_eq!(error, "the server does not list the transcription model");
}

#[tokio::test]
async fn a_change_keeps_the_secrets_that_it_omits() {
    let (service, server) = (near().await, FakeServer::start(fine).await);
    let token = service.owner().await;
    let path = made(&service, &token, "openai", ai(&server.url)).await;
    let now = service.put_json(&token, &path, &json!({ "model": "n", "name": "y" })).await;
    assert_eq!((now.status, now.text("model").as_str(), now.text("name").as_str()), (200, "n", "y"));
    tested(&service, &token, &path).await;
    service.put_json(&token, &path, &json!({ "api_key": "new" })).await;
    tested(&service, &token, &path).await;
    let keys: Vec<_> =
        server.requests().iter().map(|request| request.header("authorization").to_owned()).collect();
    assert_eq!(keys, ["Bearer k", "Bearer new"]);
}

/// Starts a server that responds with a status that the test can change.
async fn moody() -> (FakeServer, Arc<AtomicU16>) {
    let mood = Arc::new(AtomicU16::new(200));
    let kept = Arc::clone(&mood);
    (FakeServer::start(move |_| (kept.load(Ordering::SeqCst), json!({}))).await, mood)
}

/// Waits until a background check sets this status.
async fn becomes(service: &TestService, token: &str, path: &str, status: &str) -> Value {
    for _ in 0..200 {
        let now = service.get(token, path).await.body;
        if now["status"] == status && now["last_checked_at"].is_string() {
            return now;
        }
        tokio::time::sleep(Duration::from_millis(25)).await;
    }
    panic!("it does not become {status}: {}", service.get(token, path).await.body);
}

#[tokio::test]
async fn the_status_follows_reality_in_the_background() {
    let (service, (server, mood)) = (near().await, moody().await);
    let token = service.owner().await;
    let path = made(&service, &token, "openai", ai(&server.url)).await;
    assert_eq!(service.get(&token, &path).await.text("status"), "disabled");
    service.put_json(&token, &path, &json!({ "enabled": true })).await;
    becomes(&service, &token, &path, "active").await;

    mood.store(401, Ordering::SeqCst);
    let later = async |span| {
        service.clock.advance(span);
        service.check_connectors();
    };
    later(Duration::from_mins(10)).await;
    let down = becomes(&service, &token, &path, "error").await;
    assert_eq!(down["last_error"], "it answered 401: the credentials are not accepted");

    mood.store(200, Ordering::SeqCst);
    later(Duration::from_mins(1)).await;
    let up = becomes(&service, &token, &path, "active").await;
    assert_eq!(up["last_error"], Value::Null);
    assert_eq!(server.requests().len(), 3);
}

#[tokio::test]
async fn a_dead_connector_has_the_status_error_soon_after_its_creation() {
    let service = near().await;
    let token = service.owner().await;
    let body = json!({ "name": "x", "base_url": "http://127.0.0.1:9", "api_key": "k", "model": "m" });
    let id = service.post_json(&token, "/api/connectors/openai", &body).await.text("id");
    let down = becomes(&service, &token, &format!("/api/connectors/{id}"), "error").await;
    assert!(down["last_error"].as_str().unwrap().starts_with("it cannot be reached: "), "{down}");
}

#[tokio::test]
async fn a_webhook_is_pinged_only_on_request_or_after_a_failure() {
    let (service, (server, mood)) = (near().await, moody().await);
    let token = service.owner().await;
    let body = json!({ "name": "x", "url": server.url, "secret": "s3cret-of-the-hook" });
    let id = service.post_json(&token, "/api/connectors/webhook", &body).await.text("id");
    let path = format!("/api/connectors/{id}");
    service.clock.advance(Duration::from_mins(10));
    service.check_connectors();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(server.requests().is_empty());
    mood.store(500, Ordering::SeqCst);
    assert_eq!(tested(&service, &token, &path).await.text("status"), "error");
    mood.store(200, Ordering::SeqCst);
    service.clock.advance(Duration::from_mins(1));
    service.check_connectors();
    becomes(&service, &token, &path, "active").await;
    assert_eq!(server.requests().len(), 2);
}

#[tokio::test]
async fn a_disabled_connector_can_be_tested_and_stays_disabled() {
    let (service, server) = (near().await, FakeServer::start(fine).await);
    let token = service.owner().await;
    let path = made(&service, &token, "openai", ai(&server.url)).await;
    let tested = tested(&service, &token, &path).await;
    assert_snapshot!(tested.snapshot(), @r#"
    HTTP 200
    {
      "checked_at": "[time]",
      "error": null,
      "latency_ms": "[latency_ms]",
      "ok": true,
      "status": "disabled"
    }
    "#);
}

/// Makes the moto server verify signatures, creates a user and returns its access key.
async fn access_key(moto: &str) -> (String, String) {
    let client = guardengine_egress::client().build().unwrap();
    let reset =
        client.post(format!("{moto}/moto-api/reset-auth")).header("content-type", "text/plain").body("2");
    assert_eq!(reset.send().await.unwrap().status(), 200);
    let mut answer = String::new();
    for action in ["CreateUser", "CreateAccessKey"] {
        let form = [("Action", action), ("Version", "2010-05-08"), ("UserName", "ge")];
        let scope = "AWS4-HMAC-SHA256 Credential=x/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0";
        let asked = client.post(moto).header("authorization", scope).form(&form).send().await.unwrap();
        answer = asked.text().await.unwrap();
    }
    let between = |tag: &str| {
        let (_, rest) = answer.split_once(&format!("<{tag}>")).expect("it is in the answer");
        rest.split_once('<').unwrap().0.to_owned()
    };
    (between("AccessKeyId"), between("SecretAccessKey"))
}

#[tokio::test]
async fn a_cloud_account_is_verified_by_a_signed_request() {
    let Ok(moto) = std::env::var("GUARDENGINE_TEST_MOTO") else { return };
    let (service, (id, secret)) = (near().await, access_key(&moto).await);
    let token = service.owner().await;
    let account = json!({
        "cloudprovider_access_key_id": id,
        "cloudprovider_secret_access_key": secret,
        "cloudprovider_region": "eu-central-1",
        "cloudprovider_account_id": "123456789012",
        "cloudprovider_endpoint": moto,
    });
    let path = made(&service, &token, "cloudprovider_cloud", account).await;
    let error = async |change: Value| {
        service.put_json(&token, &path, &change).await;
        tested(&service, &token, &path).await.body["error"].clone()
    };
    assert_eq!(error(json!({})).await, Value::Null);
    let other = "the access key belongs to a different account than cloudprovider_account_id";
    assert_eq!(error(json!({ "cloudprovider_account_id": "999999999999" })).await, other);
    let refused = "it answered 403: the credentials are not accepted";
    assert_eq!(error(json!({ "cloudprovider_secret_access_key": "wrong" })).await, refused);
}
