//! Settings of alert rules.

use insta::assert_snapshot;
use serde_json::{Value, json};

use super::{PATH, Watched};

#[tokio::test]
async fn rules_are_created_listed_changed_and_deleted() {
    let setup = Watched::start().await;
    let (service, token) = (&setup.service, &setup.token);
    let id = setup.credits_low(5).await;
    let path = format!("{PATH}/{id}");
    assert_snapshot!(service.get(token, &path).await.snapshot(), @r#"
    HTTP 200
    {
      "alert_id": "[id]",
      "channels": [
        "[id]",
        "[id]"
      ],
      "checked_at": null,
      "condition": {
        "balance": 5,
        "type": "credits_low"
      },
      "cooldown_minutes": 5,
      "created_at": "[time]",
      "enabled": true,
      "firing_since": null,
      "last_fired_at": null,
      "name": "Credits <low>",
      "projectId": null,
      "recipients": [
        "ann@example.com"
      ],
      "state": "ok",
      "summary": null,
      "updated_at": "[time]"
    }
    "#);
    let listed = service.get(token, PATH).await.body;
    assert_eq!((&listed["alerts"], &listed["total"]), (&json!([setup.alert(&id).await]), &json!(1)));
    let same = json!({ "name": "credits <LOW>", "condition": { "type": "engine_degraded" } });
    service.post_json(token, PATH, &same).await.refuses(409, "alert name already exists");

    let change = json!({ "name": "Renamed", "channels": [], "recipients": [], "cooldown_minutes": 7 });
    let changed = service.put_json(token, &path, &change).await;
    assert_eq!((changed.status, &changed.body["name"]), (200, &json!("Renamed")), "{}", changed.body);
    assert_eq!((&changed.body["channels"], &changed.body["cooldown_minutes"]), (&json!([]), &json!(7)));
    assert_eq!(changed.body["condition"]["balance"], 5);

    let stranger = service.stranger().await;
    service.get(&stranger, &path).await.refuses(404, "alert not found");
    service.put_json(&stranger, &path, &json!({})).await.refuses(404, "alert not found");
    service.post_json(&stranger, &format!("{path}/test"), &json!({})).await.refuses(404, "alert not found");
    service.get(&stranger, &format!("{path}/deliveries")).await.refuses(404, "alert not found");
    service.delete(&stranger, &path).await.refuses(404, "alert not found");
    assert_eq!(service.get(&stranger, PATH).await.body, json!({ "alerts": [], "total": 0 }));

    assert_eq!(service.delete(token, &path).await.body, json!({ "message": "alert deleted" }));
    service.get(token, &path).await.refuses(404, "alert not found");
    for action in ["CREATE", "UPDATE", "DELETE"] {
        let trail = format!("/api/audit?action=CONNECTORS:{action}_ALERT");
        let entry = service.get(token, &trail).await.body["entries"][0].clone();
        assert_eq!(entry["target"], json!(id), "{action}");
    }
}

#[tokio::test]
async fn viewers_see_the_rules_of_their_projects_and_change_none() {
    let setup = Watched::start().await;
    let (service, token) = (&setup.service, &setup.token);
    let organization = setup.credits_low(5).await;
    let project = service.project(token, "shop").await;
    let condition = json!({ "type": "block_rate", "share": 0.5 });
    let of_project = json!({ "name": "Blocks", "condition": condition, "projectId": project });
    let of_project = setup.create(&of_project).await;
    let viewer = service.member("vera", "viewer").await;
    assert_eq!(service.get(&viewer, PATH).await.body["total"], 0);
    service.get(&viewer, &format!("{PATH}/{of_project}")).await.refuses(404, "alert not found");
    let members = format!("/api/project/{project}/members");
    assert_eq!(service.post_json(token, &members, &json!({ "username": "vera" })).await.status, 200);
    let seen = service.get(&viewer, PATH).await.body;
    assert_eq!((&seen["total"], &seen["alerts"][0]["alert_id"]), (&json!(1), &json!(of_project)));
    service.get(&viewer, &format!("{PATH}/{organization}")).await.refuses(404, "alert not found");
    let lacks = "missing required permission: CONNECTORS:UPDATE_CONNECTOR";
    service.put_json(&viewer, &format!("{PATH}/{of_project}"), &json!({})).await.refuses(403, lacks);
    service.post_json(&viewer, &format!("{PATH}/{of_project}/test"), &json!({})).await.refuses(403, lacks);
}

#[tokio::test]
async fn the_first_error_of_a_rule_is_reported() {
    let setup = Watched::start().await;
    let (service, token) = (&setup.service, &setup.token);
    let webhook = json!({ "name": "w", "url": "https://a.example", "secret": "shared-by-both-sides" });
    let webhook = service.post_json(token, "/api/connectors/webhook", &webhook).await.text("id");
    let nobody = "00000000-0000-7000-8000-000000000000";
    let degraded = json!({ "type": "engine_degraded" });
    let with = |condition: Value| json!({ "name": "a", "condition": condition });
    for (body, detail) in [
        (json!({}), "field required: name"),
        (json!({ "name": "a" }), "field required: condition"),
        (with(json!({})), "field required: condition.type"),
        (
            with(json!({ "type": "x" })),
            "condition.type: must be one of block_rate, guardrail_spike, credits_low, connector_down, engine_degraded",
        ),
        (with(json!({ "type": "block_rate" })), "field required: condition.share"),
        (
            with(json!({ "type": "block_rate", "share": 2 })),
            "condition.share: must be a number from 0.01 to 1",
        ),
        (
            with(json!({ "type": "block_rate", "share": 0.5, "period_minutes": 4 })),
            "condition.period_minutes: must be a whole number from 5 to 360",
        ),
        (
            with(json!({ "type": "guardrail_spike", "guardrail": "nothing" })),
            "condition.guardrail: must be the name of a guardrail, as in GET /api/guardrails",
        ),
        (
            with(json!({ "type": "connector_down", "connector_id": nobody })),
            "condition.connector_id: must be a connector of the organisation",
        ),
        (
            json!({ "name": "a", "condition": degraded, "projectId": nobody }),
            "projectId: must be null, because engine_degraded concerns no project",
        ),
        (
            json!({ "name": "a", "condition": degraded, "channels": [webhook] }),
            "channels.0: must be a connector of the type slack or smtp",
        ),
        (
            json!({ "name": "a", "condition": degraded, "channels": [setup.smtp] }),
            "recipients: must name at least one address for e-mail",
        ),
        (
            json!({ "name": "a", "condition": degraded, "recipients": ["a@b.c", "a@b.c\nBcc: d@e.f"] }),
            "recipients.1: must be an e-mail address",
        ),
        (
            json!({ "name": "a", "condition": degraded, "cooldown_minutes": -1 }),
            "cooldown_minutes: must be a whole number from 0 to 10080",
        ),
    ] {
        service.post_json(token, PATH, &body).await.refuses(422, detail);
    }
}

#[tokio::test]
async fn the_address_of_a_slack_webhook_is_never_shown() {
    let setup = Watched::start().await;
    let connector = setup.service.get(&setup.token, &format!("/api/connectors/{}", setup.slack)).await;
    assert_eq!(connector.status, 200);
    assert!(!connector.body.to_string().contains("secret/") && !connector.body.to_string().contains("/T/B"));
}
