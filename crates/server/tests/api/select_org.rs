use std::time::Duration;

use guardengine_store::Created;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{Answer, PASSWORD, Running, send};

/// The first owner joins a second organisation.
async fn with_two() -> (Running, Uuid) {
    let service = Running::start().await;
    let Created::Done(org) = service.app.db.create_org("second", 10, service.clock.now()).await.unwrap()
    else {
        panic!("the name is free")
    };
    let admin = service.app.db.user_named("admin").await.unwrap().unwrap();
    service.app.db.add_member(org.id, admin.id, "viewer", service.clock.now()).await.unwrap();
    (service, org.id)
}

async fn select(service: &Running, body: &Value) -> Answer {
    send(service.post("/auth/select-org").json(body)).await
}

#[tokio::test]
async fn an_account_of_several_organisations_chooses_one() {
    let (service, second) = with_two().await;
    let answer = service.sign_in("admin", PASSWORD).await;
    assert_eq!(answer.text("status"), "org_selection_required");
    let roles: Vec<_> =
        answer.body["organizations"].as_array().unwrap().iter().map(|org| &org["role"]).collect();
    assert_eq!(roles, ["owner", "viewer"]);
    let choice = json!({ "pre_auth_token": answer.text("pre_auth_token"), "org_id": second });
    let chosen = select(&service, &choice).await;
    assert_eq!(chosen.status, 200);
    let refused = service
        .post_json(&chosen.text("access_token"), "/api/policy/create", &json!({ "policyName": "x" }))
        .await;
    refused.refuses(403, "missing required permission: FIREWALL_POLICIES:CREATE_POLICY");
    select(&service, &choice).await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn a_wrong_choice_does_not_spend_the_token() {
    let (service, second) = with_two().await;
    let token = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    let choose =
        async |org_id: &str| select(&service, &json!({ "pre_auth_token": token, "org_id": org_id })).await;
    choose(&Uuid::max().to_string()).await.refuses(404, "organization not found");
    choose("second").await.refuses(422, "invalid UUID format: org_id");
    assert_eq!(choose(&second.to_string()).await.status, 200);
}

#[tokio::test]
async fn the_interim_token_opens_nothing_else_and_lives_five_minutes() {
    let (service, second) = with_two().await;
    let token = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    service.get(&token, "/api/policy/list").await.refuses(401, "invalid or expired token");
    service.clock.advance(Duration::from_mins(5));
    let late = select(&service, &json!({ "pre_auth_token": token, "org_id": second })).await;
    late.refuses(401, "invalid or expired token");
}
