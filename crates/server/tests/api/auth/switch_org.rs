use guardengine_store::Created;
use insta::assert_snapshot;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{PASSWORD, Response, TestService};

/// Returns a service, a token of its first owner, and a second organization of which the owner is a viewer.
async fn with_two() -> (TestService, String, Uuid) {
    let service = TestService::start().await;
    let token = service.sign_in("admin", PASSWORD).await.text("access_token");
    let Created::Done(org) =
        service.change(async |tx| tx.create_org("second", 10, service.clock.now()).await).await
    else {
        panic!("the name is free")
    };
    let admin = service.db.user_by_name("admin").await.unwrap().unwrap();
    service.change(async |tx| tx.add_member(org.id, admin.id, "viewer", service.clock.now()).await).await;
    (service, token, org.id)
}

async fn switch(service: &TestService, token: &str, body: &Value) -> Response {
    service.post_json(token, "/auth/switch-org", body).await
}

#[tokio::test]
async fn switching_the_organization_opens_a_session_and_ends_the_old_one() {
    let (service, token, second) = with_two().await;
    let switched = switch(&service, &token, &json!({ "org_id": second })).await;
    assert_snapshot!(switched.snapshot(), @r#"
    HTTP 200
    {
      "access_token": "[access_token]",
      "expires_in": 900,
      "refresh_token": "[refresh_token]",
      "token_type": "bearer"
    }
    "#);
    let me = service.get(&switched.text("access_token"), "/api/users/me").await.body;
    assert_eq!((&me["org_id"], &me["role"]), (&json!(second), &json!("viewer")));
    service.get(&token, "/api/users/me").await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn users_cannot_switch_to_an_organization_of_others() {
    let (service, token, _) = with_two().await;
    switch(&service, &token, &json!({})).await.refuses(422, "field required: org_id");
    switch(&service, &token, &json!({ "org_id": "x" })).await.refuses(422, "invalid UUID format: org_id");
    let stranger = json!({ "org_id": Uuid::max() });
    switch(&service, &token, &stranger).await.refuses(404, "organization not found");
    assert_eq!(service.get(&token, "/api/users/me").await.status, 200);
}

#[tokio::test]
async fn an_api_key_cannot_switch_the_organization() {
    let (service, token, second) = with_two().await;
    let key = service.post_json(&token, "/api-keys/create?name=k", &json!({})).await.text("api_key");
    let request =
        service.post("/auth/switch-org").header("X-API-Key", key).json(&json!({ "org_id": second }));
    crate::support::send(request).await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn users_read_their_own_account_and_permissions() {
    let (service, token, second) = with_two().await;
    let viewer = service.member("eye", "viewer").await;
    assert_snapshot!(service.get(&viewer, "/api/users/me").await.snapshot(), @r#"
    HTTP 200
    {
      "idle_timeout": 1020,
      "org_id": "[id]",
      "organizations": [
        {
          "name": "default",
          "org_id": "[id]",
          "role": "viewer"
        }
      ],
      "permissions": [
        "FIREWALL_POLICIES:VIEW_POLICY",
        "PROJECTS:VIEW_PROJECT",
        "CONNECTORS:VIEW_CONNECTOR",
        "LOGS:VIEW_LOG",
        "DASHBOARD:VIEW_DASHBOARD",
        "CREDITS:VIEW_CREDIT"
      ],
      "role": "viewer",
      "user_id": "[id]",
      "username": "eye"
    }
    "#);
    let admin = service.get(&token, "/api/users/me").await.body;
    let orgs: Vec<_> = admin["organizations"].as_array().unwrap().iter().map(|org| &org["org_id"]).collect();
    assert!(orgs.contains(&&json!(second)) && orgs.len() == 2, "{admin}");
}
