use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::TestService;

/// Creates a policy with three versions and returns its path.
async fn changed_twice(service: &TestService, token: &str) -> String {
    let written = json!({ "policyName": "desk", "blocked_keywords": ["aurora"], "compliance_region": "EU" });
    let path = format!("/api/policy/{}", service.policy(token, &written).await);
    service.put_json(token, &path, &json!({ "policyName": "front desk" })).await;
    let third = json!({ "blocked_keywords": [], "compliance_region": null, "policyMode": "input" });
    service.put_json(token, &path, &third).await;
    path
}

fn numbers(versions: &Value) -> Vec<i64> {
    versions.as_array().unwrap().iter().map(|version| version["version"].as_i64().unwrap()).collect()
}

#[tokio::test]
async fn versions_are_listed_newest_first_with_the_current_one() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = changed_twice(&service, &token).await;
    let listed = service.get(&token, &format!("{path}/versions")).await.body;
    assert_eq!((numbers(&listed["versions"]), &listed["total"]), (vec![3, 2, 1], &json!(3)));
    assert_eq!(listed["next_cursor"], json!(null));
    let (newest, oldest) = (&listed["versions"][0], &listed["versions"][2]);
    assert_eq!((&newest["policy"]["policyMode"], &newest["created_by"]), (&json!("input"), &json!("admin")));
    assert_eq!(
        (&oldest["policy"]["policyName"], &oldest["policy"]["blocked_keywords"]),
        (&json!("desk"), &json!(["aurora"]))
    );
    let first = service.get(&token, &format!("{path}/versions/1")).await;
    assert_eq!(&first.body, oldest);
    assert_snapshot!(first.snapshot(), @r#"
    HTTP 200
    {
      "created_at": "[time]",
      "created_by": "admin",
      "policy": {
        "allowed_keywords": [],
        "blocked_keywords": [
          "aurora"
        ],
        "compliance_frameworks": [],
        "compliance_region": "EU",
        "guardrails": [],
        "incomplete_coverage": {
          "action": "Block"
        },
        "max_prompt_length": 10000,
        "policyDescription": "",
        "policyMode": "unified",
        "policyName": "desk"
      },
      "version": 1
    }
    "#);
}

#[tokio::test]
async fn versions_come_page_by_page() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = changed_twice(&service, &token).await;
    let first = service.get(&token, &format!("{path}/versions?limit=2")).await.body;
    assert_eq!(numbers(&first["versions"]), [3, 2]);
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = service.get(&token, &format!("{path}/versions?limit=2&cursor={cursor}")).await.body;
    assert_eq!((numbers(&rest["versions"]), &rest["next_cursor"]), (vec![1], &json!(null)));
    let detail = "cursor: must be the next_cursor of an earlier answer";
    service.get(&token, &format!("{path}/versions?cursor=x")).await.refuses(422, detail);
}

#[tokio::test]
async fn an_unknown_version_is_404() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = changed_twice(&service, &token).await;
    assert_snapshot!(service.get(&token, &format!("{path}/versions/4")).await.snapshot(), @r#"
    HTTP 404
    {
      "detail": "policy version not found"
    }
    "#);
    for wrong in ["0", "-1", "x", "1.5", "99999999999999999999"] {
        let expected = "version: must be a whole number from 1";
        service.get(&token, &format!("{path}/versions/{wrong}")).await.refuses(422, expected);
    }
}

#[tokio::test]
async fn putting_an_old_version_restores_it() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = changed_twice(&service, &token).await;
    let old = service.get(&token, &format!("{path}/versions/1")).await.body["policy"].clone();
    let back = service.put_json(&token, &path, &old).await;
    assert_eq!((back.status, &back.body["version"]), (200, &json!(4)));
    assert_eq!(service.get(&token, &format!("{path}/versions/4")).await.body["policy"], old);
}
