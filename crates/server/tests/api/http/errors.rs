//! Snapshots of a complete response for every error status.

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;

use crate::support::{TestService, send};

#[tokio::test]
async fn a_missing_credential_is_401() {
    let service = TestService::start().await;
    assert_snapshot!(service.get_public("/api/policy/list").await.snapshot(), @r#"
    HTTP 401
    www-authenticate: Bearer
    {
      "detail": "invalid or expired token"
    }
    "#);
}

#[tokio::test]
async fn a_missing_permission_is_403() {
    let service = TestService::start().await;
    let viewer = service.member("eye", "viewer").await;
    let body = json!({ "policyName": "a" });
    assert_snapshot!(service.post_json(&viewer, "/api/policy/create", &body).await.snapshot(), @r#"
    HTTP 403
    {
      "detail": "missing required permission: FIREWALL_POLICIES:CREATE_POLICY"
    }
    "#);
}

#[tokio::test]
async fn an_unknown_path_is_404_and_an_unknown_method_405() {
    let service = TestService::start().await;
    assert_snapshot!(service.get_public("/nothing").await.snapshot(), @r#"
    HTTP 404
    {
      "detail": "path not found"
    }
    "#);
    let delete = service.request(Method::DELETE, "/api/policy/list");
    assert_snapshot!(send(delete).await.snapshot(), @r#"
    HTTP 405
    allow: GET,HEAD
    {
      "detail": "method not allowed"
    }
    "#);
}

#[tokio::test]
async fn a_name_that_is_taken_is_409() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let body = json!({ "name": "auditor", "permissions": [] });
    service.post_json(&token, "/api/roles", &body).await;
    assert_snapshot!(service.post_json(&token, "/api/roles", &body).await.snapshot(), @r#"
    HTTP 409
    {
      "detail": "a role with that name already exists"
    }
    "#);
}

#[tokio::test]
async fn a_large_body_is_413() {
    let service = TestService::with(&[("max_body.json", "1KiB")]).await;
    let token = service.owner().await;
    let body = json!({ "policyName": "x".repeat(2_000) });
    assert_snapshot!(service.post_json(&token, "/api/policy/create", &body).await.snapshot(), @r#"
    HTTP 413
    {
      "detail": "request body too large: at most 1024 bytes are accepted"
    }
    "#);
}

#[tokio::test]
async fn an_invalid_field_is_422() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let body = json!({ "policyName": "a", "policyMode": "both" });
    assert_snapshot!(service.post_json(&token, "/api/policy/create", &body).await.snapshot(), @r#"
    HTTP 422
    {
      "detail": "policyMode: must be one of input, output, unified"
    }
    "#);
}

#[tokio::test]
async fn a_locked_account_is_429() {
    let service = TestService::start().await;
    for _ in 0..5 {
        service.sign_in("admin", "wrong").await;
    }
    assert_snapshot!(service.sign_in("admin", "wrong").await.snapshot(), @r#"
    HTTP 429
    retry-after: 600
    {
      "detail": "too many failed attempts, try again in 600 seconds"
    }
    "#);
}

#[tokio::test]
async fn a_model_that_does_not_answer_is_503() {
    let service = TestService::with(&[
        ("models.remote.url", "http://127.0.0.1:9/predict"),
        ("models.remote.labels", "INJECTION=prompt_injection"),
    ])
    .await;
    let body = json!({ "prompt": "hello" });
    let token = service.owner().await;
    let response = service.post_json(&token, "/v2/guardengine/svc_firewall_analyze", &body).await;
    assert_snapshot!(response.snapshot(), @r#"
    HTTP 503
    retry-after: 1
    {
      "detail": "the detection engine is unavailable"
    }
    "#);
}
