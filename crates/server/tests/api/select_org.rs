use std::time::Duration;

use futures::future::join_all;
use guardengine_store::Created;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::service::{Answer, PASSWORD, Running, send};

/// The first owner joins a second organisation.
async fn with_two() -> (Running, Uuid) {
    let service = Running::start().await;
    let Created::Done(org) =
        service.app.tenants.db.create_org("second", 10, service.clock.now()).await.unwrap()
    else {
        panic!("the name is free")
    };
    let admin = service.app.tenants.db.user_named("admin").await.unwrap().unwrap();
    service.app.tenants.db.add_member(org.id, admin.id, "viewer", service.clock.now()).await.unwrap();
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

#[tokio::test]
async fn forms_are_taken_too_and_the_session_is_that_organisations_alone() {
    let (service, second) = with_two().await;
    let first = service.sign_in("admin", PASSWORD).await;
    let names: Vec<_> = first.body["organizations"].as_array().unwrap().clone();
    let default = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let expected = [
        json!({ "org_id": default, "name": "default", "role": "owner" }),
        json!({ "org_id": second, "name": "second", "role": "viewer" }),
    ];
    assert_eq!(names, expected);
    let form = [("pre_auth_token", first.text("pre_auth_token")), ("org_id", second.to_string())];
    let chosen = send(service.post("/auth/select-org").form(&form)).await;
    let kinds =
        (chosen.text("token_type"), &chosen.body["expires_in"], chosen.text("refresh_token").is_empty());
    assert_eq!(kinds, ("bearer".to_owned(), &json!(900), false));
    let organization = service.get(&chosen.text("access_token"), "/api/organization").await.body;
    assert_eq!(organization, json!({ "org_id": second, "name": "second", "role": "viewer", "credits": 10 }));
}

#[tokio::test]
async fn the_first_missing_field_is_told() {
    let (service, _) = with_two().await;
    select(&service, &json!({})).await.refuses(422, "field required: pre_auth_token");
    select(&service, &json!({ "pre_auth_token": "x" })).await.refuses(422, "field required: org_id");
    let unknown = json!({ "pre_auth_token": "x", "org_id": Uuid::max() });
    select(&service, &unknown).await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn of_thirty_two_choices_with_one_interim_token_one_wins() {
    let (service, second) = with_two().await;
    let token = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    let choice = json!({ "pre_auth_token": token, "org_id": second });
    let answers = join_all((0..32).map(|_| select(&service, &choice))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
}

#[tokio::test]
async fn who_left_an_organisation_cannot_choose_it_and_has_no_choice_left() {
    let (service, second) = with_two().await;
    let interim = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    let admin = service.app.tenants.db.user_named("admin").await.unwrap().unwrap();
    service.app.tenants.db.remove_member(second, admin.id, service.clock.now()).await.unwrap();
    let choice = json!({ "pre_auth_token": interim, "org_id": second });
    select(&service, &choice).await.refuses(404, "organization not found");
    assert_eq!(service.sign_in("admin", PASSWORD).await.text("token_type"), "bearer");
}

#[tokio::test]
async fn choices_are_limited_by_address_under_the_default_limit() {
    let service = Running::with(&[("limits.default", "1/60s")]).await;
    let choice = json!({ "pre_auth_token": "x", "org_id": Uuid::max() });
    assert_eq!(select(&service, &choice).await.status, 401);
    assert_eq!(select(&service, &choice).await.status, 429);
}
