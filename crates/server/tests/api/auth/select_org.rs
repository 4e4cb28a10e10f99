use std::time::Duration;

use futures::future::join_all;
use guardengine_store::Created;
use insta::assert_snapshot;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::{PASSWORD, Response, TestService, send};

/// Starts a service whose first owner is also a viewer of a second organization.
async fn with_two() -> (TestService, Uuid) {
    let service = TestService::start().await;
    let Created::Done(org) =
        service.change(async |tx| tx.create_org("second", 10, service.clock.now()).await).await
    else {
        panic!("the name is free")
    };
    let admin = service.db.user_by_name("admin").await.unwrap().unwrap();
    service.change(async |tx| tx.add_member(org.id, admin.id, "viewer", service.clock.now()).await).await;
    (service, org.id)
}

async fn select(service: &TestService, body: &Value) -> Response {
    send(service.post("/auth/select-org").json(body)).await
}

#[tokio::test]
async fn a_user_of_several_organizations_selects_one() {
    let (service, second) = with_two().await;
    let answer = service.sign_in("admin", PASSWORD).await;
    assert_snapshot!(answer.snapshot(), @r#"
    HTTP 200
    {
      "organizations": [
        {
          "name": "default",
          "org_id": "[id]",
          "role": "owner"
        },
        {
          "name": "second",
          "org_id": "[id]",
          "role": "viewer"
        }
      ],
      "pre_auth_token": "[pre_auth_token]",
      "status": "org_selection_required"
    }
    "#);
    let choice = json!({ "pre_auth_token": answer.text("pre_auth_token"), "org_id": second });
    let chosen = select(&service, &choice).await;
    assert_snapshot!(chosen.snapshot(), @r#"
    HTTP 200
    {
      "access_token": "[access_token]",
      "expires_in": 900,
      "refresh_token": "[refresh_token]",
      "token_type": "bearer"
    }
    "#);
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
async fn the_pre_auth_token_has_one_use_and_expires_after_five_minutes() {
    let (service, second) = with_two().await;
    let token = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    service.get(&token, "/api/policy/list").await.refuses(401, "invalid or expired token");
    service.clock.advance(Duration::from_mins(5));
    let late = select(&service, &json!({ "pre_auth_token": token, "org_id": second })).await;
    late.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn a_form_selects_the_organization_of_the_session() {
    let (service, second) = with_two().await;
    let first = service.sign_in("admin", PASSWORD).await;
    let form = [("pre_auth_token", first.text("pre_auth_token")), ("org_id", second.to_string())];
    let chosen = send(service.post("/auth/select-org").form(&form)).await;
    let organization = service.get(&chosen.text("access_token"), "/api/organization").await.body;
    assert_eq!(
        (&organization["org_id"], &organization["name"], &organization["role"], &organization["credits"]),
        (&json!(second), &json!("second"), &json!("viewer"), &json!(10))
    );
}

#[tokio::test]
async fn the_first_missing_field_is_reported() {
    let (service, _) = with_two().await;
    select(&service, &json!({})).await.refuses(422, "field required: pre_auth_token");
    select(&service, &json!({ "pre_auth_token": "x" })).await.refuses(422, "field required: org_id");
    let unknown = json!({ "pre_auth_token": "x", "org_id": Uuid::max() });
    select(&service, &unknown).await.refuses(401, "invalid or expired token");
}

#[tokio::test]
async fn one_of_thirty_two_uses_of_a_pre_auth_token_succeeds() {
    let (service, second) = with_two().await;
    let token = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    let choice = json!({ "pre_auth_token": token, "org_id": second });
    let answers = join_all((0..32).map(|_| select(&service, &choice))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
}

#[tokio::test]
async fn a_former_member_cannot_select_the_organization() {
    let (service, second) = with_two().await;
    let interim = service.sign_in("admin", PASSWORD).await.text("pre_auth_token");
    let admin = service.db.user_by_name("admin").await.unwrap().unwrap();
    service.change(async |tx| tx.remove_member(second, admin.id, service.clock.now()).await).await;
    let choice = json!({ "pre_auth_token": interim, "org_id": second });
    select(&service, &choice).await.refuses(404, "organization not found");
    assert_eq!(service.sign_in("admin", PASSWORD).await.text("token_type"), "bearer");
}

#[tokio::test]
async fn selections_are_limited_by_address_under_the_default_limit() {
    let service = TestService::with(&[("limits.default", "1/60s")]).await;
    let choice = json!({ "pre_auth_token": "x", "org_id": Uuid::max() });
    assert_eq!(select(&service, &choice).await.status, 401);
    assert_eq!(select(&service, &choice).await.status, 429);
}
