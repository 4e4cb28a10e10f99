use std::io::Read as _;

use flate2::read::GzDecoder;
use reqwest::Method;
use serde_json::{Value, json};

use crate::{logs::list::analyze, support::TestService};

async fn fetch(service: &TestService, token: &str, path: &str, accepted: &str) -> reqwest::Response {
    let request = service.request(Method::GET, path).bearer_auth(token);
    request.header("accept-encoding", accepted).send().await.unwrap()
}

fn header(response: &reqwest::Response, name: &str) -> Option<String> {
    response.headers().get(name).map(|value| value.to_str().unwrap().to_owned())
}

#[tokio::test]
async fn a_large_answer_is_compressed_for_clients_that_accept_it() {
    let service = TestService::with(&[("limits.analyze", "off")]).await;
    let token = service.owner().await;
    for _ in 0..30 {
        analyze(&service, &token, &json!({ "prompt": "Good morning" })).await;
    }
    let path = "/api/logs?limit=100";
    let plain = fetch(&service, &token, path, "identity").await;
    assert_eq!(
        (header(&plain, "content-encoding"), header(&plain, "vary")),
        (None, Some("accept-encoding".into()))
    );
    let plain = plain.bytes().await.unwrap();
    let compressed = fetch(&service, &token, path, "br;q=1, gzip").await;
    assert_eq!(header(&compressed, "content-encoding").as_deref(), Some("gzip"));
    assert_eq!(header(&compressed, "cache-control").as_deref(), Some("no-store"));
    let compressed = compressed.bytes().await.unwrap();
    assert!(compressed.len() * 5 < plain.len(), "{} of {}", compressed.len(), plain.len());
    let mut decoded = Vec::new();
    GzDecoder::new(&compressed[..]).read_to_end(&mut decoded).unwrap();
    let [decoded, plain]: [Value; 2] =
        [&decoded[..], &plain].map(|body| serde_json::from_slice(body).unwrap());
    assert_eq!(decoded, plain);
}

#[tokio::test]
async fn small_answers_streams_and_answers_with_new_secrets_are_not_compressed() {
    let service = TestService::start().await;
    let token = service.owner().await;
    for path in ["/api/organization", "/api/logs/export"] {
        let answer = fetch(&service, &token, path, "gzip").await;
        assert_eq!((answer.status().as_u16(), header(&answer, "content-encoding")), (200, None), "{path}");
    }
    let body = json!({ "policyName": "large", "blocked_keywords": (0..400).map(|n| format!("word {n}")).collect::<Vec<_>>() });
    let request = service.post("/api/policy/create").bearer_auth(&token).json(&body);
    let made = request.header("accept-encoding", "gzip").send().await.unwrap();
    assert_eq!((made.status().as_u16(), header(&made, "content-encoding")), (200, None));
}
