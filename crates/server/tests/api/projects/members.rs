use std::time::Duration;

use insta::assert_snapshot;
use serde_json::json;

use crate::support::TestService;

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

#[tokio::test]
async fn a_member_works_in_the_project_until_removed() {
    let service = TestService::start().await;
    let (owner, developer) = (service.owner().await, service.member("dev", "developer").await);
    let project = service.project(&owner, "shop").await;
    let members = format!("/api/project/{project}/members");
    let prompt = json!({ "prompt": "hello", "projectId": project });
    let refused = "not a member of this project";
    service.post_json(&developer, ANALYZE, &prompt).await.refuses(403, refused);
    for _ in 0..2 {
        let added = service.post_json(&owner, &members, &json!({ "username": " DEV " })).await;
        assert_eq!((added.status, added.text("message").as_str()), (200, "member added"));
    }
    assert_eq!(service.post_json(&developer, ANALYZE, &prompt).await.status, 200);
    let removed = service.delete(&owner, &format!("{members}/Dev")).await;
    assert_eq!((removed.status, removed.text("message").as_str()), (200, "member removed"));
    service.post_json(&developer, ANALYZE, &prompt).await.refuses(403, refused);
    service.delete(&owner, &format!("{members}/dev")).await.refuses(404, "user not found");
}

#[tokio::test]
async fn members_are_listed_page_by_page() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let members = format!("/api/project/{}/members", service.project(&owner, "shop").await);
    // Users created in the same millisecond have no order.
    service.clock.advance(Duration::from_millis(1));
    service.member("dev", "developer").await;
    service.post_json(&owner, &members, &json!({ "username": "dev" })).await;
    let first = service.get(&owner, &format!("{members}?limit=1")).await;
    assert_snapshot!(first.snapshot(), @r#"
    HTTP 200
    {
      "members": [
        {
          "role": "developer",
          "user_id": "[id]",
          "username": "dev"
        }
      ],
      "next_cursor": "[id]"
    }
    "#);
    let cursor = first.body["next_cursor"].as_str().unwrap();
    let rest = service.get(&owner, &format!("{members}?limit=1&cursor={cursor}")).await.body;
    assert_eq!((&rest["members"][0]["username"], &rest["next_cursor"]), (&json!("admin"), &json!(null)));
    let detail = "limit: must be a whole number from 1 to 500";
    service.get(&owner, &format!("{members}?limit=0")).await.refuses(422, detail);
}

#[tokio::test]
async fn only_users_of_the_organization_can_be_added() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let members = format!("/api/project/{}/members", service.project(&owner, "shop").await);
    let stranger = service.stranger().await;
    let add = async |token: &str, body| service.post_json(token, &members, &body).await;
    add(&owner, json!({ "username": "stranger" })).await.refuses(404, "user not found");
    assert_snapshot!(add(&owner, json!({ "username": "nobody" })).await.snapshot(), @r#"
    HTTP 404
    {
      "detail": "user not found"
    }
    "#);
    add(&owner, json!({})).await.refuses(422, "field required: username");
    add(&stranger, json!({ "username": "admin" })).await.refuses(404, "project not found");
    service.get(&stranger, &members).await.refuses(404, "project not found");
    service.delete(&stranger, &format!("{members}/admin")).await.refuses(404, "project not found");
}

#[tokio::test]
async fn only_members_manage_members() {
    let service = TestService::start().await;
    let members = format!("/api/project/{}/members", service.project(&service.owner().await, "shop").await);
    let (developer, viewer) =
        (service.member("dev", "developer").await, service.member("eye", "viewer").await);
    let refused = "not a member of this project";
    let body = json!({ "username": "dev" });
    service.post_json(&developer, &members, &body).await.refuses(403, refused);
    service.get(&developer, &members).await.refuses(403, refused);
    let lacks = "missing required permission: PROJECTS:MANAGE_MEMBERS";
    service.post_json(&viewer, &members, &body).await.refuses(403, lacks);
    service.delete(&viewer, &format!("{members}/dev")).await.refuses(403, lacks);
}
