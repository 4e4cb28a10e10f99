use serde_json::{Value, json};

use crate::service::{Answer, Running};

const TAKEN: &str = "a role with that name already exists";

async fn create(service: &Running, token: &str, name: &str, permissions: &[&str]) -> Answer {
    service.post_json(token, "/api/roles", &json!({ "name": name, "permissions": permissions })).await
}

#[tokio::test]
async fn a_role_gives_its_members_what_it_holds_and_nothing_else() {
    let service = Running::start().await;
    let owner = service.owner().await;
    let made = create(&service, &owner, "auditor", &["LOGS:VIEW_LOG", "FIREWALL_POLICIES:VIEW_POLICY"]).await;
    assert_eq!(made.status, 200);
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
async fn keys_act_as_their_makers_own_role() {
    let service = Running::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "bot", &["API_KEYS:CREATE_API_KEY", "FIREWALL:MASK"]).await;
    let bot = service.member("bot", "bot").await;
    let made = crate::service::send(service.post("/api-keys/create?name=k").bearer_auth(&bot)).await;
    let call = |path: &str| {
        service.post(path).header("X-API-Key", made.text("api_key")).json(&json!({ "text": "hello" }))
    };
    assert_eq!(crate::service::send(call("/v2/pii/mask")).await.status, 200);
    let refused = crate::service::send(call("/v2/pii/unmask")).await;
    refused.refuses(403, "missing required permission: FIREWALL:UNMASK");
}

#[tokio::test]
async fn the_first_fault_is_told_in_the_documented_order() {
    let service = Running::start().await;
    let owner = service.owner().await;
    let told = async |body: Value| service.post_json(&owner, "/api/roles", &body).await;
    told(json!({})).await.refuses(422, "field required: name");
    told(json!({ "name": "x" })).await.refuses(422, "field required: permissions");
    let unknown = json!({ "name": "x", "permissions": ["LOGS:VIEW_LOG", "LOGS:BURN_LOG"] });
    let named =
        "permissions.1: must be a permission that GET /api/permissions names, \"LOGS:BURN_LOG\" is none";
    told(unknown).await.refuses(422, named);
    let refused = told(json!({ "name": "x", "permissions": [7] })).await;
    assert!(refused.status == 422 && refused.text("detail").starts_with("permissions.0: "));
    let refused = told(json!({ "name": "x", "permissions": "LOGS:VIEW_LOG" })).await;
    assert!(refused.status == 422 && refused.text("detail").starts_with("permissions: must be an array"));
}

#[tokio::test]
async fn nobody_puts_into_a_role_what_they_do_not_hold() {
    let service = Running::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "maker", &["ROLES:CREATE_ROLE", "ROLES:UPDATE_ROLE", "LOGS:VIEW_LOG"]).await;
    let other = create(&service, &owner, "other", &["LOGS:EXPORT_LOG"]).await.text("role_id");
    let maker = service.member("mia", "maker").await;
    let lacks = "missing required permission: LOGS:EXPORT_LOG";
    create(&service, &maker, "x", &["LOGS:VIEW_LOG", "LOGS:EXPORT_LOG"]).await.refuses(403, lacks);
    let mine = create(&service, &maker, "x", &["LOGS:VIEW_LOG"]).await.text("role_id");
    let both = json!({ "permissions": ["LOGS:VIEW_LOG", "LOGS:EXPORT_LOG"] });
    service.put_json(&maker, &format!("/api/roles/{mine}"), &both).await.refuses(403, lacks);
    // What the role holds already is not given anew.
    assert_eq!(service.put_json(&maker, &format!("/api/roles/{other}"), &both).await.status, 200);
}

#[tokio::test]
async fn names_of_roles_are_unique_and_no_built_in_roles() {
    let service = Running::start().await;
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
    let service = Running::start().await;
    let owner = service.owner().await;
    let path = format!("/api/roles/{}", create(&service, &owner, "auditor", &[]).await.text("role_id"));
    for username in ["bob", "ann"] {
        service.member(username, "auditor").await;
    }
    service.delete(&owner, &path).await.refuses(409, "role is in use by 2 members: ann, bob");
    for username in ["bob", "ann"] {
        let id = service.app.tenants.db.user_named(username).await.unwrap().unwrap().id;
        service.put_json(&owner, &format!("/api/users/{id}"), &json!({ "role": "viewer" })).await;
    }
    assert_eq!(service.delete(&owner, &path).await.body, json!({ "message": "role deleted" }));
    service.delete(&owner, &path).await.refuses(404, "role not found");
    service.get(&owner, &path).await.refuses(404, "role not found");
}

#[tokio::test]
async fn built_in_roles_are_listed_after_ones_own_and_cannot_be_changed() {
    let service = Running::start().await;
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
async fn roles_of_other_organisations_are_not_found() {
    let service = Running::start().await;
    let made = create(&service, &service.owner().await, "auditor", &[]).await;
    let (stranger, path) = (service.stranger().await, format!("/api/roles/{}", made.text("role_id")));
    service.get(&stranger, &path).await.refuses(404, "role not found");
    service.put_json(&stranger, &path, &json!({})).await.refuses(404, "role not found");
    service.delete(&stranger, &path).await.refuses(404, "role not found");
    let user = json!({ "username": "x", "password": crate::service::PASSWORD, "role": "auditor" });
    service.post_json(&stranger, "/api/users", &user).await.refuses(404, "role not found");
}
