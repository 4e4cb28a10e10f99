use std::time::Duration;

use insta::assert_snapshot;
use reqwest::Method;
use serde_json::json;

use crate::support::{Response, TestService, send};

async fn create(service: &TestService, token: &str, query: &str) -> Response {
    send(service.post(&format!("/api-keys/create{query}")).bearer_auth(token)).await
}

async fn used(service: &TestService, key: &str) -> Response {
    send(service.request(Method::GET, "/api/policy/list").header("X-API-Key", key)).await
}

async fn revoke(service: &TestService, token: &str, id: &str) -> Response {
    send(service.request(Method::DELETE, &format!("/api-keys/{id}")).bearer_auth(token)).await
}

#[tokio::test]
async fn a_key_is_shown_once_works_and_is_counted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let made = create(&service, &token, "?name=ci%20job&expires_days=30").await;
    let key = made.text("api_key");
    assert!(key.starts_with("ge_") && key.len() >= 35 && made.text("key_prefix") == key[..10]);
    assert_snapshot!(made.snapshot(), @r#"
    HTTP 200
    {
      "api_key": "[api_key]",
      "created_at": "[time]",
      "expires_at": "[time]",
      "key_id": "[id]",
      "key_prefix": "[key_prefix]",
      "message": "Store this key now: it is not shown again.",
      "name": "ci job",
      "permissions": null,
      "projectId": null,
      "usage_instructions": {
        "example": "curl -X POST http://127.0.0.1:[port]/v2/guardengine/svc_firewall_analyze -H 'X-API-Key: <API_KEY>' -H 'Content-Type: application/json' -d '{\"prompt\":\"Hello\"}'",
        "header": "X-API-Key"
      }
    }
    "#);
    for _ in 0..3 {
        assert_eq!(used(&service, &key).await.status, 200);
    }
    service.write_activity().await;
    let listed = service.get(&token, "/api-keys/list").await;
    assert_snapshot!(listed.snapshot(), @r#"
    HTTP 200
    {
      "api_keys": [
        {
          "created_at": "[time]",
          "expires_at": "[time]",
          "is_active": true,
          "key_id": "[id]",
          "key_prefix": "[key_prefix]",
          "last_used_at": "[time]",
          "name": "ci job",
          "permissions": null,
          "projectId": null,
          "usage_count": 3
        }
      ],
      "total": 1
    }
    "#);
    assert!(!listed.body.to_string().contains(&key));
}

#[tokio::test]
async fn revocation_applies_at_once_and_can_be_repeated() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let made = create(&service, &token, "?name=a").await;
    assert!(made.body["expires_at"].is_null());
    assert_eq!(used(&service, &made.text("api_key")).await.status, 200);
    for _ in 0..2 {
        let revoked = revoke(&service, &token, &made.text("key_id")).await;
        assert_eq!(revoked.body, json!({ "message": "API key revoked", "key_id": made.text("key_id") }));
    }
    used(&service, &made.text("api_key")).await.refuses(401, "API key inactive");
}

#[tokio::test]
async fn expired_and_unknown_keys_are_refused() {
    let service = TestService::start().await;
    let key = create(&service, &service.owner().await, "?name=a&expires_days=1").await.text("api_key");
    service.clock.advance(Duration::from_hours(24));
    assert_snapshot!(used(&service, &key).await.snapshot(), @r#"
    HTTP 401
    www-authenticate: Bearer
    {
      "detail": "API key expired"
    }
    "#);
    used(&service, "ge_0000000000000000000000000000000000000000").await.refuses(401, "invalid API key");
}

#[tokio::test]
async fn a_key_takes_precedence_over_a_valid_token() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let both =
        service.request(Method::GET, "/api/policy/list").bearer_auth(&token).header("X-API-Key", "bad");
    send(both).await.refuses(401, "invalid API key");
}

#[tokio::test]
async fn keys_cannot_manage_keys() {
    let service = TestService::start().await;
    let key = create(&service, &service.owner().await, "?name=a").await.text("api_key");
    let token = service.owner().await;
    let calls = [
        (Method::GET, "/api-keys/list"),
        (Method::POST, "/api-keys/create?name=b"),
        (Method::DELETE, "/api-keys/0"),
    ];
    for (method, path) in calls {
        // The token does not help: the key takes precedence.
        let with_both = service.request(method, path).header("X-API-Key", &key).bearer_auth(&token);
        send(with_both).await.refuses(401, "invalid or expired token");
    }
}

