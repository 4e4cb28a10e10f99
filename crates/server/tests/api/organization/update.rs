use serde_json::{Value, json};

use crate::support::TestService;

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

#[tokio::test]
async fn an_organization_can_require_a_project_of_every_guard_call() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "shop").await;
    let bound = format!("/api-keys/create?name=k&projectId={project}");
    let key = service.post_json(&token, &bound, &json!({})).await.text("api_key");
    let changed = service.put_json(&token, "/api/organization", &json!({ "require_project": true })).await;
    assert_eq!((&changed.body["require_project"], &changed.body["name"]), (&json!(true), &json!("default")));
    let calls = [
        (ANALYZE, json!({ "prompt": "hello" })),
        ("/v2/guardengine/svc_firewall_validate", json!({ "response": "hello" })),
        ("/v2/pii/mask", json!({ "text": "hello" })),
        ("/api/autonomous/analyze", json!({ "prompt": "hello" })),
    ];
    for (path, body) in &calls {
        service.post_json(&token, path, body).await.refuses(422, "field required: projectId");
    }
    assert_eq!(service.charges(&token).await, 0);
    // An unknown project is still 404, and the project of an API key counts.
    let unknown = json!({ "prompt": "hello", "projectId": "01890a5d-ac96-774b-bcce-b302099a8057" });
    service.post_json(&token, ANALYZE, &unknown).await.refuses(404, "project not found");
    for (path, body) in &calls {
        let mut named = body.clone();
        named["projectId"] = json!(project);
        assert_eq!(service.post_json(&token, path, &named).await.status, 200, "{path}");
        let keyed = service.post(path).header("X-API-Key", &key).json(body);
        assert_eq!(crate::support::send(keyed).await.status, 200, "{path}");
    }
    service.put_json(&token, "/api/organization", &json!({ "require_project": false })).await;
    assert_eq!(service.post_json(&token, ANALYZE, &calls[0].1).await.status, 200);
}

#[tokio::test]
async fn other_organizations_and_other_roles_are_not_affected() {
    let service = TestService::start().await;
    let (token, stranger) = (service.owner().await, service.stranger().await);
    service.put_json(&token, "/api/organization", &json!({ "require_project": true })).await;
    assert_eq!(service.post_json(&stranger, ANALYZE, &json!({ "prompt": "hello" })).await.status, 200);
    let developer = service.member("dev", "developer").await;
    let change = json!({ "require_project": false });
    let refused = "missing required permission: ORGANIZATION:UPDATE_ORGANIZATION";
    service.put_json(&developer, "/api/organization", &change).await.refuses(403, refused);
}

#[tokio::test]
async fn a_name_is_changed_unless_it_is_taken() {
    let service = TestService::start().await;
    let (token, stranger) = (service.owner().await, service.stranger().await);
    let renamed = service.put_json(&token, "/api/organization", &json!({ "name": " Acme " })).await;
    assert_eq!(renamed.text("name"), "Acme");
    let taken = json!({ "name": "ACME" });
    let refused = "an organization with that name already exists";
    service.put_json(&stranger, "/api/organization", &taken).await.refuses(409, refused);
    let logged = service.get(&token, "/api/audit?action=ORGANIZATION:UPDATE_ORGANIZATION").await;
    assert_eq!(logged.body["entries"].as_array().map(Vec::len), Some(1), "{}", logged.body);
}

#[tokio::test]
async fn new_projects_keep_texts_as_the_organization_sets() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let set = async |value| {
        let change = json!({ "default_log_content": value });
        service.put_json(&token, "/api/organization", &change).await
    };
    let kept = async |name| {
        let project = service.project(&token, name).await;
        service.get(&token, &format!("/api/project/{project}")).await.text("log_content")
    };
    assert_eq!(kept("first").await, "masked");
    assert_eq!(set(json!("none")).await.text("default_log_content"), "none");
    service.put_json(&token, "/api/organization", &json!({ "require_project": false })).await;
    assert_eq!(service.get(&token, "/api/organization").await.text("default_log_content"), "none");
    assert_eq!(kept("second").await, "none");
    let policy = service.policy(&token, &json!({ "policyName": "third" })).await;
    let named = json!({ "projectName": "third", "policyId": policy, "log_content": "full" });
    let project = service.post_json(&token, "/api/project/create", &named).await.text("projectId");
    let project = service.get(&token, &format!("/api/project/{project}")).await;
    assert_eq!(project.text("log_content"), "full");
    let accepted = "default_log_content: must be one of full, masked, sealed, none";
    set(json!("all")).await.refuses(422, accepted);
    assert_eq!(set(Value::Null).await.body["default_log_content"], Value::Null);
    assert_eq!(kept("fourth").await, "masked");
}
