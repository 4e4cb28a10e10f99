//! The gateway in front of fake providers.

use std::time::Duration;

use guardengine_test_support::{
    fake_server::{FakeServer, ReceivedRequest},
    poll::until,
};
use serde_json::{Value, json};
use uuid::Uuid;

use super::{
    Guarded, ORDER,
    formats::{CHAT, FORMATS, MESSAGES, answer, call, is_refusal, said},
    key,
};
use crate::support::{Response, TestService, send};

/// A guarded project with a gateway.
pub struct Gateway {
    pub guarded: Guarded,
}

impl Gateway {
    /// Starts a service whose project passes calls of each path on to a connector at this address.
    pub async fn start(url: &str) -> Self {
        Self::with(url, &json!({})).await
    }

    /// Starts it with these settings of the gateway, in which a route may miss its connector.
    async fn with(url: &str, gateway: &Value) -> Self {
        let service = TestService::with_fake_servers(&[]).await;
        let guarded = Guarded::of(service).await;
        let this = Self { guarded };
        let mut gateway = gateway.clone();
        if gateway["routes"].is_null() {
            gateway["routes"] = json!([{ "model": "m-*" }]);
        }
        let connector = this.connector("openai", url).await;
        for route in gateway["routes"].as_array_mut().unwrap() {
            if route["connector_id"].is_null() {
                route["connector_id"] = json!(connector);
            }
        }
        this.set(&gateway).await;
        this
    }

    pub async fn connector(&self, kind: &str, url: &str) -> String {
        let name = json!({ "name": Uuid::new_v4() });
        self.guarded.service.connector(&self.guarded.token, kind, url, &name).await
    }

    pub async fn set(&self, gateway: &Value) {
        let path = format!("/api/project/{}", self.guarded.project);
        let answer =
            self.guarded.service.put_json(&self.guarded.token, &path, &json!({ "gateway": gateway })).await;
        assert_eq!(answer.status, 200, "{}", answer.body);
        assert_eq!(answer.body["gateway"]["routes"][0]["model"], gateway["routes"][0]["model"]);
    }

    /// Passes calls on to a connector of this type.
    pub async fn serve_by(&self, kind: &str, url: &str, on_block: &str) {
        let id = self.connector(kind, url).await;
        let route = json!({ "model": "m-*", "connector_id": id });
        self.set(&json!({ "routes": [route], "on_block": on_block })).await;
    }

    /// Returns a log entry.
    pub async fn entry(&self, id: &str) -> Value {
        let entries = self.guarded.logs("").await;
        entries.into_iter().find(|entry| entry["log_id"] == id).unwrap_or_else(|| panic!("no entry {id}"))
    }

    async fn post(&self, path: &str, body: &Value) -> Response {
        self.guarded.post(path, body).await
    }
}

/// Returns the tokens of the request and of the answer in a log entry.
pub fn tokens(entry: &Value) -> (Value, Value) {
    (entry["prompt_tokens"].clone(), entry["completion_tokens"].clone())
}

/// Returns the calls of models that a provider received.
fn calls(model: &FakeServer) -> Vec<ReceivedRequest> {
    let is_call = |request: &ReceivedRequest| {
        let body = request.json["messages"][0]["content"].as_str().or_else(|| request.json["input"].as_str());
        body.is_some_and(|text| text != "ping")
            || request.json["messages"].as_array().is_some_and(|all| all.len() > 1)
    };
    model.requests().into_iter().filter(is_call).collect()
}

/// Starts a provider that answers every call with this text and these arguments.
async fn provider(text: &'static str, arguments: Value) -> FakeServer {
    FakeServer::start(move |request| {
        let path = request.path.strip_prefix("/v1").unwrap_or(&request.path);
        (200, answer(&format!("/v1{path}"), text, &arguments))
    })
    .await
}

#[tokio::test]
async fn a_call_is_masked_passed_on_and_answered_in_every_format() {
    let model = provider("write to bob@example.com", json!({ "to": "bob@example.com", "n": 1 })).await;
    let gateway = Gateway::start(&model.url).await;
    for (path, kind) in FORMATS {
        gateway.serve_by(kind, &model.url, "refusal").await;
        let before = gateway.guarded.logs("").await.len();
        let answer = gateway.post(path, &call(path, "I am jane@example.com")).await;
        assert_eq!(answer.status, 200, "{path}: {}", answer.body);
        let masked = (json!("write to [EMAIL_REDACTED]"), json!({ "to": "[EMAIL_REDACTED]", "n": 1 }));
        assert_eq!(said(path, &answer.body), masked, "{path}");
        let got = calls(&model).pop().unwrap();
        assert!(got.body.contains("I am [EMAIL_REDACTED]") && !got.body.contains("jane"), "{}", got.body);
        assert_eq!(gateway.guarded.logs("").await.len(), before + 1, "{path}");
        let entry = gateway.entry(answer.header("x-guardengine-log-id")).await;
        assert_eq!((&entry["surface"], &entry["decision"]), (&json!("gateway"), &json!("mask")), "{entry}");
        assert_eq!(entry["credits"], 2);
        assert_eq!(tokens(&entry), (json!(4), json!(3)), "{path}");
        assert!(entry["text"].as_str().unwrap().contains("I am [EMAIL_REDACTED]"));
        assert!(entry["text"].as_str().unwrap().contains("write to [EMAIL_REDACTED]"));
    }
    let metrics = gateway.guarded.service.metrics();
    assert!(metrics.contains("guardengine_gateway_tokens_total{type=\"output\"}"), "{metrics}");
}

