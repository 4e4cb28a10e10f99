//! Scopes of API keys, seen from outside.

use reqwest::Method;
use serde_json::{Value, json};

use crate::support::{Response, TestService, send};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

async fn create(service: &TestService, token: &str, query: &str) -> Response {
    send(service.post(&format!("/api-keys/create?name=k{query}")).bearer_auth(token)).await
}

async fn key(service: &TestService, token: &str, query: &str) -> String {
    create(service, token, query).await.text("api_key")
}

async fn call(service: &TestService, key: &str, method: Method, path: &str, body: &Value) -> Response {
    send(service.request(method, path).header("X-API-Key", key).json(body)).await
}

async fn read(service: &TestService, key: &str, path: &str) -> Response {
    call(service, key, Method::GET, path, &json!({})).await
}

async fn analyze(service: &TestService, key: &str, body: &Value) -> Response {
    call(service, key, Method::POST, ANALYZE, body).await
}

#[tokio::test]
async fn a_scope_is_shown_at_creation_and_in_lists() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let names = "FIREWALL:VALIDATE,%20FIREWALL:ANALYZE,FIREWALL:ANALYZE";
    let made = create(&service, &token, &format!("&projectId={project}&permissions={names}")).await;
    let shown = json!(["FIREWALL:ANALYZE", "FIREWALL:VALIDATE"]);
    let listed = service.get(&token, "/api-keys/list").await.body["api_keys"][0].clone();
    for record in [&made.body, &listed] {
        assert_eq!((&record["projectId"], &record["permissions"]), (&json!(project), &shown));
    }
    let without = create(&service, &token, "").await;
    assert!(without.body["projectId"].is_null() && without.body["permissions"].is_null());
}

#[tokio::test]
async fn a_key_does_what_its_scope_names_and_its_creator_may() {
    let service = TestService::start().await;
    let key = key(&service, &service.owner().await, "&permissions=FIREWALL:ANALYZE").await;
    assert_eq!(analyze(&service, &key, &json!({ "prompt": "hello" })).await.status, 200);
    for (path, permission) in
        [("/api/policy/list", "FIREWALL_POLICIES:VIEW_POLICY"), ("/api/logs", "LOGS:VIEW_LOG")]
    {
        let refused = format!("missing required permission: {permission}");
        read(&service, &key, path).await.refuses(403, &refused);
    }
}

#[tokio::test]
async fn nobody_creates_a_key_with_more_than_they_hold() {
    let service = TestService::start().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let refused = "missing required permission: FIREWALL:UNMASK";
    create(&service, &developer, "&permissions=FIREWALL:ANALYZE,FIREWALL:UNMASK").await.refuses(403, refused);
    let project = service.project(&owner, "shop").await;
    let refused = "not a member of this project";
    create(&service, &developer, &format!("&projectId={project}")).await.refuses(403, refused);
    let elsewhere = service.project(&service.stranger().await, "other").await;
    create(&service, &owner, &format!("&projectId={elsewhere}")).await.refuses(404, "project not found");
    create(&service, &owner, "&projectId=7").await.refuses(422, "invalid UUID format: projectId");
    for names in ["", "FIREWALL:BURN", "FIREWALL:ANALYZE,"] {
        let refused = create(&service, &owner, &format!("&permissions={names}")).await;
        assert!(refused.status == 422 && refused.text("detail").starts_with("permissions: "), "{names}");
    }
}

