use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Response, TestService};

const TAKEN: &str = "a role with that name already exists";

async fn create(service: &TestService, token: &str, name: &str, permissions: &[&str]) -> Response {
    service.post_json(token, "/api/roles", &json!({ "name": name, "permissions": permissions })).await
}

#[tokio::test]
async fn a_role_grants_its_permissions_and_no_others() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let made = create(&service, &owner, "auditor", &["LOGS:VIEW_LOG", "FIREWALL_POLICIES:VIEW_POLICY"]).await;
    assert_snapshot!(made.snapshot(), @r#"
    HTTP 200
    {
      "built_in": false,
      "created_at": "[time]",
      "name": "auditor",
      "permissions": [
        "FIREWALL_POLICIES:VIEW_POLICY",
        "LOGS:VIEW_LOG"
      ],
      "role_id": "[id]",
      "updated_at": "[time]"
    }
    "#);
    let auditor = service.member("ann", "auditor").await;
    assert_eq!(service.get(&auditor, "/api/policy/list").await.status, 200);
    let lacks = "missing required permission: PROJECTS:VIEW_PROJECT";
    service.get(&auditor, "/api/project/list").await.refuses(403, lacks);
    let path = format!("/api/roles/{}", made.text("role_id"));
    let changed = service.put_json(&owner, &path, &json!({ "permissions": ["PROJECTS:VIEW_PROJECT"] })).await;
    assert_eq!((changed.status, changed.text("name").as_str()), (200, "auditor"));
    assert_eq!(service.get(&auditor, "/api/project/list").await.status, 200);
    let lacks = "missing required permission: FIREWALL_POLICIES:VIEW_POLICY";
    service.get(&auditor, "/api/policy/list").await.refuses(403, lacks);
    let renamed = service.put_json(&owner, &path, &json!({ "name": " Reader " })).await;
    assert_eq!(renamed.body["permissions"], json!(["PROJECTS:VIEW_PROJECT"]));
    assert_eq!(service.get(&auditor, "/api/organization").await.text("role"), "Reader");
    assert_eq!(service.get(&auditor, "/api/project/list").await.status, 200);
}

#[tokio::test]
async fn keys_act_with_the_role_of_their_creator() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "bot", &["API_KEYS:CREATE_API_KEY", "FIREWALL:MASK"]).await;
    let bot = service.member("bot", "bot").await;
    let made = crate::support::send(service.post("/api-keys/create?name=k").bearer_auth(&bot)).await;
    let call = |path: &str| {
        service.post(path).header("X-API-Key", made.text("api_key")).json(&json!({ "text": "hello" }))
    };
    assert_eq!(crate::support::send(call("/v2/pii/mask")).await.status, 200);
    let refused = crate::support::send(call("/v2/pii/unmask")).await;
    refused.refuses(403, "missing required permission: FIREWALL:UNMASK");
}

#[tokio::test]
async fn errors_are_reported_in_the_documented_order() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let post = async |body: Value| service.post_json(&owner, "/api/roles", &body).await;
    post(json!({})).await.refuses(422, "field required: name");
    post(json!({ "name": "x" })).await.refuses(422, "field required: permissions");
    let unknown = json!({ "name": "x", "permissions": ["LOGS:VIEW_LOG", "LOGS:BURN_LOG"] });
    let named =
        "permissions.1: must be a permission that GET /api/permissions names, \"LOGS:BURN_LOG\" is none";
    post(unknown).await.refuses(422, named);
    let refused = post(json!({ "name": "x", "permissions": [7] })).await;
    assert!(refused.status == 422 && refused.text("detail").starts_with("permissions.0: "));
    let refused = post(json!({ "name": "x", "permissions": "LOGS:VIEW_LOG" })).await;
    assert!(refused.status == 422 && refused.text("detail").starts_with("permissions: must be an array"));
}

