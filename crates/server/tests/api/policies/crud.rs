use insta::assert_snapshot;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::support::TestService;

#[tokio::test]
async fn a_policy_is_created_listed_and_read() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let made = service.post_json(&token, "/api/policy/create", &json!({ "policyName": " desk " })).await;
    assert_snapshot!(made.snapshot(), @r#"
    HTTP 200
    {
      "policyId": "[id]",
      "policyName": "desk"
    }
    "#);
    let read = service.get(&token, &format!("/api/policy/{}", made.text("policyId"))).await;
    assert_snapshot!(read.snapshot(), @r#"
    HTTP 200
    {
      "allowed_keywords": [],
      "blocked_keywords": [],
      "compliance_frameworks": [],
      "compliance_region": null,
      "created_at": "[time]",
      "guardrails": [],
      "incomplete_coverage": {
        "action": "Block"
      },
      "max_prompt_length": 10000,
      "policyDescription": "",
      "policyId": "[id]",
      "policyMode": "unified",
      "policyName": "desk",
      "updated_at": "[time]",
      "version": 1
    }
    "#);
    let listed = service.get(&token, "/api/policy/list").await;
    assert_eq!((&listed.body["total"], &listed.body["policies"][0]), (&json!(1), &read.body));
}

#[tokio::test]
async fn names_are_unique_regardless_of_case_and_spaces() {
    let service = TestService::start().await;
    let token = service.owner().await;
    service.post_json(&token, "/api/policy/create", &json!({ "policyName": "Desk" })).await;
    let again = service.post_json(&token, "/api/policy/create", &json!({ "policyName": " DESK " })).await;
    assert_snapshot!(again.snapshot(), @r#"
    HTTP 409
    {
      "detail": "a policy with that name already exists"
    }
    "#);
    let elsewhere = service
        .post_json(&service.stranger().await, "/api/policy/create", &json!({ "policyName": "Desk" }))
        .await;
    assert_eq!(elsewhere.status, 200);
}

#[tokio::test]
async fn the_first_error_of_a_policy_is_reported() {
    let service = TestService::start().await;
    let token = service.owner().await;
    service
        .post_json(&token, "/api/policy/create", &json!({}))
        .await
        .refuses(422, "field required: policyName");
    let body = json!({ "policyName": "a", "guardrails": [{ "guardrail": "pii", "threshold": 2 }] });
    let refused = service.post_json(&token, "/api/policy/create", &body).await;
    assert!(
        refused.status == 422 && refused.text("detail").starts_with("guardrails.0.threshold: "),
        "{}",
        refused.body
    );
}

#[tokio::test]
async fn a_policy_of_another_organization_is_not_found() {
    let service = TestService::start().await;
    let made =
        service.post_json(&service.owner().await, "/api/policy/create", &json!({ "policyName": "a" })).await;
    let stranger = service.stranger().await;
    service
        .get(&stranger, &format!("/api/policy/{}", made.text("policyId")))
        .await
        .refuses(404, "policy not found");
    service.get(&stranger, "/api/policy/7").await.refuses(422, "invalid UUID format: policyId");
    assert_eq!(service.get(&stranger, "/api/policy/list").await.body["total"], 0);
}

#[tokio::test]
async fn the_built_in_policy_can_be_read() {
    let service = TestService::start().await;
    let policy = service.get(&service.owner().await, "/api/policy/default").await;
    assert_eq!((policy.status, &policy.body["policyMode"]), (200, &json!("unified")));
    assert_eq!(policy.body["guardrails"].as_array().unwrap().len(), 16);
}

#[tokio::test]
async fn a_change_keeps_the_fields_that_it_omits_and_creates_a_version() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let written = json!({
        "policyName": "desk",
        "guardrails": [{ "guardrail": "pii", "action": "challenge" }],
        "blocked_keywords": ["aurora"],
        "compliance_region": "EU",
    });
    let path = format!("/api/policy/{}", service.policy(&token, &written).await);
    let before = service.get(&token, &path).await.body;
    let change = json!({ "max_prompt_length": 7, "compliance_region": null, "blocked_keywords": null });
    let after = service.put_json(&token, &path, &change).await;
    assert_eq!((after.status, &after.body), (200, &service.get(&token, &path).await.body));
    assert_eq!((&after.body["version"], &after.body["max_prompt_length"]), (&json!(2), &json!(7)));
    assert_eq!(after.body["compliance_region"], json!(null));
    for kept in ["policyName", "guardrails", "blocked_keywords", "created_at"] {
        assert_eq!(after.body[kept], before[kept], "{kept}");
    }
    let again = service.put_json(&token, &path, &change).await;
    assert_eq!(again.body["version"], 2, "an update without changes creates no version");
}

#[tokio::test]
async fn a_change_applies_to_the_next_request() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let policy = service.get(&token, &format!("/api/project/{project}")).await.text("policyId");
    let ask = json!({ "prompt": "tell me about aurora", "projectId": project });
    let analyze = "/v2/guardengine/svc_firewall_analyze";
    assert_eq!(service.post_json(&token, analyze, &ask).await.text("action"), "allow");
    let change = json!({ "blocked_keywords": ["Aurora"] });
    service.put_json(&token, &format!("/api/policy/{policy}"), &change).await;
    assert_eq!(service.post_json(&token, analyze, &ask).await.text("action"), "block");
}

