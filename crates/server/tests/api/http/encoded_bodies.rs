use std::io::Write as _;

use flate2::{
    Compression,
    write::{GzEncoder, ZlibEncoder},
};
use reqwest::Method;
use serde_json::json;

use crate::support::{TestService, send};

fn gzip(body: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

fn deflate(body: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(body).unwrap();
    encoder.finish().unwrap()
}

#[tokio::test]
async fn encoded_bodies_are_decoded() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let body = json!({ "prompt": "What is the capital of France?" }).to_string();
    let zstd =
        ruzstd::encoding::compress_to_vec(body.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    for (coding, sent) in [
        ("gzip", gzip(body.as_bytes())),
        ("deflate", deflate(body.as_bytes())),
        ("zstd", zstd),
        ("identity", body.clone().into()),
    ] {
        for path in ["/v2/guardengine/svc_firewall_analyze", "/api/autonomous/analyze"] {
            let request = service.post(path).bearer_auth(&token).header("Content-Type", "application/json");
            let answer = send(request.header("Content-Encoding", coding).body(sent.clone())).await;
            assert_eq!(answer.status, 200, "{coding} {path}: {}", answer.body);
        }
    }
    let form = gzip(format!("username=admin&password={}", crate::support::PASSWORD).as_bytes());
    let request =
        service.request(Method::POST, "/token").header("Content-Type", "application/x-www-form-urlencoded");
    assert_eq!(send(request.header("Content-Encoding", "gzip").body(form)).await.status, 200);
}

#[tokio::test]
async fn the_key_is_found_in_an_encoded_body() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let key = send(service.post("/api-keys/create?name=k").bearer_auth(&token)).await.text("api_key");
    let body = json!({ "prompt": "What is the capital of France?", "API-key": key }).to_string();
    let request = service.post("/api/autonomous/analyze").header("Content-Type", "application/json");
    let answer = send(request.header("Content-Encoding", "gzip").body(gzip(body.as_bytes()))).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
}

#[tokio::test]
async fn limits_count_decoded_bytes_and_other_codings_are_refused() {
    let service = TestService::with(&[("max_body.json", "1MiB"), ("max_body.media", "1MiB")]).await;
    let token = service.owner().await;
    for path in ["/v2/guardengine/svc_firewall_analyze", "/api/autonomous/analyze", "/api/policy/create"] {
        let post = |coding: &str, body: Vec<u8>| {
            let request = service.post(path).bearer_auth(&token).header("Content-Type", "application/json");
            send(request.header("Content-Encoding", coding).body(body))
        };
        let too_large = "request body too large: at most 1048576 bytes are accepted";
        post("gzip", gzip(&vec![b' '; 200 << 20])).await.refuses(413, too_large);
        post("compress", b"x".to_vec()).await.refuses(415, "unsupported content encoding: compress");
        post("gzip, br", b"x".to_vec()).await.refuses(415, "unsupported content encoding: gzip, br");
        post("gzip", b"{}".to_vec()).await.refuses(422, "invalid gzip body");
    }
    let stranger = service.post("/api/policy/create").header("Content-Encoding", "compress").body("x");
    assert_eq!(send(stranger).await.status, 401);
}
