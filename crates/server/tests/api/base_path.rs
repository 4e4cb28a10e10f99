//! The service below the path of `base_url`.

use guardengine_api_types::BaseUrl;
use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestService, send};

const BASE: [(&str, &str); 1] = [("base_url", "https://host.example/guard/")];

async fn browse(service: &TestService, path: &str) -> String {
    let page = service.request(Method::GET, path).header("accept", "text/html").send().await.unwrap();
    assert_eq!(page.status(), 200, "{path}");
    page.text().await.unwrap()
}

#[tokio::test]
async fn paths_work_with_and_without_the_base() {
    let service = TestService::with(&BASE).await;
    for prefix in ["/guard", ""] {
        let form = [("username", "admin"), ("password", PASSWORD)];
        let signed_in = send(service.request(Method::POST, &format!("{prefix}/token")).form(&form)).await;
        let token = signed_in.text("access_token");
        let listed = service.get(&token, &format!("{prefix}/api/policy/list?limit=1")).await;
        assert_eq!((listed.status, &listed.body["total"]), (200, &json!(0)));
        assert_eq!(service.get_public(&format!("{prefix}/healthz")).await.status, 200);
        send(service.request(Method::GET, &format!("{prefix}/api/nothing")))
            .await
            .refuses(404, "path not found");
    }
    send(service.request(Method::GET, "/guards/healthz")).await.refuses(404, "path not found");
}

#[tokio::test]
async fn pages_name_the_base_and_nothing_from_the_root() {
    let service = TestService::with(&BASE).await;
    for path in ["/guard", "/guard/", "/guard/logs", "/", "/policies/01890a5d"] {
        let page = browse(&service, path).await;
        assert!(page.contains(r#"<base href="/guard/""#), "{path}: {page}");
        assert!(!page.contains(r#" src="/"#), "{path}: {page}");
    }
    let docs = browse(&service, "/guard/docs").await;
    assert!(docs.contains(r#"fetch("openapi.json")"#) && !docs.contains("\"/openapi.json\""));
    let plain = TestService::start().await;
    assert!(browse(&plain, "/logs").await.contains(r#"<base href="/""#));
}

#[tokio::test]
async fn links_begin_with_the_base() {
    let service = TestService::with(&BASE).await;
    let owner = service.owner().await;
    let document = service.get_public("/guard/openapi.json").await.body;
    assert_eq!(document["servers"], json!([{ "url": "https://host.example/guard" }]));
    let key = service.request(Method::POST, "/guard/api-keys/create?name=k").bearer_auth(&owner);
    let example = send(key).await.body["usage_instructions"]["example"].as_str().unwrap().to_owned();
    assert!(example.contains("https://host.example/guard/v2/guardengine/svc_firewall_analyze"), "{example}");
    let policy = json!({ "policyName": "p", "blocked_keywords": ["aurora"] });
    let project = service.project_with(&owner, &policy).await;
    let prompt = json!({ "projectId": project, "prompt": "aurora" });
    let blocked = service.post_json(&owner, "/v2/guardengine/svc_firewall_analyze", &prompt).await;
    let events = service.get(&owner, "/api/events").await.body;
    let event = events["events"].as_array().unwrap().iter().find(|event| event["type"] == "decision.blocked");
    let link = format!("https://host.example/guard/logs?entry={}", blocked.text("log_id"));
    assert_eq!(event.unwrap()["url"], link);
    let plain = TestService::start().await;
    assert_eq!(plain.get_public("/openapi.json").await.body["servers"], Value::Null);
}

#[tokio::test]
async fn no_path_of_the_service_is_taken_as_a_base() {
    let service = TestService::start().await;
    let document = service.get_public("/openapi.json").await.body;
    let pages = include_str!("../../../../console/src/router.tsx");
    let pages: Vec<_> = pages.split('\'').filter(|text| text.starts_with('/') && text.len() > 1).collect();
    assert!(pages.contains(&"/logs") && pages.contains(&"/sign-in"), "{pages:?}");
    let paths = document["paths"].as_object().unwrap();
    for path in paths.keys().map(String::as_str).chain(pages) {
        let first = path.split('/').nth(1).unwrap();
        assert_eq!(BaseUrl::parse(&format!("https://host.example/{first}/x")), None, "{path}");
    }
}