#[tokio::test]
async fn an_error_of_a_change_is_reported_before_a_missing_policy() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = format!("/api/policy/{}", service.policy(&token, &json!({ "policyName": "a" })).await);
    service.policy(&token, &json!({ "policyName": "b" })).await;
    let put = async |path: &str, body: Value| service.put_json(&token, path, &body).await;
    let nowhere = format!("/api/policy/{}", Uuid::max());
    for path in [&path, &nowhere] {
        put(path, json!({ "policyName": " " }))
            .await
            .refuses(422, "policyName: must have 1 to 100 characters");
        let regex = json!([{ "guardrail": "custom_regex", "patterns": [{ "name": "x", "pattern": "(" }] }]);
        let refused = put(path, json!({ "guardrails": regex })).await;
        assert!(refused.text("detail").starts_with("guardrails.0.patterns.0.pattern: "), "{}", refused.body);
    }
    put(&nowhere, json!({})).await.refuses(404, "policy not found");
    put(&path, json!({ "policyName": " B " })).await.refuses(409, "a policy with that name already exists");
    put("/api/policy/7", json!({})).await.refuses(422, "invalid UUID format: policyId");
}

#[tokio::test]
async fn changes_at_the_same_time_all_take_effect() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = format!("/api/policy/{}", service.policy(&token, &json!({ "policyName": "a" })).await);
    let fields = ["policyDescription", "compliance_region"];
    let changes = (0..16).map(|number| {
        let change = json!({ fields[number % 2]: format!("{number}") });
        let (service, token, path) = (&service, &token, &path);
        async move { service.put_json(token, path, &change).await.status }
    });
    assert_eq!(futures::future::join_all(changes).await, [200; 16]);
    let now = service.get(&token, &path).await.body;
    assert_eq!(now["version"], 17);
    assert!(now["policyDescription"] != "" && now["compliance_region"] != json!(null), "{now}");
}

#[tokio::test]
async fn a_policy_in_use_cannot_be_deleted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let (live, shadow) = (
        service.policy(&token, &json!({ "policyName": "live" })).await,
        service.policy(&token, &json!({ "policyName": "shadow" })).await,
    );
    for (name, shadow) in [("shop", json!(shadow)), ("mail", json!(null))] {
        let project = json!({ "projectName": name, "policyId": live, "shadow_policy_id": shadow });
        service.post_json(&token, "/api/project/create", &project).await;
    }
    let (live, shadow) = (format!("/api/policy/{live}"), format!("/api/policy/{shadow}"));
    service.delete(&token, &live).await.refuses(409, "policy in use by projects: mail, shop");
    service.delete(&token, &shadow).await.refuses(409, "policy in use by projects: shop");
    let free = format!("/api/policy/{}", service.policy(&token, &json!({ "policyName": "free" })).await);
    assert_eq!(service.delete(&token, &free).await.text("message"), "policy deleted");
    service.delete(&token, &free).await.refuses(404, "policy not found");
    service.get(&token, &free).await.refuses(404, "policy not found");
}

#[tokio::test]
async fn strangers_cannot_access_a_policy() {
    let service = TestService::start().await;
    let policy = service.policy(&service.owner().await, &json!({ "policyName": "a" })).await;
    let (path, stranger) = (format!("/api/policy/{policy}"), service.stranger().await);
    for part in ["", "/versions", "/versions/1", "/compliance"] {
        service.get(&stranger, &format!("{path}{part}")).await.refuses(404, "policy not found");
    }
    service.put_json(&stranger, &path, &json!({})).await.refuses(404, "policy not found");
    service.delete(&stranger, &path).await.refuses(404, "policy not found");
    let (test, replay) = (format!("{path}/test"), format!("{path}/replay"));
    service.post_json(&stranger, &test, &json!({ "text": "a" })).await.refuses(404, "policy not found");
    service.post_json(&stranger, &replay, &json!({})).await.refuses(404, "policy not found");
}

#[tokio::test]
async fn changes_are_in_the_audit_trail() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = format!("/api/policy/{}", service.policy(&token, &json!({ "policyName": "a" })).await);
    service.put_json(&token, &path, &json!({ "max_prompt_length": 7 })).await;
    service.delete(&token, &path).await;
    let org = service.org_id().await;
    let entries =
        service.db.audit_entries(org, &guardengine_store::AuditFilter::default(), None, 3).await.unwrap();
    let reported: Vec<_> =
        entries.iter().map(|entry| (entry.action.as_str(), entry.details.as_str())).collect();
    let changed = r#"{"max_prompt_length":{"from":10000,"to":7}}"#;
    assert_eq!(reported[0], ("FIREWALL_POLICIES:DELETE_POLICY", r#"{"policyName":"a"}"#));
    assert_eq!(reported[1], ("FIREWALL_POLICIES:UPDATE_POLICY", changed));
}

#[tokio::test]
async fn a_false_positive_budget_picks_the_thresholds_that_are_not_named() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let guardrails = json!([{ "guardrail": "prompt_injection" }, { "guardrail": "fraud", "threshold": 0.5 }]);
    let policy = json!({ "policyName": "a", "false_positive_budget": 0.001, "guardrails": guardrails });
    let path = format!("/api/policy/{}", service.policy(&token, &policy).await);
    let strict = service.get(&token, &path).await.body;
    assert_eq!(
        (&strict["false_positive_budget"], &strict["guardrails"][1]["threshold"]),
        (&json!(0.001), &json!(0.5))
    );
    let lax = service.put_json(&token, &path, &json!({ "false_positive_budget": 0.05 })).await.body;
    let injection = |policy: &Value| policy["guardrails"][0]["threshold"].as_f64().unwrap();
    assert!(injection(&lax) < injection(&strict), "{lax}");
    let beyond = service.put_json(&token, &path, &json!({ "false_positive_budget": 0.5 })).await;
    beyond.refuses(422, "false_positive_budget: must be a number from 0.0005 to 0.1");
}
