//! What is asked of connectors, against peers of this process; and what their status makes of the answers.

use std::{
    sync::{
        Arc,
        atomic::{AtomicU16, Ordering},
    },
    time::Duration,
};

use base64::{Engine as _, prelude::BASE64_STANDARD};
use hmac::{Hmac, KeyInit as _, Mac as _};
use serde_json::{Value, json};
use sha2::Sha256;

use crate::{
    peers::{Peer, Seen},
    service::{Answer, Running},
};

async fn near() -> Running {
    Running::with(&[("outgoing.allow_private", "true")]).await
}

/// A connector that the background leaves alone, until it is enabled.
async fn made(service: &Running, token: &str, kind: &str, mut body: Value) -> String {
    body["name"] = json!("x");
    body["enabled"] = json!(false);
    let made = service.post_json(token, &format!("/api/connectors/{kind}"), &body).await;
    assert_eq!(made.status, 200, "{}", made.body);
    format!("/api/connectors/{}", made.text("id"))
}

async fn tested(service: &Running, token: &str, path: &str) -> Answer {
    let tested = service.post_json(token, &format!("{path}/test"), &json!({})).await;
    assert_eq!(tested.status, 200, "{}", tested.body);
    tested
}

/// What a check asks of a peer that answers so, and what comes of it.
async fn check(
    kind: &str,
    body: impl Fn(&str) -> Value,
    answers: impl Fn(&Seen) -> (u16, Value) + Send + Sync + 'static,
) -> (Vec<Seen>, Value) {
    let (service, peer) = (near().await, Peer::start(answers).await);
    let token = service.owner().await;
    let path = made(&service, &token, kind, body(&peer.url)).await;
    let error = tested(&service, &token, &path).await.body["error"].clone();
    (peer.seen(), error)
}

fn calls(seen: &[Seen]) -> Vec<String> {
    seen.iter().map(|seen| format!("{} {}", seen.method, seen.path)).collect()
}

fn fine(_: &Seen) -> (u16, Value) {
    (200, json!({}))
}

#[tokio::test]
async fn tickets_and_source_hosting_are_asked_who_the_credentials_belong_to() {
    let jira = |url: &str| json!({ "base_url": url, "email": "a@b.c", "api_token": "t", "project_key": "P" });
    let (seen, error) = check("jira", jira, fine).await;
    assert_eq!((calls(&seen), &error), (vec!["GET /rest/api/3/myself".to_owned()], &Value::Null));
    assert_eq!(seen[0].header("authorization"), format!("Basic {}", BASE64_STANDARD.encode("a@b.c:t")));

    let servicenow = |url: &str| json!({ "instance_url": url, "username": "u", "password": "p w" });
    let (seen, _) = check("servicenow", servicenow, fine).await;
    assert_eq!(calls(&seen), ["GET /api/now/table/incident?sysparm_limit=1&sysparm_fields=sys_id"]);
    assert_eq!(seen[0].header("authorization"), format!("Basic {}", BASE64_STANDARD.encode("u:p w")));

    let github = |url: &str| json!({ "base_url": format!("{url}/api/v3/"), "token": "t" });
    let (seen, _) = check("github", github, fine).await;
    assert_eq!(calls(&seen), ["GET /api/v3/user"]);
    assert!(
        seen[0].header("authorization") == "Bearer t"
            && seen[0].header("user-agent").starts_with("guardengine/")
    );

    let (seen, _) = check("gitlab", |url| json!({ "base_url": url, "token": "t" }), fine).await;
    assert_eq!((calls(&seen), seen[0].header("private-token")), (vec!["GET /api/v4/user".to_owned()], "t"));
}

