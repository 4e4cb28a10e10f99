use serde_json::{Value, json};

use crate::{
    logs::list::{analyze, unlimited},
    support::TestService,
};

fn named<'v>(list: &'v Value, key: &str, name: &str) -> &'v Value {
    let found = list.as_array().and_then(|all| all.iter().find(|one| one[key] == name));
    found.unwrap_or_else(|| panic!("no {name} in {list}"))
}

#[tokio::test]
async fn the_state_of_the_service_has_models_queues_stages_and_the_database() {
    let service = unlimited().await;
    let token = service.owner().await;
    let before = service.get(&token, "/api/engine/status").await;
    assert_eq!((before.status, &before.body["stages"]), (200, &json!([])), "{}", before.body);
    for prompt in ["Hello", "Hello again"] {
        analyze(&service, &token, &json!({ "prompt": prompt })).await;
    }
    let status = service.get(&token, "/api/engine/status").await.body;
    assert_eq!(status["build"]["version"], env!("CARGO_PKG_VERSION"));
    assert!(!status["models"].as_array().unwrap().is_empty(), "{status}");
    let verdict = named(&status["stages"], "stage", "verdict");
    assert_eq!(verdict["requests"], 2);
    assert!(
        verdict["p50_ms"].as_f64() > Some(0.0) && verdict["p99_ms"].as_f64() >= verdict["p50_ms"].as_f64()
    );
    for name in ["evaluations", "drafts", "images", "audio"] {
        let queue = named(&status["queues"], "name", name);
        assert!(
            queue["capacity"].as_u64() > Some(0) && queue["busy"] == 0 && queue["waiting"] == 0,
            "{queue}"
        );
    }
    assert_eq!(named(&status["checks"], "name", "store")["status"], "ok");
    assert_eq!(named(&status["caches"], "name", "texts")["entries"], 2);
    assert_eq!(status["store"]["kind"], "sqlite");
    assert!(status["store"]["bytes"].as_u64() > Some(0), "{status}");
    assert_eq!(status["degraded_mode"], json!({ "is_available": false, "is_active": false }));
    assert_eq!(status["replica"], json!({ "can_be_several": false, "is_redis_up": null }));
    let text = status.to_string();
    assert!(!text.contains(service.data_dir().to_str().unwrap()), "{text}");
}

#[tokio::test]
async fn only_owners_and_admins_see_the_state_of_the_service() {
    let service = TestService::start().await;
    for (role, status) in [("admin", 200), ("developer", 403), ("analyst", 403), ("viewer", 403)] {
        let token = service.member(role, role).await;
        assert_eq!(service.get(&token, "/api/engine/status").await.status, status, "{role}");
    }
}
