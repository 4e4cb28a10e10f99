use serde_json::json;

use crate::service::Running;

#[tokio::test]
async fn a_policy_is_made_listed_and_read() {
    let service = Running::start().await;
    let token = service.owner().await;
    let made = service.post_json(&token, "/api/policy/create", &json!({ "policyName": " desk " })).await;
    assert_eq!((made.status, made.text("policyName").as_str()), (200, "desk"));
    let read = service.get(&token, &format!("/api/policy/{}", made.text("policyId"))).await;
    assert_eq!((&read.body["version"], &read.body["max_prompt_length"]), (&json!(1), &json!(10_000)));
    let listed = service.get(&token, "/api/policy/list").await;
    assert_eq!((&listed.body["total"], &listed.body["policies"][0]), (&json!(1), &read.body));
}

#[tokio::test]
async fn names_are_unique_but_for_case_and_blanks() {
    let service = Running::start().await;
    let token = service.owner().await;
    service.post_json(&token, "/api/policy/create", &json!({ "policyName": "Desk" })).await;
    let again = service.post_json(&token, "/api/policy/create", &json!({ "policyName": " DESK " })).await;
    again.refuses(409, "a policy with that name already exists");
    let elsewhere = service
        .post_json(&service.stranger().await, "/api/policy/create", &json!({ "policyName": "Desk" }))
        .await;
    assert_eq!(elsewhere.status, 200);
}

#[tokio::test]
async fn the_first_fault_of_a_policy_is_told() {
    let service = Running::start().await;
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
async fn another_organisations_policy_is_not_there() {
    let service = Running::start().await;
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
    let service = Running::start().await;
    let policy = service.get(&service.owner().await, "/api/policy/default").await;
    assert_eq!((policy.status, &policy.body["policyMode"]), (200, &json!("unified")));
    assert_eq!(policy.body["guardrails"].as_array().unwrap().len(), 15);
}
