use serde_json::json;

use crate::service::{Running, send};

async fn statuses(service: &Running, token: &str, count: usize) -> Vec<u16> {
    let mut statuses = Vec::new();
    for _ in 0..count {
        statuses.push(service.get(token, "/api/policy/list").await.status);
    }
    statuses
}

#[tokio::test]
async fn an_organisations_own_limit_holds_at_once_for_it_alone() {
    let service = Running::with(&[("limits.default", "1/60s")]).await;
    let (owner, stranger) = (service.owner().await, service.stranger().await);
    assert_eq!(statuses(&service, &owner, 2).await, [200, 429]);
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id.to_string();
    let printed = service.admin(&["set-limits", "--org", &org, "--limit", "default=3/60s"]).await.unwrap();
    assert_eq!(printed, json!({ "org_id": org, "limits": { "default": "3/60s" } }));
    // The window goes on: the refused request was the second.
    assert_eq!(statuses(&service, &owner, 2).await, [200, 429]);
    assert_eq!(service.get(&owner, "/api/policy/list").await.header("x-ratelimit-limit"), "3");
    assert_eq!(statuses(&service, &stranger, 2).await, [200, 429]);
    service.admin(&["set-limits", "--org", &org, "--limit", "default=off"]).await.unwrap();
    let free = service.get(&owner, "/api/policy/list").await;
    assert!(free.status == 200 && !free.headers.contains_key("x-ratelimit-limit"));
    let printed = service.admin(&["set-limits", "--org", &org, "--limit", "default=default"]).await.unwrap();
    assert_eq!(printed["limits"], json!({}));
    assert_eq!(service.get(&owner, "/api/policy/list").await.status, 429);
}

#[tokio::test]
async fn other_limits_stay_and_keys_have_them_too() {
    let service = Running::with(&[("limits.analyze", "1/60s")]).await;
    let owner = service.owner().await;
    let key = send(service.post("/api-keys/create?name=k").bearer_auth(&owner)).await.text("api_key");
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id.to_string();
    let set = ["set-limits", "--org", &org, "--limit", "analyze=2/1m", "--limit", "autonomous=off"];
    service.admin(&set).await.unwrap();
    let kept = service.admin(&["set-limits", "--org", &org]).await.unwrap();
    assert_eq!(kept["limits"], json!({ "analyze": "2/1m", "autonomous": "off" }));
    let analyze = service.post("/v2/guardengine/svc_firewall_analyze").header("X-API-Key", key);
    let answer = send(analyze.json(&json!({ "prompt": "Good morning" }))).await;
    assert_eq!((answer.header("x-ratelimit-limit"), answer.header("x-ratelimit-window")), ("2", "60"));
    assert_eq!(service.get(&owner, "/api/policy/list").await.header("x-ratelimit-limit"), "600");
}

#[tokio::test]
async fn what_is_no_limit_of_an_organisation_is_refused() {
    let service = Running::start().await;
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id.to_string();
    let told = async |org: &str, limit: &str| {
        service.admin(&["set-limits", "--org", org, "--limit", limit]).await.unwrap_err()
    };
    assert!(told(&org, "token=1/60s").await.contains("analyze, autonomous, default"));
    assert!(told(&org, "analyze=often").await.contains("COUNT/WINDOW"));
    let nobody = uuid::Uuid::nil().to_string();
    assert!(told(&nobody, "analyze=1/60s").await.contains("organization not found"));
}
