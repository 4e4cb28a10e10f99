//! Invalid bodies, which get the documented error and never a 500.

use serde_json::json;

use crate::support::{TestService, send};

const PATHS: [&str; 15] = [
    "/login",
    "/refresh",
    "/auth/select-org",
    "/auth/invitation",
    "/auth/invitation/accept",
    "/api/policy/create",
    "/api/policy/generate",
    "/api/project/create",
    "/api/connectors/webhook",
    "/api/events/subscriptions",
    "/v2/guardengine/svc_firewall_analyze",
    "/v2/guardengine/svc_firewall_validate",
    "/v2/pii/mask",
    "/api/autonomous/analyze",
    "/api/autonomous/challenge",
];

fn no_json() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("nothing", Vec::new()),
        ("half an object", b"{\"prompt\":".to_vec()),
        ("invalid UTF-8", b"{\"prompt\":\"\xff\xfe\"}".to_vec()),
        ("a raw NUL", b"{\"prompt\":\"a\0b\"}".to_vec()),
        ("a lone surrogate", br#"{"prompt":"\ud800"}"#.to_vec()),
        ("3,000 levels", b"[".repeat(3_000)),
        ("no number", b"{\"prompt\":NaN}".to_vec()),
        ("two values", b"{} {}".to_vec()),
    ]
}

#[tokio::test]
async fn invalid_json_is_422() {
    let service = TestService::with(&[
        ("limits.login", "off"),
        ("limits.refresh", "off"),
        ("limits.autonomous", "off"),
    ])
    .await;
    let token = service.owner().await;
    for path in PATHS {
        for (what, body) in no_json() {
            let request =
                service.post(path).bearer_auth(&token).header("Content-Type", "application/json").body(body);
            let answer = send(request).await;
            assert_eq!(answer.status, 422, "{path}: {what}: {}", answer.body);
            assert!(answer.text("detail").starts_with("invalid JSON: "), "{path}: {what}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn wrong_types_are_unprocessable() {
    let service = TestService::with(&[
        ("limits.login", "off"),
        ("limits.refresh", "off"),
        ("limits.autonomous", "off"),
    ])
    .await;
    let token = service.owner().await;
    let names = [
        "username",
        "refresh_token",
        "pre_auth_token",
        "policyName",
        "description",
        "projectName",
        "challenge_token",
        "prompt",
        "response",
        "text",
    ];
    for value in [json!(1), json!(true), json!([]), json!({}), json!(null)] {
        let body: serde_json::Map<_, _> =
            names.iter().map(|name| ((*name).to_owned(), value.clone())).collect();
        for path in PATHS {
            for body in [json!(body), value.clone()] {
                let answer = service.post_json(&token, path, &body).await;
                assert_eq!(answer.status, 422, "{path} {body}: {}", answer.body);
            }
        }
    }
}

#[tokio::test]
async fn a_body_over_the_limit_is_413() {
    let service = TestService::with(&[("max_body.media", "1MiB"), ("limits.login", "off")]).await;
    let token = service.owner().await;
    let body = json!({ "prompt": "x".repeat(3 << 20) }).to_string();
    for path in PATHS {
        let answer = send(service.post(path).bearer_auth(&token).body(body.clone())).await;
        assert_eq!(answer.status, 413, "{path}");
        assert!(answer.body["detail"].is_string());
    }
}

#[tokio::test]
async fn escaped_nuls_and_odd_texts_are_evaluated() {
    let service = TestService::start().await;
    let token = service.owner().await;
    for prompt in ["a\0b", "", "\u{feff}\u{202e}", "\u{10ffff}", &"a".repeat(9_000)] {
        let answer = service
            .post_json(&token, "/v2/guardengine/svc_firewall_analyze", &json!({ "prompt": prompt }))
            .await;
        assert!(answer.status == 200 || answer.status == 422, "{prompt:?}: {}", answer.body);
    }
    let named = service.post_json(&token, "/api/policy/create", &json!({ "policyName": "a\0b" })).await;
    assert!(named.status == 200 || named.status == 422, "{}", named.body);
}
