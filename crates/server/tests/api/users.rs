use futures::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{PASSWORD, Response, TestService, send};

const OWNERS_ONLY: &str = "only an owner can grant, change or remove an owner";
const LAST_OWNER: &str = "the last owner of an organization can neither leave nor lose the role";

fn new(username: &str, role: &str) -> Value {
    json!({ "username": username, "password": PASSWORD, "role": role })
}

async fn create(service: &TestService, token: &str, username: &str, role: &str) -> Response {
    service.post_json(token, "/api/users", &new(username, role)).await
}

/// Returns the path of a user of the first organization.
async fn path_of(service: &TestService, username: &str) -> String {
    format!("/api/users/{}", service.db.user_by_name(username).await.unwrap().unwrap().id)
}

#[tokio::test]
async fn a_new_user_signs_in_with_the_role() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let made = create(&service, &owner, " Ann ", "viewer").await;
    assert_snapshot!(made.snapshot(), @r#"
    HTTP 200
    {
      "role": "viewer",
      "user_id": "[id]",
      "username": "Ann"
    }
    "#);
    let signed_in = service.sign_in("ann", PASSWORD).await.text("access_token");
    assert_eq!(service.get(&signed_in, "/api/organization").await.text("role"), "viewer");
    let seen = service.get(&owner, &format!("/api/users/{}", made.text("user_id"))).await;
    assert_snapshot!(seen.snapshot(), @r#"
    HTTP 200
    {
      "created_at": "[time]",
      "last_active_at": "[time]",
      "role": "viewer",
      "user_id": "[id]",
      "username": "Ann"
    }
    "#);
}

#[tokio::test]
async fn errors_are_reported_in_the_documented_order() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let post = async |body: Value| service.post_json(&owner, "/api/users", &body).await;
    post(json!({})).await.refuses(422, "field required: username");
    post(json!({ "username": " " })).await.refuses(422, "username: must have 1 to 100 characters");
    post(json!({ "username": "a" })).await.refuses(422, "field required: password");
    post(json!({ "username": "a", "password": "short", "role": 7 }))
        .await
        .refuses(422, "password: must have at least 8 characters");
    post(json!({ "username": "a", "password": PASSWORD })).await.refuses(422, "field required: role");
    post(new("a", "emperor")).await.refuses(404, "role not found");
}

#[tokio::test]
async fn usernames_are_unique_across_organizations() {
    let service = TestService::start().await;
    let (owner, _) = (service.owner().await, service.stranger().await);
    assert_snapshot!(create(&service, &owner, "STRANGER", "viewer").await.snapshot(), @r#"
    HTTP 409
    {
      "detail": "a user with that name already exists"
    }
    "#);
}

#[tokio::test]
async fn users_are_listed_page_by_page() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    for username in ["one", "two", "three"] {
        create(&service, &owner, username, "viewer").await;
    }
    let (mut names, mut next) = (Vec::new(), String::new());
    loop {
        let page = service.get(&owner, &format!("/api/users?limit=3{next}")).await;
        names.extend(page.body["users"].as_array().unwrap().iter().map(|user| user["username"].clone()));
        match page.body["next_cursor"].as_str() {
            Some(cursor) => next = format!("&cursor={cursor}"),
            None => break,
        }
    }
    assert_eq!(names.len(), 4);
    assert!(names.contains(&json!("admin")) && names.contains(&json!("two")));
    let refused = service.get(&owner, "/api/users?cursor=later").await;
    refused.refuses(422, "cursor: must be the next_cursor of an earlier answer");
    let refused = service.get(&owner, "/api/users?limit=501").await;
    refused.refuses(422, "limit: must be a whole number from 1 to 500");
}

#[tokio::test]
async fn a_changed_role_applies_to_the_next_request() {
    let service = TestService::start().await;
    let (owner, ann) = (service.owner().await, service.member("ann", "viewer").await);
    let path = path_of(&service, "ann").await;
    let write = async || service.post_json(&ann, "/api/policy/create", &json!({})).await;
    write().await.refuses(403, "missing required permission: FIREWALL_POLICIES:CREATE_POLICY");
    let changed = service.put_json(&owner, &path, &json!({ "role": "developer" })).await;
    assert_eq!((changed.status, changed.text("role").as_str()), (200, "developer"));
    write().await.refuses(422, "field required: policyName");
}

#[tokio::test]
async fn admins_cannot_manage_owners() {
    let service = TestService::start().await;
    let (owner, admin) = (service.owner().await, service.member("adm", "admin").await);
    create(&service, &admin, "x", "owner").await.refuses(403, OWNERS_ONLY);
    let (first, own) = (path_of(&service, "admin").await, path_of(&service, "adm").await);
    for change in [json!({ "role": "viewer" }), json!({ "password": PASSWORD }), json!({})] {
        service.put_json(&admin, &first, &change).await.refuses(403, OWNERS_ONLY);
    }
    service.put_json(&admin, &own, &json!({ "role": "owner" })).await.refuses(403, OWNERS_ONLY);
    let lacks = "missing required permission: USERS:DELETE_USER";
    service.delete(&admin, &first).await.refuses(403, lacks);
    assert_eq!(service.put_json(&owner, &own, &json!({ "role": "owner" })).await.status, 200);
    assert_eq!(service.put_json(&admin, &first, &json!({ "role": "viewer" })).await.status, 200);
}

