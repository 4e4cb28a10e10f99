//! Invitations by link: `/api/invitations` and `/auth/invitation`.

use std::time::Duration;

use futures::future::join_all;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{PASSWORD, Response, TestService, send};

const INVITATIONS: &str = "/api/invitations";
const WRONG_PASSWORD: &str = "invalid username or password";

/// Invites to a role and returns the token of the link.
async fn invite(service: &TestService, token: &str, role: &str) -> String {
    let made = service.post_json(token, INVITATIONS, &json!({ "role": role })).await;
    assert_eq!(made.status, 201, "{}", made.body);
    made.text("link").split_once('#').unwrap().1.to_owned()
}

async fn look(service: &TestService, token: &str) -> Response {
    send(service.post("/auth/invitation").json(&json!({ "token": token }))).await
}

async fn accept(service: &TestService, token: &str, username: &str, password: &str) -> Response {
    let body = json!({ "token": token, "username": username, "password": password });
    send(service.post("/auth/invitation/accept").json(&body)).await
}

async fn statuses(service: &TestService, token: &str) -> Vec<String> {
    let listed = service.get(token, INVITATIONS).await.body;
    let listed = listed["invitations"].as_array().unwrap().iter();
    listed.map(|one| one["status"].as_str().unwrap().to_owned()).collect()
}

/// Actions on invitations in the audit trail, newest first.
async fn audited(service: &TestService, token: &str) -> Vec<Value> {
    let entries = service.get(token, "/api/audit").await.body["entries"].as_array().unwrap().clone();
    let is_about = |entry: &Value| entry["action"].as_str().unwrap().ends_with("_INVITATION");
    entries.into_iter().filter(is_about).collect()
}

async fn unlimited() -> TestService {
    TestService::with(&[("limits.login", "off"), ("limits.default", "off")]).await
}

#[tokio::test]
async fn an_invited_person_joins_with_the_role_and_is_signed_in() {
    let service = TestService::with(&[("base_url", "https://host.example/guard")]).await;
    let owner = service.owner().await;
    let new = json!({ "role": "analyst", "expires_in_hours": 2, "note": " for Ann " });
    let made = service.post_json(&owner, INVITATIONS, &new).await;
    let link = made.text("link");
    let token = link.strip_prefix("https://host.example/guard/invitation#gi_").unwrap();
    assert_eq!(token.len(), 43);
    assert!(token.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)), "{token}");
    assert_eq!(
        (made.status, made.text("note"), made.text("created_by")),
        (201, "for Ann".into(), "admin".into())
    );
    let token = format!("gi_{token}");
    assert_snapshot!(look(&service, &token).await.snapshot(), @r#"
    HTTP 200
    {
      "expires_at": "[time]",
      "invited_by": "admin",
      "organization": "default",
      "role": "analyst"
    }
    "#);
    let accepted = accept(&service, &token, "ann", PASSWORD).await;
    assert_snapshot!(accepted.snapshot(), @r#"
    HTTP 200
    {
      "access_token": "[access_token]",
      "expires_in": 900,
      "refresh_token": "[refresh_token]",
      "token_type": "bearer"
    }
    "#);
    let me = service.get(&accepted.text("access_token"), "/api/users/me").await;
    assert_eq!((me.text("username"), me.text("role")), ("ann".to_owned(), "analyst".to_owned()));
    assert_eq!(service.sign_in("ann", PASSWORD).await.status, 200);
    assert_snapshot!(service.get(&owner, INVITATIONS).await.snapshot(), @r#"
    HTTP 200
    {
      "invitations": [
        {
          "accepted_by": "ann",
          "created_at": "[time]",
          "created_by": "admin",
          "expires_at": "[time]",
          "invitation_id": "[id]",
          "note": "for Ann",
          "role": "analyst",
          "status": "accepted"
        }
      ],
      "next_cursor": null
    }
    "#);
    let trail = audited(&service, &owner).await;
    assert_eq!(trail.len(), 2);
    assert_eq!(
        (&trail[0]["action"], &trail[0]["principal"]),
        (&json!("USERS:ACCEPT_INVITATION"), &json!("user:ann"))
    );
    assert_eq!(trail[1]["action"], "USERS:CREATE_INVITATION");
    assert!(!json!(trail).to_string().contains("gi_"), "the token is in no entry");
}

#[tokio::test]
async fn a_token_that_cannot_be_accepted_is_not_found() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let mut tokens = Vec::new();
    for _ in 0..3 {
        tokens.push(invite(&service, &owner, "viewer").await);
        // The list is in order of time.
        service.clock.advance(Duration::from_secs(1));
    }
    let [spent, revoked, expired] = tokens.try_into().unwrap();
    assert_eq!(accept(&service, &spent, "ann", PASSWORD).await.status, 200);
    let listed = service.get(&owner, &format!("{INVITATIONS}?status=open")).await.body;
    assert_eq!(listed["invitations"].as_array().unwrap().len(), 2);
    let path = format!("{INVITATIONS}/{}", listed["invitations"][1]["invitation_id"].as_str().unwrap());
    assert_eq!(service.delete(&service.stranger().await, &path).await.status, 404);
    assert_eq!(service.delete(&owner, &path).await.status, 200);
    service.delete(&owner, &path).await.refuses(409, "the invitation is no longer open");
    assert_eq!(audited(&service, &owner).await[0]["action"], "USERS:REVOKE_INVITATION");
    service.clock.advance(Duration::from_hours(72));
    let owner = service.owner().await;
    for token in [&spent, &revoked, &expired, "gi_unknown", ""] {
        look(&service, token).await.refuses(404, "invitation not found");
        accept(&service, token, "bob", PASSWORD).await.refuses(404, "invitation not found");
    }
    assert_eq!(statuses(&service, &owner).await, ["expired", "revoked", "accepted"]);
    service.clock.advance(Duration::from_hours(31 * 24));
    service.run_maintenance().await;
    assert_eq!(statuses(&service, &service.owner().await).await, Vec::<String>::new());
}

#[tokio::test]
async fn a_new_account_follows_the_rules_of_new_users_and_its_errors_keep_the_invitation() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let token = invite(&service, &owner, "viewer").await;
    let short = accept(&service, &token, "ann", "short").await;
    short.refuses(422, "password: must have at least 8 characters");
    accept(&service, &token, " ", PASSWORD).await.refuses(422, "username: must have 1 to 100 characters");
    send(service.post("/auth/invitation/accept").json(&json!({ "token": token })))
        .await
        .refuses(422, "field required: username");
    send(service.post("/auth/invitation").json(&json!({}))).await.refuses(422, "field required: token");
    assert_eq!(accept(&service, &token, "ann", PASSWORD).await.status, 200);
}

