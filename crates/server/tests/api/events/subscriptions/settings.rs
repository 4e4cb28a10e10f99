//! Settings of event subscriptions.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{PATH, Subscribed};

#[tokio::test]
async fn subscriptions_are_created_listed_changed_and_deleted() {
    let setup = Subscribed::start().await;
    let (service, token) = (&setup.service, setup.token().await);
    let id = setup.subscribe(json!({ "kinds": ["credits.low"] })).await;
    let path = format!("{PATH}/{id}");
    let own = json!({ "connector_id": setup.connector });
    assert_snapshot!(service.get(&token, &path).await.snapshot(), @r#"
    HTTP 200
    {
      "connector_id": "[id]",
      "created_at": "[time]",
      "cursor": 0,
      "enabled": true,
      "failing_since": null,
      "kinds": [
        "credits.low"
      ],
      "lag": 0,
      "last_delivered_at": null,
      "last_error": null,
      "next_attempt_at": null,
      "projects": null,
      "subscription_id": "[id]",
      "updated_at": "[time]"
    }
    "#);
    assert_snapshot!(service.post_json(&token, PATH, &own).await.snapshot(), @r#"
    HTTP 409
    {
      "detail": "connector is subscribed already"
    }
    "#);
    let listed = service.get(&token, PATH).await.body;
    assert_eq!((&listed["subscriptions"], &listed["total"]), (&json!([setup.seen(&id).await]), &json!(1)));
    let connector = format!("/api/connectors/{}", setup.connector);
    let in_use = format!("connector in use by event subscription: {id}");
    service.delete(&token, &connector).await.refuses(409, &in_use);

    let stranger = service.stranger().await;
    let none = "event subscription not found";
    service.get(&stranger, &path).await.refuses(404, none);
    service.put_json(&stranger, &path, &json!({ "enabled": false })).await.refuses(404, none);
    service.post_json(&stranger, &format!("{path}/replay"), &json!({ "from": 0 })).await.refuses(404, none);
    service.delete(&stranger, &path).await.refuses(404, none);
    assert_eq!(service.get(&stranger, PATH).await.body, json!({ "subscriptions": [], "total": 0 }));
    let foreign = "connector_id: must be a webhook connector of the organisation";
    service.post_json(&stranger, PATH, &own).await.refuses(422, foreign);

    let viewer = service.member("vera", "viewer").await;
    assert_eq!(service.get(&viewer, &path).await.status, 200);
    let lacks = "missing required permission: CONNECTORS:UPDATE_CONNECTOR";
    service.put_json(&viewer, &path, &json!({})).await.refuses(403, lacks);

    assert_eq!(service.delete(&token, &path).await.body, json!({ "message": "event subscription deleted" }));
    service.get(&token, &path).await.refuses(404, none);
    assert_eq!(service.delete(&token, &connector).await.status, 200);
    for action in ["CREATE", "DELETE"] {
        let trail = format!("/api/audit?action=CONNECTORS:{action}_EVENT_SUBSCRIPTION");
        let entry = service.get(&token, &trail).await.body["entries"][0].clone();
        assert_eq!((&entry["target"], &entry["details"]["kinds"]), (&json!(id), &json!(["credits.low"])));
    }
}

#[tokio::test]
async fn the_first_error_of_a_subscription_is_reported() {
    let setup = Subscribed::start().await;
    let (service, token) = (&setup.service, setup.token().await);
    let jira = json!({ "name": "j", "base_url": "https://a.example", "email": "a@b.c", "api_token": "t", "project_key": "A" });
    let jira = service.post_json(&token, "/api/connectors/jira", &jira).await.text("id");
    let nobody = "00000000-0000-7000-8000-000000000000";
    for (body, detail) in [
        (json!({}), "field required: connector_id"),
        (json!({ "connector_id": "x" }), "invalid UUID format: connector_id"),
        (json!({ "connector_id": jira }), "connector_id: must be a webhook connector of the organisation"),
        (
            json!({ "connector_id": setup.connector, "kinds": [] }),
            "kinds: must name at least one, or be null for all",
        ),
        (
            json!({ "connector_id": setup.connector, "kinds": "x" }),
            "kinds: must be an array of at most 14 items",
        ),
        (json!({ "connector_id": setup.connector, "projects": ["x"] }), "invalid UUID format: projects.0"),
        (json!({ "connector_id": setup.connector, "enabled": 1 }), "enabled: must be true or false"),
    ] {
        service.post_json(&token, PATH, &body).await.refuses(422, detail);
    }
    let unknown = json!({ "connector_id": setup.connector, "kinds": ["credits.low", "x"] });
    let unknown = service.post_json(&token, PATH, &unknown).await;
    assert!(
        unknown.text("detail").starts_with("kinds.1: must be one of decision.masked, "),
        "{}",
        unknown.body
    );
    let foreign = json!({ "connector_id": setup.connector, "projects": [nobody] });
    service.post_json(&token, PATH, &foreign).await.refuses(404, "project not found");
}

#[tokio::test]
async fn users_subscribe_only_to_projects_that_they_see() {
    let setup = Subscribed::start().await;
    let (service, owner) = (&setup.service, setup.token().await);
    let role = json!({ "name": "hooks", "permissions": ["CONNECTORS:CREATE_CONNECTOR", "CONNECTORS:UPDATE_CONNECTOR"] });
    assert_eq!(service.post_json(&owner, "/api/roles", &role).await.status, 200);
    let hooks = service.member("hal", "hooks").await;
    let of = |projects: Value| json!({ "connector_id": setup.connector, "projects": projects });
    service.post_json(&hooks, PATH, &of(Value::Null)).await.refuses(403, "not a member of every project");
    let theirs = of(json!([setup.project]));
    service.post_json(&hooks, PATH, &theirs).await.refuses(403, "not a member of this project");
    let members = format!("/api/project/{}/members", setup.project);
    assert_eq!(service.post_json(&owner, &members, &json!({ "username": "hal" })).await.status, 200);
    let made = service.post_json(&hooks, PATH, &theirs).await;
    assert_eq!(made.status, 200, "{}", made.body);
    let path = format!("{PATH}/{}", made.text("subscription_id"));
    let wider = json!({ "projects": null });
    service.put_json(&hooks, &path, &wider).await.refuses(403, "not a member of every project");
}