#[tokio::test]
async fn a_blocked_request_is_not_passed_on() {
    let model = provider("hi", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    for (path, kind) in FORMATS {
        for on_block in ["refusal", "error"] {
            gateway.serve_by(kind, &model.url, on_block).await;
            let answer = gateway.post(path, &call(path, ORDER)).await;
            let shown = answer.body.to_string();
            assert!(shown.contains("This call was blocked") && shown.contains("prompt_injection"), "{shown}");
            if on_block == "refusal" {
                assert_eq!(answer.status, 200);
                assert!(is_refusal(path, &answer.body), "{shown}");
            } else {
                assert_eq!(answer.status, 400);
                assert_eq!(answer.body["error"]["type"], "invalid_request_error");
            }
        }
    }
    assert!(calls(&model).is_empty());
    let entries = gateway.guarded.logs("").await;
    assert_eq!(entries.len(), 6);
    let seen =
        |entry: &Value| (entry["decision"].clone(), entry["direction"].clone(), entry["credits"].clone());
    assert!(entries.iter().all(|entry| seen(entry) == (json!("block"), json!("input"), json!(1))));
    assert!(entries.iter().all(|entry| entry["upstream_time_ms"].is_null()), "no model was called");
}

#[tokio::test]
async fn a_blocked_answer_does_not_reach_the_client() {
    let model = provider("the plan of Aurora", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    for (path, kind) in FORMATS {
        gateway.serve_by(kind, &model.url, "refusal").await;
        let answer = gateway.post(path, &call(path, "hello")).await;
        assert!(is_refusal(path, &answer.body), "{}", answer.body);
        assert!(!answer.body.to_string().contains("the plan"), "{}", answer.body);
        assert_eq!(answer.body["id"], "a-1", "usage and identifier are the provider's");
        let entry = gateway.entry(answer.header("x-guardengine-log-id")).await;
        assert_eq!((&entry["direction"], &entry["decision"]), (&json!("output"), &json!("block")));
        assert_eq!(entry["credits"], 2);
    }
    let blocked = provider("fine", json!({ "text": "the plan of Aurora" })).await;
    gateway.serve_by("openai", &blocked.url, "error").await;
    let answer = gateway.post(CHAT, &call(CHAT, "hello")).await;
    assert_eq!((answer.status, &answer.body["error"]["code"]), (400, &json!("content_filter")));
}

#[tokio::test]
async fn whatever_the_model_reads_is_evaluated() {
    let model = provider("hi", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    let user = json!({ "role": "user", "content": "hello" });
    for messages in [
        json!([{ "role": "user", "content": ORDER }, user]),
        json!([user, { "role": "tool", "tool_call_id": "t", "content": ORDER }]),
        json!([user, { "role": "user", "content": [{ "type": "text", "text": ORDER }] }]),
        json!([user, { "role": "user", "content": [{ "type": "file", "file": {} }] }]),
    ] {
        let answer = gateway.post(CHAT, &json!({ "model": "m-1", "messages": messages })).await;
        assert!(is_refusal(CHAT, &answer.body), "{messages}: {}", answer.body);
    }
    let tools = json!([{ "type": "function", "function": { "name": "f", "description": ORDER } }]);
    let answer = gateway.post(CHAT, &json!({ "model": "m-1", "messages": [user], "tools": tools })).await;
    assert!(is_refusal(CHAT, &answer.body), "{}", answer.body);
    assert!(calls(&model).is_empty());
}

#[tokio::test]
async fn only_masked_values_and_the_model_change_in_the_body() {
    let model = provider("hi", json!({})).await;
    let route = json!({ "routes": [{ "model": "m-*", "upstream_model": "up" }] });
    let gateway = Gateway::with(&model.url, &route).await;
    let body = r#"{ "messages" : [ {"role":"system","content":"Na\u00efve \/ 1.0"},
        {"role":"user","content":"I am jane@example.com \u2014 na\u00efve"},{"role":"assistant","content":"ok"},
        {"content":"bye","role":"user"} ],"model": "m-1", "temperature":1.0, "x":1e2}"#;
    let path = format!("/p/{}{CHAT}", gateway.guarded.project);
    let request = gateway.guarded.service.post(&path).bearer_auth(&gateway.guarded.key).body(body);
    let answer = send(request).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    let expected = body.replace("jane@example.com", "[EMAIL_REDACTED]").replace("m-1", "up");
    assert_eq!(calls(&model).pop().unwrap().body, expected);
}

#[tokio::test]
async fn values_behind_tokens_are_restored_in_the_answer() {
    // The provider repeats the request, as a text and as an argument.
    let model = FakeServer::start(|request| {
        let request_text = request.json["messages"][0]["content"].as_str().unwrap_or("ping");
        (200, answer(CHAT, &format!("You said: {request_text}"), &json!({ "quoted": request_text })))
    })
    .await;
    let gateway = Gateway::start(&model.url).await;
    let policy = json!({ "policyName": "tokens", "guardrails": [
        { "guardrail": "pii", "pii_masking_enabled": true, "pii_masking_strategy": "token" }] });
    let policy = gateway.guarded.service.policy(&gateway.guarded.token, &policy).await;
    let path = format!("/api/project/{}", gateway.guarded.project);
    let set = json!({ "policyId": policy });
    assert_eq!(gateway.guarded.service.put_json(&gateway.guarded.token, &path, &set).await.status, 200);
    let answer = gateway.post(CHAT, &call(CHAT, "I am jane@example.com")).await;
    let restored = (json!("You said: I am jane@example.com"), json!({ "quoted": "I am jane@example.com" }));
    assert_eq!(said(CHAT, &answer.body), restored);
    assert!(calls(&model)[0].body.contains("[EMAIL_TOKEN_"), "{}", calls(&model)[0].body);
}

#[tokio::test]
async fn an_unknown_model_is_not_found() {
    let model = provider("hi", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    let unknown = json!({ "model": "other", "messages": [] });
    for (path, message) in [(CHAT, &["error", "message"]), (MESSAGES, &["error", "message"])] {
        let answer = gateway.post(path, &unknown).await;
        assert_eq!((answer.status, &answer.body[message[0]][message[1]]), (404, &json!("model not found")));
        let kind = if path == CHAT { "invalid_request_error" } else { "not_found_error" };
        assert_eq!(answer.body["error"]["type"], kind);
    }
    // Without a project there is no gateway.
    assert_eq!(gateway.guarded.post_at(CHAT, &call(CHAT, "hello")).await.status, 404);
    let mismatched = gateway.post(MESSAGES, &call(MESSAGES, "hello")).await;
    assert_eq!(mismatched.status, 400);
    let expected = "model: connectors of type openai do not take calls of this path";
    assert_eq!(mismatched.body["error"]["message"], expected);
}

#[tokio::test]
async fn invalid_calls_name_the_field() {
    let model = provider("hi", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    for (body, expected) in [
        (json!({ "messages": [] }), "field required: model"),
        (json!({ "model": "m-1", "stream": 1 }), "stream: must be true or false"),
        (json!({ "model": "m-1", "background": true }), "background: must be false"),
    ] {
        let answer = gateway.post(CHAT, &body).await;
        assert_eq!((answer.status, &answer.body["error"]["message"]), (400, &json!(expected)));
    }
}

#[tokio::test]
async fn a_failing_model_is_replaced_by_its_fallback() {
    let failing = FakeServer::start(|_| (500, json!({ "error": { "message": "down" } }))).await;
    let model = provider("hi", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    let (first, second) =
        (gateway.connector("openai", &failing.url).await, gateway.connector("openai", &model.url).await);
    let route = json!({ "model": "m-*", "connector_id": first, "fallback_connector_id": second });
    gateway.set(&json!({ "routes": [route] })).await;
    let answer = gateway.post(CHAT, &call(CHAT, "hello")).await;
    assert_eq!(answer.body["choices"][0]["message"]["content"], "hi", "{}", answer.body);
    assert_eq!((calls(&failing).len(), calls(&model).len()), (1, 1));
}

#[tokio::test]
async fn errors_of_the_provider_keep_their_form_but_not_its_credentials() {
    let refusing = FakeServer::start(|request| match request.json["messages"][0]["content"].as_str() {
        Some("key") => (401, json!({ "error": { "message": "Incorrect API key provided: k-1" } })),
        _ => (400, json!({ "error": { "message": "context too long", "code": "context_length_exceeded" } })),
    })
    .await;
    let gateway = Gateway::start(&refusing.url).await;
    let answer = gateway.post(CHAT, &call(CHAT, "hello")).await;
    assert_eq!((answer.status, &answer.body["error"]["code"]), (400, &json!("context_length_exceeded")));
    let answer = gateway.post(CHAT, &call(CHAT, "key")).await;
    assert_eq!((answer.status, &answer.body["error"]["type"]), (502, &json!("server_error")));
    assert!(!answer.body.to_string().contains("k-1"), "{}", answer.body);
    let entries = gateway.guarded.logs("").await;
    assert!(entries.iter().all(|entry| entry["credits"] == 1), "only the request was evaluated");
    assert_eq!(entries.len(), 2);
    assert!(entries.iter().all(|entry| tokens(entry) == (Value::Null, Value::Null)));
    assert!(entries.iter().all(|entry| entry["upstream_time_ms"].is_u64()), "the model was called");
}

#[tokio::test]
async fn an_answer_that_cannot_be_read_is_not_passed_on() {
    let odd = FakeServer::start(|_| (200, json!({ "text": "the plan of Aurora" }))).await;
    let gateway = Gateway::start(&odd.url).await;
    let answer = gateway.post(CHAT, &call(CHAT, "hello")).await;
    assert_eq!(answer.status, 502);
    assert!(!answer.body.to_string().contains("Aurora"));
}

#[tokio::test]
async fn a_client_that_hangs_up_is_logged_once() {
    let slow = FakeServer::start_slow(Duration::from_millis(300), |_| {
        (200, answer(CHAT, "the plan of Aurora", &json!({})))
    })
    .await;
    let gateway = Gateway::start(&slow.url).await;
    let guarded = &gateway.guarded;
    let path = format!("/p/{}{CHAT}", guarded.project);
    let request = guarded.service.post(&path).bearer_auth(&guarded.key).json(&call(CHAT, "hello"));
    let ended = tokio::time::timeout(Duration::from_millis(150), request.send()).await;
    assert!(ended.is_err(), "the client gives up first");
    let entry = until("the call is logged", async || guarded.logs("").await.pop()).await;
    assert_eq!((&entry["decision"], &entry["credits"]), (&json!("block"), &json!(2)));
    // The pause of the model, less what clocks differ by.
    assert!(entry["upstream_time_ms"].as_u64().unwrap() >= 250, "{entry}");
    guarded.service.write_activity().await;
    assert_eq!(guarded.logs("").await.len(), 1);
    assert_eq!(guarded.service.charges(&guarded.token).await, 1);
}

#[tokio::test]
async fn both_permissions_are_needed() {
    let model = provider("hi", json!({})).await;
    let gateway = Gateway::start(&model.url).await;
    let Guarded { service, token, project, .. } = &gateway.guarded;
    for permission in ["ANALYZE", "VALIDATE"] {
        let scope = format!("&projectId={project}&permissions=FIREWALL:{permission}");
        let key = key(service, token, &scope).await;
        let answer = send(service.post(CHAT).bearer_auth(&key).json(&call(CHAT, "hello"))).await;
        assert_eq!(answer.status, 403, "{}", answer.body);
    }
    assert!(calls(&model).is_empty());
}

#[tokio::test]
async fn the_models_of_exact_routes_are_listed() {
    let model = provider("hi", json!({})).await;
    let routes = json!({ "routes": [{ "model": "m-1" }, { "model": "m-*" }, { "model": "n" }] });
    let gateway = Gateway::with(&model.url, &routes).await;
    let Guarded { service, key, project, .. } = &gateway.guarded;
    let path = format!("/p/{project}/v1/models");
    let list = send(service.request(reqwest::Method::GET, &path).bearer_auth(key)).await;
    let ids: Vec<_> = list.body["data"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!(ids, ["m-1", "n"]);
    assert!(gateway.guarded.logs("").await.is_empty());
}

#[tokio::test]
async fn connectors_of_a_gateway_are_checked_when_it_is_set() {
    let guarded = Guarded::of(TestService::with_fake_servers(&[]).await).await;
    let path = format!("/api/project/{}", guarded.project);
    let jira = json!({ "routes": [{ "model": "m", "connector_id": Uuid::max() }] });
    let refused = guarded.service.put_json(&guarded.token, &path, &json!({ "gateway": jira })).await;
    let types = "openai, openai_compatible, azure_openai, anthropic";
    refused.refuses(
        422,
        &format!("gateway.routes.0.connector_id: must be a connector of one of the types {types}"),
    );
    let removed = guarded.service.put_json(&guarded.token, &path, &json!({ "gateway": null })).await;
    assert_eq!((removed.status, &removed.body["gateway"]), (200, &Value::Null));
}