#[tokio::test]
async fn a_webhook_is_pinged_with_a_signature_that_its_owner_can_verify() {
    let (seen, error) =
        check("webhook", |url| json!({ "url": format!("{url}/in?a=b"), "secret": "s3cret" }), fine).await;
    assert_eq!((calls(&seen), error), (vec!["POST /in?a=b".to_owned()], Value::Null));
    let ping = &seen[0];
    let body: Value = serde_json::from_str(&ping.body).unwrap();
    assert!(body["type"] == "ping" && body["timestamp"].is_string());
    let mut hmac = Hmac::<Sha256>::new_from_slice(b"s3cret").unwrap();
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
async fn providers_are_asked_for_the_models_description() {
    for (kind, path, header, value) in [
        ("openai", "/models/m%2F1", "authorization", "Bearer k"),
        ("anthropic", "/v1/models/m%2F1", "x-api-key", "k"),
        ("gemini", "/v1beta/models/m%2F1", "x-goog-api-key", "k"),
    ] {
        let (seen, error) = check(kind, ai, fine).await;
        assert_eq!((calls(&seen), error), (vec![format!("GET {path}")], Value::Null), "{kind}");
        assert_eq!(seen[0].header(header), value, "{kind}");
    }
    let listed = |_: &Seen| (200, json!({ "data": [{ "id": "other" }, { "id": "m/1" }] }));
    let (seen, error) = check("openai_compatible", ai, listed).await;
    assert_eq!((calls(&seen), error), (vec!["GET /models".to_owned()], Value::Null));
}

#[tokio::test]
async fn a_provider_without_descriptions_is_asked_for_one_token() {
    let without = |seen: &Seen| if seen.method == "GET" { (404, json!({})) } else { (200, json!({})) };
    for (kind, path) in [
        ("openai", "/chat/completions"),
        ("anthropic", "/v1/messages"),
        ("gemini", "/v1beta/models/m%2F1:generateContent"),
        ("openai_compatible", "/chat/completions"),
    ] {
        let (seen, error) = check(kind, ai, without).await;
        assert_eq!((&calls(&seen)[1], error), (&format!("POST {path}"), Value::Null), "{kind}");
        let body: Value = serde_json::from_str(&seen[1].body).unwrap();
        let limit =
            if kind == "gemini" { &body["generationConfig"]["maxOutputTokens"] } else { &body["max_tokens"] };
        assert_eq!(limit, 1, "{kind}");
    }
    let azure = |url: &str| json!({ "endpoint": url, "api_key": "k", "deployment": "d" });
    let (seen, error) = check("azure_openai", azure, fine).await;
    let path = "POST /openai/deployments/d/chat/completions?api-version=2024-10-21";
    assert_eq!((calls(&seen), seen[0].header("api-key"), error), (vec![path.to_owned()], "k", Value::Null));
}

#[tokio::test]
async fn a_model_that_reasons_is_asked_by_the_other_name_of_the_limit() {
    let reasons = |seen: &Seen| {
        let told = json!({ "error": { "message": "Use 'max_completion_tokens' instead." } });
        if seen.body.contains("max_completion_tokens") { (200, json!({})) } else { (400, told) }
    };
    let azure = |url: &str| json!({ "endpoint": url, "api_key": "k", "deployment": "d" });
    let (seen, error) = check("azure_openai", azure, reasons).await;
    assert_eq!((seen.len(), error), (2, Value::Null));
}

#[tokio::test]
async fn what_is_wrong_is_told_without_what_was_answered() {
    for (status, told) in [
        (401, "it answered 401: the credentials are not accepted"),
        (404, "it answered 404: nothing exists at this address or under this name"),
        (503, "it answered 503: the server failed"),
    ] {
        let answers = move |_: &Seen| (status, json!({ "message": "your key k is wrong" }));
        let (_, error) = check("openai", ai, answers).await;
        assert_eq!(error, json!(told));
    }
    let whisper = |url: &str| json!({ "base_url": url, "transcription_model": "whisper-1" });
    let (_, error) = check("openai_compatible", whisper, |_| (200, json!({ "data": [{ "id": "m" }] }))).await;
    assert_eq!(error, "the server does not list the transcription model");
}

#[tokio::test]
async fn a_change_keeps_the_secrets_that_it_does_not_carry() {
    let (service, peer) = (near().await, Peer::start(fine).await);
    let token = service.owner().await;
    let path = made(&service, &token, "openai", ai(&peer.url)).await;
    let now = service.put_json(&token, &path, &json!({ "model": "n", "name": "y" })).await;
    assert_eq!((now.status, now.text("model").as_str(), now.text("name").as_str()), (200, "n", "y"));
    tested(&service, &token, &path).await;
    service.put_json(&token, &path, &json!({ "api_key": "new" })).await;
    tested(&service, &token, &path).await;
    let keys: Vec<_> = peer.seen().iter().map(|seen| seen.header("authorization").to_owned()).collect();
    assert_eq!(keys, ["Bearer k", "Bearer new"]);
}

/// A peer that answers with the status that it is told.
async fn moody() -> (Peer, Arc<AtomicU16>) {
    let mood = Arc::new(AtomicU16::new(200));
    let kept = Arc::clone(&mood);
    (Peer::start(move |_| (kept.load(Ordering::SeqCst), json!({}))).await, mood)
}

/// Waits until the background has made the status so.
async fn becomes(service: &Running, token: &str, path: &str, status: &str) -> Value {
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
    let (service, (peer, mood)) = (near().await, moody().await);
    let token = service.owner().await;
    let path = made(&service, &token, "openai", ai(&peer.url)).await;
    assert_eq!(service.get(&token, &path).await.text("status"), "disabled");
    service.put_json(&token, &path, &json!({ "enabled": true })).await;
    becomes(&service, &token, &path, "active").await;

    mood.store(401, Ordering::SeqCst);
    let later = async |span| {
        service.clock.advance(span);
        service.app.integrations.connectors_changed.notify_one();
    };
    later(Duration::from_mins(10)).await;
    let down = becomes(&service, &token, &path, "error").await;
    assert_eq!(down["last_error"], "it answered 401: the credentials are not accepted");

    mood.store(200, Ordering::SeqCst);
    later(Duration::from_mins(1)).await;
    let up = becomes(&service, &token, &path, "active").await;
    assert_eq!(up["last_error"], Value::Null);
    assert_eq!(peer.seen().len(), 3);
}

#[tokio::test]
async fn a_dead_connector_is_an_error_soon_after_it_is_made() {
    let service = near().await;
    let token = service.owner().await;
    let body = json!({ "name": "x", "base_url": "http://127.0.0.1:9", "api_key": "k", "model": "m" });
    let id = service.post_json(&token, "/api/connectors/openai", &body).await.text("id");
    let down = becomes(&service, &token, &format!("/api/connectors/{id}"), "error").await;
    assert!(down["last_error"].as_str().unwrap().starts_with("it cannot be reached: "), "{down}");
}

#[tokio::test]
async fn a_webhook_hears_of_checks_only_when_somebody_asks_or_it_failed() {
    let (service, (peer, mood)) = (near().await, moody().await);
    let token = service.owner().await;
    let body = json!({ "name": "x", "url": peer.url, "secret": "s" });
    let id = service.post_json(&token, "/api/connectors/webhook", &body).await.text("id");
    let path = format!("/api/connectors/{id}");
    service.clock.advance(Duration::from_mins(10));
    service.app.integrations.connectors_changed.notify_one();
    tokio::time::sleep(Duration::from_millis(200)).await;
    assert!(peer.seen().is_empty());
    mood.store(500, Ordering::SeqCst);
    assert_eq!(tested(&service, &token, &path).await.text("status"), "error");
    mood.store(200, Ordering::SeqCst);
    service.clock.advance(Duration::from_mins(1));
    service.app.integrations.connectors_changed.notify_one();
    becomes(&service, &token, &path, "active").await;
    assert_eq!(peer.seen().len(), 2);
}

#[tokio::test]
async fn a_disabled_connector_can_be_tested_and_stays_disabled() {
    let (service, peer) = (near().await, Peer::start(fine).await);
    let token = service.owner().await;
    let path = made(&service, &token, "openai", ai(&peer.url)).await;
    let tested = tested(&service, &token, &path).await;
    assert_eq!((&tested.body["ok"], tested.text("status").as_str()), (&json!(true), "disabled"));
    assert!(tested.body["latency_ms"].is_u64() && tested.body["checked_at"].is_string());
}

/// An access key of a new user of the moto server, which from then on verifies signatures.
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