#[tokio::test]
async fn an_existing_account_joins_with_its_password_under_the_lockout() {
    let service = unlimited().await;
    let (owner, _) = (service.owner().await, service.stranger().await);
    let token = invite(&service, &owner, "viewer").await;
    accept(&service, &token, "stranger", "Wrong-horse-9").await.refuses(401, WRONG_PASSWORD);
    let joined = accept(&service, &token, "STRANGER", PASSWORD).await;
    let session = joined.text("access_token");
    assert_eq!(service.get(&session, "/api/organization").await.text("name"), "default");
    let choice = service.sign_in("stranger", PASSWORD).await;
    assert_eq!(choice.body["organizations"].as_array().unwrap().len(), 2);
    let again = invite(&service, &owner, "admin").await;
    let member = "you are a member of this organization already, sign in instead";
    accept(&service, &again, "stranger", PASSWORD).await.refuses(409, member);
    for _ in 0..5 {
        accept(&service, &again, "stranger", "Wrong-horse-9").await.refuses(401, WRONG_PASSWORD);
    }
    let locked = accept(&service, &again, "stranger", PASSWORD).await;
    assert!(locked.status == 429 && locked.text("detail").starts_with("too many failed attempts"));
    assert_eq!(service.sign_in("stranger", PASSWORD).await.status, 429);
    assert_eq!(look(&service, &again).await.status, 200);
}

#[tokio::test]
async fn the_request_can_say_whether_the_account_exists() {
    let service = unlimited().await;
    let (owner, _) = (service.owner().await, service.stranger().await);
    let token = invite(&service, &owner, "viewer").await;
    let accept = async |username: &str, account: &str| {
        let body = json!({ "token": token, "username": username, "password": PASSWORD, "account": account });
        send(service.post("/auth/invitation/accept").json(&body)).await
    };
    accept("stranger", "new").await.refuses(409, "a user with that name already exists");
    accept("stronger", "existing").await.refuses(401, WRONG_PASSWORD);
    accept("ann", "other").await.refuses(422, "account: must be one of new, existing");
    assert_eq!(accept("stranger", "existing").await.status, 200);
}

