//! Saved views of the log: `/api/views`.

use serde_json::{Value, json};

use crate::support::TestService;

const VIEWS: &str = "/api/views";

fn view(name: &str, shared: bool) -> Value {
    let filters = json!({ "decision": ["block", "mask"], "not_username": ["bot"], "last": ["24h"] });
    json!({ "name": name, "shared": shared, "filters": filters, "columns": ["time", "text"] })
}

async fn names(service: &TestService, token: &str) -> Vec<String> {
    let listed = service.get(token, VIEWS).await.body;
    let views = listed["views"].as_array().unwrap().iter();
    views.map(|view| view["name"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn a_view_is_saved_changed_and_deleted() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let saved = service.post_json(&token, VIEWS, &view("Blocked", false)).await;
    assert_eq!(saved.status, 200, "{}", saved.body);
    assert_eq!(
        (&saved.body["own"], &saved.body["filters"]["decision"]),
        (&json!(true), &json!(["block", "mask"]))
    );
    let path = format!("{VIEWS}/{}", saved.text("view_id"));
    let changed = service.put_json(&token, &path, &json!({ "name": "All" })).await.body;
    assert_eq!((&changed["filters"], &changed["columns"]), (&json!({}), &json!([])));
    assert_eq!(names(&service, &token).await, ["All"]);
    assert_eq!(service.delete(&token, &path).await.status, 200);
    assert_eq!(service.delete(&token, &path).await.status, 404);
    let audit = service.get(&token, "/api/audit").await.body;
    let actions = audit["entries"].as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap());
    let done: Vec<_> = actions.filter(|action| action.ends_with("_VIEW")).collect();
    assert_eq!(done, ["LOGS:DELETE_VIEW", "LOGS:UPDATE_VIEW", "LOGS:CREATE_VIEW"]);
}

#[tokio::test]
async fn a_shared_view_is_seen_by_all_and_changed_by_its_creator_and_admins() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let (ann, bob) = (service.member("ann", "analyst").await, service.member("bob", "analyst").await);
    service.post_json(&ann, VIEWS, &view("Mine", false)).await;
    let shared = service.post_json(&ann, VIEWS, &view("Ours", true)).await.text("view_id");
    assert_eq!(names(&service, &ann).await.len(), 2);
    assert_eq!(names(&service, &bob).await, ["Ours"]);
    assert_eq!(names(&service, &service.stranger().await).await, Vec::<String>::new());
    let path = format!("{VIEWS}/{shared}");
    assert_eq!(service.delete(&bob, &path).await.status, 403);
    assert_eq!(service.put_json(&bob, &path, &view("Bob's", true)).await.status, 403);
    assert_eq!(service.put_json(&owner, &path, &view("Renamed", true)).await.status, 200);
    assert_eq!(names(&service, &bob).await, ["Renamed"]);
}

#[tokio::test]
async fn views_are_checked_and_bounded() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let unknown = json!({ "name": "x", "filters": { "mood": ["good"] } });
    let refused = service.post_json(&token, VIEWS, &unknown).await;
    assert_eq!(
        (refused.status, refused.text("detail")),
        (422, "filters: \"mood\" is not a filter of the log".to_owned())
    );
    let wrong = json!({ "name": "x", "filters": { "decision": "block" } });
    assert_eq!(service.post_json(&token, VIEWS, &wrong).await.status, 422);
    for number in 0..50 {
        assert_eq!(service.post_json(&token, VIEWS, &view(&number.to_string(), false)).await.status, 200);
    }
    assert_eq!(service.post_json(&token, VIEWS, &view("one more", false)).await.status, 409);
}
