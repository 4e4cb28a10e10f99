use serde_json::{Value, json};

use crate::support::{PASSWORD, TestService};

const SESSIONS: &str = "/api/users/me/sessions";

async fn listed(service: &TestService, token: &str) -> Vec<Value> {
    service.get(token, SESSIONS).await.body["sessions"].as_array().unwrap().clone()
}

fn id_of(sessions: &[Value], current: bool) -> String {
    let found = sessions.iter().find(|session| session["current"] == current);
    found.unwrap()["session_id"].as_str().unwrap().to_owned()
}

#[tokio::test]
async fn a_session_is_listed_and_ended_by_its_user() {
    let service = TestService::start().await;
    let (one, other) = (service.owner().await, service.owner().await);
    let sessions = listed(&service, &one).await;
    assert_eq!(sessions.len(), 2, "{sessions:?}");
    assert_eq!(id_of(&sessions, false), id_of(&listed(&service, &other).await, true));

    let path = format!("{SESSIONS}/{}", id_of(&sessions, false));
    assert_eq!(service.delete(&one, &path).await.text("message"), "session ended");
    service.get(&other, SESSIONS).await.refuses(401, "invalid or expired token");
    service.delete(&one, &path).await.refuses(404, "session not found");
    assert_eq!(listed(&service, &one).await.len(), 1);
    let audit = service.get(&one, "/api/audit").await;
    assert_eq!(audit.body["entries"][0]["action"], "SESSIONS:END_SESSION", "{}", audit.body);
}

#[tokio::test]
async fn the_sessions_of_others_are_out_of_reach() {
    let service = TestService::start().await;
    let (ann, owner) = (service.member("ann", "developer").await, service.owner().await);
    let path = format!("{SESSIONS}/{}", id_of(&listed(&service, &owner).await, true));
    service.delete(&ann, &path).await.refuses(404, "session not found");
    service.get(&owner, SESSIONS).await;
    assert_eq!(listed(&service, &ann).await.len(), 1);
}

#[tokio::test]
async fn all_other_sessions_are_ended_at_once() {
    let service = TestService::start().await;
    let tokens = [service.owner().await, service.owner().await, service.owner().await];
    assert_eq!(service.delete(&tokens[0], SESSIONS).await.text("message"), "sessions ended");
    assert_eq!(listed(&service, &tokens[0]).await.len(), 1);
    for token in &tokens[1..] {
        service.get(token, SESSIONS).await.refuses(401, "invalid or expired token");
    }
}

#[tokio::test]
async fn an_administrator_ends_the_sessions_of_users_of_no_higher_rank() {
    let service = TestService::start().await;
    let (owner, admin) = (service.owner().await, service.member("adam", "admin").await);
    let ann = service.member("ann", "developer").await;
    let users = service.get(&owner, "/api/users").await;
    let user = |name: &str| {
        let users = users.body["users"].as_array().unwrap();
        let found = users.iter().find(|user| user["username"] == name).unwrap();
        (format!("/api/users/{}/sessions", found["user_id"].as_str().unwrap()), found.clone())
    };
    assert!(user("ann").1["last_active_at"].is_string(), "{users:?}", users = users.body);
    assert_eq!(service.delete(&admin, &user("ann").0).await.text("message"), "sessions ended");
    service.get(&ann, SESSIONS).await.refuses(401, "invalid or expired token");
    assert_eq!(service.sign_in("ann", PASSWORD).await.status, 200);
    assert_eq!(service.delete(&admin, &user("admin").0).await.status, 403);
    assert_eq!(service.get(&owner, SESSIONS).await.status, 200);
    let again = service.member("bea", "analyst").await;
    assert_eq!(service.delete(&again, &user("adam").0).await.status, 403);
    assert_eq!(json!(listed(&service, &admin).await.len()), 1);
}