#[tokio::test]
async fn an_invitation_grants_no_more_than_its_creator_can_grant() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let admin = service.member("ann", "admin").await;
    let owners = "only an owner can grant, change or remove an owner";
    service.post_json(&admin, INVITATIONS, &json!({ "role": "owner" })).await.refuses(403, owners);
    service.post_json(&admin, INVITATIONS, &json!({ "role": "none" })).await.refuses(404, "role not found");
    let viewer = service.member("vic", "viewer").await;
    let missing = "missing required permission: USERS:CREATE_USER";
    service.post_json(&viewer, INVITATIONS, &json!({ "role": "viewer" })).await.refuses(403, missing);

    // The creator loses the right to invite.
    let token = invite(&service, &admin, "viewer").await;
    let ann = service.db.user_by_name("ann").await.unwrap().unwrap().id;
    let path = format!("/api/users/{ann}");
    service.put_json(&owner, &path, &json!({ "role": "viewer" })).await;
    look(&service, &token).await.refuses(404, "invitation not found");
    accept(&service, &token, "bob", PASSWORD).await.refuses(404, "invitation not found");
    service.put_json(&owner, &path, &json!({ "role": "admin" })).await;
    assert_eq!(look(&service, &token).await.status, 200);

    // The role grows beyond its creator, then it is deleted.
    let role = json!({ "name": "guest", "permissions": [] });
    let role = service.post_json(&owner, "/api/roles", &role).await.text("role_id");
    let guest = invite(&service, &admin, "guest").await;
    let role = format!("/api/roles/{role}");
    let wide = json!({ "permissions": ["ROLES:DELETE_ROLE"] });
    assert_eq!(service.put_json(&owner, &role, &wide).await.status, 200);
    look(&service, &guest).await.refuses(404, "invitation not found");
    assert_eq!(service.delete(&owner, &role).await.status, 200);
    look(&service, &guest).await.refuses(404, "invitation not found");

    // The creator leaves, and comes back.
    assert_eq!(service.delete(&owner, &path).await.status, 200);
    look(&service, &token).await.refuses(404, "invitation not found");
    let org = service.org_id().await;
    service.change(async |tx| tx.add_member(org, ann, "admin", service.clock.now()).await).await;
    accept(&service, &token, "bob", PASSWORD).await.refuses(404, "invitation not found");
}

#[tokio::test]
async fn one_of_several_parallel_acceptances_succeeds() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let token = invite(&service, &owner, "viewer").await;
    let names: Vec<String> = (0..6).map(|number| format!("user{number}")).collect();
    let answers = join_all(names.iter().map(|name| accept(&service, &token, name, PASSWORD))).await;
    let mut seen: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    seen.sort_unstable();
    assert_eq!(seen, [200, 404, 404, 404, 404, 404]);
    let users = service.get(&owner, "/api/users").await.body;
    assert_eq!(users["users"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn requests_are_checked_and_open_invitations_are_bounded() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let post = async |body: Value| service.post_json(&owner, INVITATIONS, &body).await;
    post(json!({})).await.refuses(422, "field required: role");
    let hours = "expires_in_hours: must be a whole number from 1 to 720";
    post(json!({ "role": "viewer", "expires_in_hours": 721 })).await.refuses(422, hours);
    let long = json!({ "role": "viewer", "note": "n".repeat(201) });
    post(long).await.refuses(422, "note: must have at most 200 characters");
    let unknown = service.get(&owner, &format!("{INVITATIONS}?status=lost")).await;
    unknown.refuses(422, "status: must be one of open, accepted, revoked, expired");
    for _ in 0..200 {
        assert_eq!(post(json!({ "role": "viewer" })).await.status, 201);
    }
    let full = "the organization has 200 open invitations, revoke one first";
    post(json!({ "role": "viewer" })).await.refuses(409, full);
}

#[tokio::test]
async fn looking_and_accepting_are_limited_by_address_like_signing_in() {
    let service = TestService::with(&[("limits.login", "2/60s")]).await;
    for _ in 0..2 {
        assert_eq!(look(&service, "x").await.status, 404);
        assert_eq!(accept(&service, "x", "ann", PASSWORD).await.status, 404);
    }
    assert_eq!(look(&service, "x").await.status, 429);
    assert_eq!(accept(&service, "x", "ann", PASSWORD).await.status, 429);
}

#[tokio::test]
async fn without_an_address_of_the_service_the_link_is_a_path() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let made = service.post_json(&owner, INVITATIONS, &json!({ "role": "viewer" })).await;
    assert!(made.text("link").starts_with("/invitation#gi_"), "{}", made.body);
}
