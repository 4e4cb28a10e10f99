use serde_json::json;
use uuid::Uuid;

use crate::service::Running;

#[tokio::test]
async fn a_project_is_made_and_read_by_its_members() {
    let service = Running::start().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let project = service.project(&developer, "shop").await;
    for token in [&owner, &developer] {
        let read = service.get(token, &format!("/api/project/{project}")).await;
        assert_eq!((&read.body["projectName"], &read.body["members"]), (&json!("shop"), &json!(["dev"])));
    }
    let listed = service.get(&developer, "/api/project/list").await;
    assert_eq!(
        (&listed.body["total"], &listed.body["projects"][0]["log_content"]),
        (&json!(1), &json!("masked"))
    );
}

#[tokio::test]
async fn who_was_not_added_is_refused_and_another_organisation_sees_nothing() {
    let service = Running::start().await;
    let project = service.project(&service.owner().await, "shop").await;
    let path = format!("/api/project/{project}");
    let developer = service.member("dev", "developer").await;
    service.get(&developer, &path).await.refuses(403, "not a member of this project");
    assert_eq!(service.get(&developer, "/api/project/list").await.body["total"], 0);
    service.get(&service.stranger().await, &path).await.refuses(404, "project not found");
}

#[tokio::test]
async fn the_first_fault_of_a_project_is_told() {
    let service = Running::start().await;
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
async fn a_second_project_of_that_name_is_refused() {
    let service = Running::start().await;
    let token = service.owner().await;
    service.project(&token, "Shop").await;
    let policy = service.get(&token, "/api/policy/list").await.body["policies"][0]["policyId"].clone();
    let again = json!({ "projectName": "shop ", "policyId": policy });
    service
        .post_json(&token, "/api/project/create", &again)
        .await
        .refuses(409, "a project with that name already exists");
}