#[tokio::test]
async fn nobody_manages_users_with_more_permissions() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let keeper = json!({ "name": "keeper", "permissions": [
        "USERS:CREATE_USER", "USERS:UPDATE_USER", "USERS:DELETE_USER", "LOGS:VIEW_LOG",
    ] });
    service.post_json(&owner, "/api/roles", &keeper).await;
    let keeper = service.member("kim", "keeper").await;
    let lacks = "missing required permission: FIREWALL_POLICIES:VIEW_POLICY";
    create(&service, &keeper, "x", "viewer").await.refuses(403, lacks);
    assert_eq!(create(&service, &keeper, "y", "KEEPER").await.text("role"), "keeper");
    service.member("eye", "viewer").await;
    let eye = path_of(&service, "eye").await;
    service.put_json(&keeper, &eye, &json!({ "password": PASSWORD })).await.refuses(403, lacks);
    service.delete(&keeper, &eye).await.refuses(403, lacks);
    let own = path_of(&service, "kim").await;
    let higher = service.put_json(&keeper, &own, &json!({ "role": "admin" })).await;
    higher.refuses(403, "missing required permission: FIREWALL_POLICIES:CREATE_POLICY");
}

#[tokio::test]
async fn the_last_owner_stays() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let path = path_of(&service, "admin").await;
    service.delete(&owner, &path).await.refuses(409, LAST_OWNER);
    service.put_json(&owner, &path, &json!({ "role": "admin" })).await.refuses(409, LAST_OWNER);
    let second = service.member("second", "owner").await;
    assert_eq!(service.delete(&second, &path).await.body, json!({ "message": "user removed" }));
    service.get(&owner, "/api/organization").await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn when_two_owners_demote_each_other_at_once_one_stays() {
    let service = TestService::start().await;
    let (one, two) = (service.owner().await, service.member("second", "owner").await);
    let paths = [path_of(&service, "second").await, path_of(&service, "admin").await];
    let viewer = json!({ "role": "viewer" });
    join_all([service.put_json(&one, &paths[0], &viewer), service.put_json(&two, &paths[1], &viewer)]).await;
    let roles = [service.get(&one, "/api/organization").await, service.get(&two, "/api/organization").await];
    assert_eq!(roles.iter().filter(|answer| answer.text("role") == "owner").count(), 1);
}

#[tokio::test]
async fn a_removed_users_sessions_and_keys_end_and_the_name_is_free() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    create(&service, &owner, "dev", "developer").await;
    let tokens = service.sign_in("dev", PASSWORD).await;
    let dev = tokens.text("access_token");
    let key = send(service.post("/api-keys/create?name=k").bearer_auth(&dev)).await.text("api_key");
    let path = path_of(&service, "dev").await;
    assert_eq!(service.delete(&owner, &path).await.status, 200);
    service.get(&dev, "/api/organization").await.refuses(401, "invalid or expired token");
    let refresh = json!({ "refresh_token": tokens.text("refresh_token") });
    send(service.post("/refresh").json(&refresh)).await.refuses(401, "invalid or expired token");
    let with_key = service.request(reqwest::Method::GET, "/api/organization").header("X-API-Key", &key);
    send(with_key).await.refuses(401, "API key inactive");
    service.sign_in("dev", PASSWORD).await.refuses(401, "invalid username or password");
    service.get(&owner, &path).await.refuses(404, "user not found");
    service.delete(&owner, &path).await.refuses(404, "user not found");
    assert_eq!(create(&service, &owner, "dev", "viewer").await.status, 200);
    assert_eq!(service.sign_in("dev", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn a_password_set_by_an_admin_ends_the_users_sessions() {
    let service = TestService::start().await;
    let (owner, ann) = (service.owner().await, service.member("ann", "viewer").await);
    let path = path_of(&service, "ann").await;
    let weak = service.put_json(&owner, &path, &json!({ "password": "alllower1" })).await;
    weak.refuses(422, "password: must have at least one upper-case letter");
    assert_eq!(service.put_json(&owner, &path, &json!({ "password": "New-horse-10" })).await.status, 200);
    service.get(&ann, "/api/organization").await.refuses(401, "invalid or expired token");
    assert_eq!(service.sign_in("ann", "New-horse-10").await.status, 200);
    let own = path_of(&service, "admin").await;
    let refused = service.put_json(&owner, &own, &json!({ "password": "New-horse-10" })).await;
    refused.refuses(403, "change your own password at /api/users/me/password");
}

#[tokio::test]
async fn the_password_of_a_user_in_several_organizations_cannot_be_set() {
    let service = TestService::start().await;
    let (owner, _) = (service.owner().await, service.stranger().await);
    let user = service.db.user_by_name("stranger").await.unwrap().unwrap();
    let org = service.db.org_by_name("default").await.unwrap().unwrap();
    service.change(async |tx| tx.add_member(org.id, user.id, "viewer", service.clock.now()).await).await;
    let path = format!("/api/users/{}", user.id);
    let refused = service.put_json(&owner, &path, &json!({ "password": "New-horse-10" })).await;
    refused.refuses(409, "the user belongs to other organizations too and changes the password alone");
    assert_eq!(service.delete(&owner, &path).await.status, 200);
    assert_eq!(service.sign_in("stranger", PASSWORD).await.text("token_type"), "bearer");
}

#[tokio::test]
async fn users_of_other_organizations_are_not_found() {
    let service = TestService::start().await;
    let stranger = service.stranger().await;
    let path = path_of(&service, "admin").await;
    service.get(&stranger, &path).await.refuses(404, "user not found");
    service.put_json(&stranger, &path, &json!({ "role": "viewer" })).await.refuses(404, "user not found");
    service.delete(&stranger, &path).await.refuses(404, "user not found");
    assert_eq!(service.get(&stranger, "/api/users").await.body["users"].as_array().unwrap().len(), 1);
    service.get(&stranger, "/api/users/7").await.refuses(422, "invalid UUID format: user_id");
}
