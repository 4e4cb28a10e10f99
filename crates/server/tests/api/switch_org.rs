use guardengine_store::Created;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{Answer, PASSWORD, Running};

/// The first owner, signed in, and a second organisation that they are a viewer of.
async fn with_two() -> (Running, String, Uuid) {
    let service = Running::start().await;
    let token = service.sign_in("admin", PASSWORD).await.text("access_token");
    let Created::Done(org) =
        service.app.tenants.db.create_org("second", 10, service.clock.now()).await.unwrap()
    else {
        panic!("the name is free")
    };
    let admin = service.app.tenants.db.user_named("admin").await.unwrap().unwrap();
    service.app.tenants.db.add_member(org.id, admin.id, "viewer", service.clock.now()).await.unwrap();
    (service, token, org.id)
}

async fn switch(service: &Running, token: &str, body: &Value) -> Answer {
    service.post_json(token, "/auth/switch-org", body).await
}

#[tokio::test]
async fn a_session_goes_on_in_another_organisation_of_its_user_and_the_old_one_ends() {
    let (service, token, second) = with_two().await;
    let switched = switch(&service, &token, &json!({ "org_id": second })).await;
    assert_eq!(switched.status, 200, "{}", switched.body);
    let me = service.get(&switched.text("access_token"), "/api/users/me").await.body;
    assert_eq!((&me["org_id"], &me["role"]), (&json!(second), &json!("viewer")));
    service.get(&token, "/api/users/me").await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn nobody_switches_to_an_organisation_that_is_not_theirs() {
    let (service, token, _) = with_two().await;
    switch(&service, &token, &json!({})).await.refuses(422, "field required: org_id");
    switch(&service, &token, &json!({ "org_id": "x" })).await.refuses(422, "invalid UUID format: org_id");
    let stranger = json!({ "org_id": Uuid::max() });
    switch(&service, &token, &stranger).await.refuses(404, "organization not found");
    assert_eq!(service.get(&token, "/api/users/me").await.status, 200);
}

#[tokio::test]
async fn an_api_key_stays_where_it_was_made() {
    let (service, token, second) = with_two().await;
    let key = service.post_json(&token, "/api-keys/create?name=k", &json!({})).await.text("api_key");
    let request =
        service.post("/auth/switch-org").header("X-API-Key", key).json(&json!({ "org_id": second }));
    crate::service::send(request).await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn one_sees_oneself_with_what_ones_role_may_do() {
    let (service, token, second) = with_two().await;
    let viewer = service.member("eye", "viewer").await;
    let eye = service.get(&viewer, "/api/users/me").await.body;
    assert_eq!(
        (&eye["username"], &eye["role"], &eye["idle_timeout"]),
        (&json!("eye"), &json!("viewer"), &json!(1020))
    );
    assert_eq!(eye["permissions"].as_array().unwrap().len(), 6);
    let admin = service.get(&token, "/api/users/me").await.body;
    let orgs: Vec<_> = admin["organizations"].as_array().unwrap().iter().map(|org| &org["org_id"]).collect();
    assert!(orgs.contains(&&json!(second)) && orgs.len() == 2, "{admin}");
}
