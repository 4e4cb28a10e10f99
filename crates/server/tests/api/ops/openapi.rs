//! Tests that call every operation of the OpenAPI document.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{TestService, openapi, send};

const OPEN: [&str; 12] = [
    "/",
    "/docs",
    "/openapi.json",
    "/healthz",
    "/readyz",
    "/metrics",
    "/token",
    "/login",
    "/refresh",
    "/auth/select-org",
    "/auth/invitation",
    "/auth/invitation/accept",
];

/// Paths where everybody who reads the log saves views for themselves.
const VIEWS: [&str; 2] = ["/api/views", "/api/views/{view_id}"];

/// Operations without a change that a viewer may call although their method is not GET.
const READING: [&str; 3] =
    ["/api/policy/default/test", "/api/policy/{policyId}/test", "/api/policy/{policyId}/replay"];

pub fn document() -> Value {
    serde_json::from_str(&openapi()).unwrap()
}

/// Returns every operation with its method and path.
pub fn operations(document: &Value) -> Vec<(Method, String, Value)> {
    let paths = document["paths"].as_object().unwrap();
    let of_path = |(path, item): (&String, &Value)| {
        let methods =
            item.as_object().unwrap().iter().filter(|(_, operation)| operation["responses"].is_object());
        let named = methods.map(|(method, operation)| {
            (method.to_uppercase().parse().unwrap(), path.clone(), operation.clone())
        });
        named.collect::<Vec<_>>()
    };
    paths.iter().flat_map(of_path).collect()
}

#[tokio::test]
async fn every_operation_refuses_strangers() {
    let service = TestService::start().await;
    let operations = operations(&document());
    assert!(operations.len() >= 20);
    for (method, path, operation) in operations {
        if OPEN.contains(&path.as_str()) {
            continue;
        }
        assert!(operation["security"].is_array(), "{method} {path} declares no credential");
        let concrete = path.replace(['{', '}'], "");
        for credential in [None, Some(("Authorization", "Bearer x")), Some(("X-API-Key", "x"))] {
            let request = service.request(method.clone(), &concrete).json(&json!({}));
            let answer =
                send(credential.iter().fold(request, |request, (name, value)| request.header(*name, *value)))
                    .await;
            assert_eq!(answer.status, 401, "{method} {path} with {credential:?}: {}", answer.body);
        }
    }
}

#[tokio::test]
async fn every_operation_without_a_permission_is_read_only_or_refused_to_a_viewer() {
    let service = TestService::start().await;
    let viewer = service.member("eye", "viewer").await;
    for (method, path, operation) in operations(&document()) {
        let is_change = method != Method::GET
            && operation["responses"]["403"].is_object()
            && !READING.contains(&path.as_str())
            && !VIEWS.contains(&path.as_str());
        if is_change {
            let concrete = path.replace(['{', '}'], "");
            let answer =
                send(service.request(method.clone(), &concrete).bearer_auth(&viewer).json(&json!({}))).await;
            assert_eq!(answer.status, 403, "{method} {path}: {}", answer.body);
            assert!(answer.text("detail").starts_with("missing required permission: "), "{method} {path}");
        }
    }
}

#[test]
fn the_committed_document_is_current() {
    let committed = concat!(env!("CARGO_MANIFEST_DIR"), "/../../openapi.json");
    let committed = std::fs::read_to_string(committed).expect("openapi.json; `make generate` writes it");
    assert!(committed == openapi(), "openapi.json is stale: `make generate` writes it");
}

/// The schema itself, or what it refers to.
fn resolved<'d>(document: &'d Value, schema: &'d Value) -> &'d Value {
    let name = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next());
    name.map_or(schema, |name| &document["components"]["schemas"][name])
}

#[test]
fn every_request_body_has_typed_fields() {
    let document = document();
    for (method, path, operation) in operations(&document) {
        for media_type in
            operation["requestBody"]["content"].as_object().into_iter().flat_map(|all| all.values())
        {
            let schema = resolved(&document, &media_type["schema"]);
            let is_typed = ["properties", "allOf", "oneOf"].iter().any(|key| !schema[key].is_null());
            assert!(is_typed, "{method} {path}: {schema}");
        }
    }
    assert!(document["components"]["schemas"]["Response"].is_null(), "generators have a class of that name");
}

#[test]
fn every_limited_operation_names_the_failures_of_the_service() {
    let document = document();
    for (method, path, operation) in operations(&document) {
        if operation["responses"]["429"].is_object() {
            for status in ["500", "503"] {
                assert!(operation["responses"][status].is_object(), "{method} {path} without {status}");
            }
        }
    }
}