#[tokio::test]
async fn a_key_changes_users_and_roles_only_if_its_scope_names_it() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let plain = key(&service, &token, "").await;
    let user = |name: &str| json!({ "username": name, "password": "Right-horse-9", "role": "viewer" });
    let role = json!({ "name": "intern", "permissions": ["LOGS:VIEW_LOG"] });
    for (path, body, permission) in
        [("/api/users", user("ann"), "USERS:CREATE_USER"), ("/api/roles", role, "ROLES:CREATE_ROLE")]
    {
        let refused = format!("missing required permission: {permission}");
        call(&service, &plain, Method::POST, path, &body).await.refuses(403, &refused);
        assert_eq!(read(&service, &plain, path).await.status, 200, "{path}");
    }
    let viewer = "FIREWALL_POLICIES:VIEW_POLICY,PROJECTS:VIEW_PROJECT,CONNECTORS:VIEW_CONNECTOR,LOGS:VIEW_LOG,\
                  DASHBOARD:VIEW_DASHBOARD,CREDITS:VIEW_CREDIT";
    let named = key(&service, &token, &format!("&permissions=USERS:CREATE_USER,{viewer}")).await;
    assert_eq!(call(&service, &named, Method::POST, "/api/users", &user("ann")).await.status, 200);
    // It grants no more than its scope holds, whatever its creator may.
    let admin = json!({ "username": "bob", "password": "Right-horse-9", "role": "admin" });
    assert_eq!(call(&service, &named, Method::POST, "/api/users", &admin).await.status, 403);
}

#[tokio::test]
async fn a_key_of_a_project_sees_and_uses_that_project_alone() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let (shop, bank) = (service.project(&token, "shop").await, service.project(&token, "bank").await);
    let key = key(&service, &token, &format!("&projectId={shop}")).await;
    let refused = "not a member of this project";
    for project in [None, Some(&bank)] {
        service.post_json(&token, ANALYZE, &json!({ "prompt": "hello", "projectId": project })).await;
    }
    analyze(&service, &key, &json!({ "prompt": "hello", "projectId": bank })).await.refuses(403, refused);
    read(&service, &key, &format!("/api/project/{bank}")).await.refuses(403, refused);
    read(&service, &key, &format!("/api/logs?project={bank}")).await.refuses(403, refused);
    assert!(read(&service, &key, "/api/logs").await.body["logs"].as_array().unwrap().is_empty());
    // A call without a project is one for the key's project.
    let prompts = [json!({ "prompt": "hello" }), json!({ "prompt": "hello", "projectId": shop })];
    for prompt in &prompts {
        assert_eq!(analyze(&service, &key, prompt).await.status, 200);
    }
    let logs = read(&service, &key, "/api/logs").await.body["logs"].clone();
    let projects: Vec<_> = logs.as_array().unwrap().iter().map(|log| log["projectId"].clone()).collect();
    assert_eq!(projects, [json!(shop), json!(shop)]);
    let listed = read(&service, &key, "/api/project/list").await.body;
    assert_eq!((&listed["total"], &listed["projects"][0]["projectId"]), (&json!(1), &json!(shop)));
    assert_eq!(read(&service, &key, "/api/dashboard").await.body["totals"]["requests"], 2);
}

#[tokio::test]
async fn a_key_of_a_project_cannot_leave_it() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let bound = format!("&projectId={project}");
    let plain = key(&service, &token, &bound).await;
    let body = json!({ "projectName": "own" });
    let refused = "missing required permission: PROJECTS:CREATE_PROJECT";
    call(&service, &plain, Method::POST, "/api/project/create", &body).await.refuses(403, refused);
    for permission in ["PROJECTS:CREATE_PROJECT", "USERS:UPDATE_USER"] {
        let refused = format!("permissions: must not contain {permission} with projectId");
        create(&service, &token, &format!("{bound}&permissions={permission}")).await.refuses(422, &refused);
    }
}

#[tokio::test]
async fn a_project_with_keys_stays_until_they_are_revoked() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let made = create(&service, &token, &format!("&projectId={project}")).await;
    let path = format!("/api/project/{project}");
    service.delete(&token, &path).await.refuses(409, "API keys are bound to the project: k");
    service.delete(&token, &format!("/api-keys/{}", made.text("key_id"))).await;
    assert_eq!(service.delete(&token, &path).await.status, 200);
}