#[tokio::test]
async fn nobody_adds_permissions_to_a_role_that_they_lack() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "maker", &["ROLES:CREATE_ROLE", "ROLES:UPDATE_ROLE", "LOGS:VIEW_LOG"]).await;
    let other = create(&service, &owner, "other", &["LOGS:EXPORT_LOG"]).await.text("role_id");
    let maker = service.member("mia", "maker").await;
    let lacks = "missing required permission: LOGS:EXPORT_LOG";
    create(&service, &maker, "x", &["LOGS:VIEW_LOG", "LOGS:EXPORT_LOG"]).await.refuses(403, lacks);
    let mine = create(&service, &maker, "x", &["LOGS:VIEW_LOG"]).await.text("role_id");
    let both = json!({ "permissions": ["LOGS:VIEW_LOG", "LOGS:EXPORT_LOG"] });
    service.put_json(&maker, &format!("/api/roles/{mine}"), &both).await.refuses(403, lacks);
    // A role that has more than the caller is changed and deleted by others.
    for change in [&both, &json!({ "permissions": [] }), &json!({ "name": "y" })] {
        service.put_json(&maker, &format!("/api/roles/{other}"), change).await.refuses(403, lacks);
    }
    create(&service, &owner, "cleaner", &["ROLES:DELETE_ROLE"]).await;
    let cleaner = service.member("cleo", "cleaner").await;
    service.delete(&cleaner, &format!("/api/roles/{other}")).await.refuses(403, lacks);
    assert_eq!(service.delete(&owner, &format!("/api/roles/{other}")).await.status, 200);
}

#[tokio::test]
async fn role_names_are_unique_and_differ_from_built_in_ones() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "Auditor", &[]).await;
    let other = create(&service, &owner, "other", &[]).await.text("role_id");
    for name in [" auditor ", "OWNER", "Viewer"] {
        create(&service, &owner, name, &[]).await.refuses(409, TAKEN);
        let renamed =
            service.put_json(&owner, &format!("/api/roles/{other}"), &json!({ "name": name })).await;
        renamed.refuses(409, TAKEN);
    }
    assert_eq!(create(&service, &service.stranger().await, "auditor", &[]).await.status, 200);
}

#[tokio::test]
async fn a_role_in_use_cannot_be_deleted() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let path = format!("/api/roles/{}", create(&service, &owner, "auditor", &[]).await.text("role_id"));
    for username in ["bob", "ann"] {
        service.member(username, "auditor").await;
    }
    assert_snapshot!(service.delete(&owner, &path).await.snapshot(), @r#"
    HTTP 409
    {
      "detail": "role is in use by 2 members: ann, bob"
    }
    "#);
    for username in ["bob", "ann"] {
        let id = service.db.user_by_name(username).await.unwrap().unwrap().id;
        service.put_json(&owner, &format!("/api/users/{id}"), &json!({ "role": "viewer" })).await;
    }
    assert_eq!(service.delete(&owner, &path).await.body, json!({ "message": "role deleted" }));
    service.delete(&owner, &path).await.refuses(404, "role not found");
    service.get(&owner, &path).await.refuses(404, "role not found");
}

#[tokio::test]
async fn built_in_roles_are_listed_last_and_cannot_be_changed() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "auditor", &["LOGS:VIEW_LOG"]).await;
    let (mut roles, mut next) = (Vec::new(), String::new());
    loop {
        let page = service.get(&owner, &format!("/api/roles?limit=1{next}")).await;
        roles.extend(page.body["roles"].as_array().unwrap().clone());
        match page.body["next_cursor"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(service.get(&owner, "/api/roles").await.body["roles"], json!(roles));
    let names: Vec<_> =
        roles.iter().map(|role| (role["name"].as_str().unwrap(), role["built_in"] == true)).collect();
    let built_in = ["owner", "admin", "developer", "analyst", "viewer"].map(|name| (name, true));
    assert_eq!(names, [&[("auditor", false)][..], &built_in].concat());
    let viewer = format!("/api/roles/{}", roles[5]["role_id"].as_str().unwrap());
    assert_eq!(service.get(&owner, &viewer).await.body, roles[5]);
    let refusal = "built-in roles cannot be changed or deleted";
    service.put_json(&owner, &viewer, &json!({ "permissions": [] })).await.refuses(409, refusal);
    service.delete(&owner, &viewer).await.refuses(409, refusal);
}

#[tokio::test]
async fn roles_of_other_organizations_are_not_found() {
    let service = TestService::start().await;
    let made = create(&service, &service.owner().await, "auditor", &[]).await;
    let (stranger, path) = (service.stranger().await, format!("/api/roles/{}", made.text("role_id")));
    service.get(&stranger, &path).await.refuses(404, "role not found");
    service.put_json(&stranger, &path, &json!({})).await.refuses(404, "role not found");
    service.delete(&stranger, &path).await.refuses(404, "role not found");
    let user = json!({ "username": "x", "password": crate::support::PASSWORD, "role": "auditor" });
    service.post_json(&stranger, "/api/users", &user).await.refuses(404, "role not found");
}
