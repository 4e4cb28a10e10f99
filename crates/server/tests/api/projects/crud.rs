use insta::assert_snapshot;
use serde_json::json;
use uuid::Uuid;

use crate::support::TestService;

#[tokio::test]
async fn a_project_is_created_and_read_by_its_members() {
    let service = TestService::start().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let project = service.project(&developer, "shop").await;
    let read = service.get(&developer, &format!("/api/project/{project}")).await;
    assert_snapshot!(read.snapshot(), @r#"
    HTTP 200
    {
      "created_at": "[time]",
      "gateway": null,
      "log_content": "masked",
      "members": [
        "dev"
      ],
      "on_store_failure": "refuse",
      "policyId": "[id]",
      "projectId": "[id]",
      "projectName": "shop",
      "shadow_policy_id": null,
      "updated_at": "[time]"
    }
    "#);
    assert_eq!(service.get(&owner, &format!("/api/project/{project}")).await.body, read.body);
    let listed = service.get(&developer, "/api/project/list").await;
    assert_eq!(listed.body, json!({ "projects": [read.body], "total": 1 }));
}

#[tokio::test]
async fn non_members_are_refused_and_other_organizations_see_nothing() {
    let service = TestService::start().await;
    let project = service.project(&service.owner().await, "shop").await;
    let path = format!("/api/project/{project}");
    let developer = service.member("dev", "developer").await;
    assert_snapshot!(service.get(&developer, &path).await.snapshot(), @r#"
    HTTP 403
    {
      "detail": "not a member of this project"
    }
    "#);
    assert_eq!(service.get(&developer, "/api/project/list").await.body["total"], 0);
    service.get(&service.stranger().await, &path).await.refuses(404, "project not found");
}

#[tokio::test]
async fn on_store_failure_is_a_setting_of_the_project() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = format!("/api/project/{}", service.project(&token, "shop").await);
    let set = async || service.get(&token, &path).await.body["on_store_failure"].clone();
    assert_eq!(set().await, "refuse");
    let spool = json!({ "on_store_failure": "spool" });
    assert_eq!(service.put_json(&token, &path, &spool).await.status, 200);
    assert_eq!(service.put_json(&token, &path, &json!({ "projectName": "mail" })).await.status, 200);
    assert_eq!(set().await, "spool");
    let refused = service.put_json(&token, &path, &json!({ "on_store_failure": "allow" })).await;
    refused.refuses(422, "on_store_failure: must be one of refuse, spool");
}

#[tokio::test]
async fn the_first_error_of_a_project_is_reported() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let create = async |body| service.post_json(&token, "/api/project/create", &body).await;
    create(json!({ "policyId": "x" })).await.refuses(422, "field required: projectName");
    create(json!({ "projectName": "a" })).await.refuses(422, "field required: policyId");
    create(json!({ "projectName": "a", "policyId": "x" }))
        .await
        .refuses(422, "invalid UUID format: policyId");
    create(json!({ "projectName": "a", "policyId": Uuid::max() })).await.refuses(404, "policy not found");
}

#[tokio::test]
async fn a_second_project_with_the_same_name_is_refused() {
    let service = TestService::start().await;
    let token = service.owner().await;
    service.project(&token, "Shop").await;
    let policy = service.get(&token, "/api/policy/list").await.body["policies"][0]["policyId"].clone();
    let again = json!({ "projectName": "shop ", "policyId": policy });
    service
        .post_json(&token, "/api/project/create", &again)
        .await
        .refuses(409, "a project with that name already exists");
}

#[tokio::test]
async fn a_change_keeps_the_fields_that_it_omits() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = format!("/api/project/{}", service.project(&token, "shop").await);
    let shadow = service.policy(&token, &json!({ "policyName": "stricter" })).await;
    let put = async |body| service.put_json(&token, &path, &body).await;
    let before = service.get(&token, &path).await.body;
    let body = json!({ "shadow_policy_id": shadow, "log_content": "NONE" });
    let after = put(body).await.body;
    assert_eq!((&after["shadow_policy_id"], &after["log_content"]), (&json!(shadow), &json!("none")));
    assert_eq!((&after["projectName"], &after["policyId"]), (&before["projectName"], &before["policyId"]));
    let after = put(json!({ "shadow_policy_id": null, "projectName": " Store " })).await.body;
    assert_eq!((&after["shadow_policy_id"], &after["projectName"]), (&json!(null), &json!("Store")));
    assert_eq!((&after["log_content"], &after), (&json!("none"), &service.get(&token, &path).await.body));
}

#[tokio::test]
async fn the_first_error_of_a_change_is_reported() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let path = format!("/api/project/{}", service.project(&token, "shop").await);
    service.project(&token, "mail").await;
    let put = async |body| service.put_json(&token, &path, &body).await;
    put(json!({ "projectName": "" })).await.refuses(422, "projectName: must have 1 to 100 characters");
    put(json!({ "policyId": 7 })).await.refuses(422, "invalid UUID format: policyId");
    put(json!({ "log_content": "some" }))
        .await
        .refuses(422, "log_content: must be one of full, masked, sealed, none");
    put(json!({ "shadow_policy_id": "x" })).await.refuses(422, "invalid UUID format: shadow_policy_id");
    put(json!({ "policyId": Uuid::max() })).await.refuses(404, "policy not found");
    put(json!({ "shadow_policy_id": Uuid::max() })).await.refuses(404, "policy not found");
    put(json!({ "projectName": " MAIL " })).await.refuses(409, "a project with that name already exists");
}

#[tokio::test]
async fn a_deleted_project_keeps_its_log_entries() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let prompt = json!({ "prompt": "hello", "projectId": project });
    let analyze = "/v2/guardengine/svc_firewall_analyze";
    let log: Uuid = service.post_json(&token, analyze, &prompt).await.text("log_id").parse().unwrap();
    let path = format!("/api/project/{project}");
    let gone = service.delete(&token, &path).await;
    assert_eq!((gone.status, gone.text("message").as_str()), (200, "project deleted"));
    service.delete(&token, &path).await.refuses(404, "project not found");
    service.post_json(&token, analyze, &prompt).await.refuses(404, "project not found");
    let org = service.org_id().await;
    assert!(service.db.log(org, log).await.unwrap().is_some());
}

#[tokio::test]
async fn strangers_and_non_members_change_no_project() {
    let service = TestService::start().await;
    let project = service.project(&service.owner().await, "shop").await;
    let path = format!("/api/project/{project}");
    let (stranger, developer) = (service.stranger().await, service.member("dev", "developer").await);
    for (token, status, detail) in
        [(&stranger, 404, "project not found"), (&developer, 403, "not a member of this project")]
    {
        service.put_json(token, &path, &json!({ "projectName": "x" })).await.refuses(status, detail);
        service.delete(token, &path).await.refuses(status, detail);
    }
    let elsewhere = service.policy(&stranger, &json!({ "policyName": "theirs" })).await;
    service
        .put_json(&service.owner().await, &path, &json!({ "policyId": elsewhere }))
        .await
        .refuses(404, "policy not found");
}
