//! The connectors that a gateway names: they stay while they are named, and calls say when they are disabled.

use guardengine_test_support::fake_server::FakeServer;
use serde_json::{Value, json};

use super::{
    Guarded,
    formats::{CHAT, answer, call},
    gateway::Gateway,
};

async fn provider() -> FakeServer {
    FakeServer::start(|_| (200, answer(CHAT, "hi", &json!({})))).await
}

/// Passes calls on to `first`, and to `spare` when it fails.
async fn route(gateway: &Gateway, first: &str, spare: &str) {
    let route = json!({ "model": "m-*", "connector_id": first, "fallback_connector_id": spare });
    gateway.set(&json!({ "routes": [route] })).await;
}

#[tokio::test]
async fn a_connector_that_a_gateway_names_cannot_be_deleted() {
    let model = provider().await;
    let gateway = Gateway::start(&model.url).await;
    let (first, spare) =
        (gateway.connector("openai", &model.url).await, gateway.connector("openai", &model.url).await);
    route(&gateway, &first, &spare).await;
    let Guarded { service, token, project, .. } = &gateway.guarded;
    let path = format!("/api/project/{project}");
    let name = service.get(token, &path).await.text("projectName");
    for id in [&first, &spare] {
        let refused = service.delete(token, &format!("/api/connectors/{id}")).await;
        refused.refuses(409, &format!("connector in use by projects: {name}"));
    }
    let answered = gateway.guarded.post(CHAT, &call(CHAT, "hello")).await;
    assert_eq!(answered.status, 200, "{}", answered.body);
    let without = service.put_json(token, &path, &json!({ "gateway": null })).await;
    assert_eq!((without.status, &without.body["gateway"]), (200, &Value::Null));
    for id in [&first, &spare] {
        let deleted = service.delete(token, &format!("/api/connectors/{id}")).await;
        assert_eq!(deleted.text("message"), "connector deleted");
    }
}

#[tokio::test]
async fn every_project_whose_gateway_names_a_connector_is_listed() {
    let model = provider().await;
    let gateway = Gateway::start(&model.url).await;
    let Guarded { service, token, project, .. } = &gateway.guarded;
    let id = gateway.connector("openai", &model.url).await;
    gateway.set(&json!({ "routes": [{ "model": "m", "connector_id": id }] })).await;
    let first = service.get(token, &format!("/api/project/{project}")).await.body;
    let second = json!({ "projectName": "a second one", "policyId": first["policyId"],
        "gateway": { "routes": [{ "model": "*", "connector_id": id }] } });
    assert_eq!(service.post_json(token, "/api/project/create", &second).await.status, 200);
    let refused = service.delete(token, &format!("/api/connectors/{id}")).await;
    let named = format!("a second one, {}", first["projectName"].as_str().unwrap());
    refused.refuses(409, &format!("connector in use by projects: {named}"));
}

#[tokio::test]
async fn a_disabled_connector_is_named_unless_its_fallback_serves() {
    let model = provider().await;
    let gateway = Gateway::start(&model.url).await;
    let Guarded { service, token, .. } = &gateway.guarded;
    let made =
        async |name: &str| service.connector(token, "openai", &model.url, &json!({ "name": name })).await;
    let (first, spare) = (made("first").await, made("spare").await);
    route(&gateway, &first, &spare).await;
    let disable = async |id: &str| {
        let set = json!({ "enabled": false });
        assert_eq!(service.put_json(token, &format!("/api/connectors/{id}"), &set).await.status, 200);
    };
    disable(&first).await;
    assert_eq!(gateway.guarded.post(CHAT, &call(CHAT, "hello")).await.status, 200);
    disable(&spare).await;
    let refused = gateway.guarded.post(CHAT, &call(CHAT, "hello")).await;
    let message = &refused.body["error"]["message"];
    assert_eq!((refused.status, message), (403, &json!("connector not active")));
    assert_eq!(gateway.guarded.logs("").await.len(), 1, "nothing was evaluated");
}