#[tokio::test]
async fn the_query_is_checked() {
    let service = TestService::start().await;
    let token = service.owner().await;
    create(&service, &token, "").await.refuses(422, "field required: name");
    for query in ["?name=", "?name=%20", &format!("?name={}", "x".repeat(101))] {
        let refused = create(&service, &token, query).await;
        assert_eq!(refused.status, 422, "{query}");
        assert!(refused.text("detail").starts_with("name: "));
    }
    for days in ["0", "3651", "ten", "-1"] {
        let refused = create(&service, &token, &format!("?name=a&expires_days={days}")).await;
        assert!(refused.status == 422 && refused.text("detail").starts_with("expires_days: "), "{days}");
    }
    for query in [format!("?name=%20{}%20", "x".repeat(100)), "?name=a&expires_days=3650".to_owned()] {
        assert_eq!(create(&service, &token, &query).await.status, 200, "{query}");
    }
    revoke(&service, &token, "7").await.refuses(422, "invalid UUID format: key_id");
}

#[tokio::test]
async fn members_see_and_revoke_their_own_keys_and_owners_all() {
    let service = TestService::start().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let (owners, developers) =
        (create(&service, &owner, "?name=a").await, create(&service, &developer, "?name=b").await);
    assert_eq!(service.get(&developer, "/api-keys/list").await.body["total"], 1);
    for of_all in [&owner, &service.member("adm", "admin").await] {
        assert_eq!(service.get(of_all, "/api-keys/list").await.body["total"], 2);
    }
    revoke(&service, &developer, &owners.text("key_id")).await.refuses(404, "API key not found");
    assert_eq!(revoke(&service, &owner, &developers.text("key_id")).await.status, 200);
    revoke(&service, &service.stranger().await, &owners.text("key_id"))
        .await
        .refuses(404, "API key not found");
}

#[tokio::test]
async fn a_key_is_inactive_once_its_creator_left_the_organization() {
    let service = TestService::start().await;
    let developer = service.member("dev", "developer").await;
    let key = create(&service, &developer, "?name=a").await.text("api_key");
    let user = service.db.user_by_name("dev").await.unwrap().unwrap();
    let org = service.db.org_by_name("default").await.unwrap().unwrap();
    service.change(async |tx| tx.remove_member(org.id, user.id, service.clock.now()).await).await;
    used(&service, &key).await.refuses(401, "API key inactive");
}

#[tokio::test]
async fn a_clean_stop_loses_no_usage() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let key = create(&service, &token, "?name=a").await.text("api_key");
    for _ in 0..7 {
        used(&service, &key).await;
    }
    let service = service.restarted().await;
    let record = service.get(&token, "/api-keys/list").await.body["api_keys"][0].clone();
    assert_eq!((&record["usage_count"], record["last_used_at"].is_string()), (&json!(7), true));
}

#[tokio::test]
async fn revocation_applies_to_other_replicas() {
    let service = TestService::start().await;
    let replica = service.replica().await;
    let token = service.owner().await;
    let made = create(&service, &token, "?name=a").await;
    assert_eq!(used(&replica, &made.text("api_key")).await.status, 200);
    revoke(&service, &token, &made.text("key_id")).await;
    used(&replica, &made.text("api_key")).await.refuses(401, "API key inactive");
}

#[tokio::test]
async fn a_key_acts_in_the_organization_of_its_creator_with_the_current_role() {
    let service = TestService::start().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let key = create(&service, &developer, "?name=a").await.text("api_key");
    let organization =
        async || send(service.request(Method::GET, "/api/organization").header("X-API-Key", &key)).await;
    assert_eq!(organization().await.text("role"), "developer");
    let id = service.db.user_by_name("dev").await.unwrap().unwrap().id;
    service.put_json(&owner, &format!("/api/users/{id}"), &json!({ "role": "viewer" })).await;
    assert_eq!(organization().await.text("role"), "viewer");
}
