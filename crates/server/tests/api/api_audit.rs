use std::time::Duration;

use serde_json::{Value, json};

use crate::service::{PASSWORD, Running};

async fn entries(service: &Running, token: &str, query: &str) -> Vec<Value> {
    let answer = service.get(token, &format!("/api/audit?{query}")).await;
    answer.body["entries"].as_array().unwrap_or_else(|| panic!("no entries in {}", answer.body)).clone()
}

#[tokio::test]
async fn the_trail_says_who_did_what_from_where_and_is_chained() {
    let service = Running::start().await;
    let token = service.owner().await;
    service.project(&token, "shop").await;
    let found = entries(&service, &token, "").await;
    let actions: Vec<_> = found.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    assert_eq!(actions[..2], ["PROJECTS:CREATE_PROJECT", "FIREWALL_POLICIES:CREATE_POLICY"]);
    let newest = &found[0];
    assert_eq!((&newest["principal"], &newest["address"]), (&json!("user:admin"), &json!("127.0.0.1")));
    assert_eq!(newest["details"]["projectName"], "shop");
    assert_eq!(newest["previous_hash"], found[1]["hash"]);
    assert_eq!(newest["hash"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn sign_ins_refusals_and_sign_outs_stand_in_the_trail() {
    let service = Running::start().await;
    let refresh = json!({ "refresh_token": service.sign_in("admin", PASSWORD).await.text("refresh_token") });
    service.sign_in("admin", "Wrong-horse-9").await;
    service.post_json("", "/refresh", &refresh).await;
    service.post_json("", "/refresh", &refresh).await;
    let leaver = service.owner().await;
    service.post_json(&leaver, "/logout", &refresh).await;
    // A refusal is written in the background.
    let reader = service.owner().await;
    let mut found = Vec::new();
    while found.len() < 6 {
        found = entries(&service, &reader, "principal=user:admin").await;
    }
    let actions: Vec<_> = found.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    for (action, times) in [("SIGN_IN", 3), ("SIGN_IN_REFUSED", 1), ("TOKEN_REUSED", 1), ("SIGN_OUT", 1)] {
        let told = actions.iter().filter(|told| **told == format!("SESSIONS:{action}")).count();
        assert_eq!(told, times, "{action} in {actions:?}");
    }
    assert!(found.iter().all(|entry| entry["address"] == "127.0.0.1"));
}

#[tokio::test]
async fn the_trail_is_filtered_and_paged() {
    let service = Running::start().await;
    let token = service.owner().await;
    service.clock.advance(Duration::from_secs(10));
    let start = service.clock.now();
    service.project(&token, "a").await;
    service.clock.advance(Duration::from_secs(10));
    let between = service.clock.now();
    service.project(&token, "b").await;
    assert_eq!(entries(&service, &token, "action=PROJECTS:CREATE_PROJECT").await.len(), 2);
    assert_eq!(
        entries(&service, &token, "principal=user:admin&action=PROJECTS:CREATE_PROJECT").await.len(),
        2
    );
    assert_eq!(entries(&service, &token, "principal=user:nobody").await.len(), 0);
    assert_eq!(entries(&service, &token, &format!("from={between}")).await.len(), 2);
    assert_eq!(entries(&service, &token, &format!("from={start}&to={between}")).await.len(), 2);
    let all = entries(&service, &token, "").await;
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let page = service.get(&token, &format!("/api/audit?limit=1{cursor}")).await.body;
        seen.extend(page["entries"].as_array().unwrap().clone());
        let Some(next) = page["next_cursor"].as_str() else { break };
        cursor = format!("&cursor={next}");
    }
    assert_eq!(seen, all);
}

#[tokio::test]
async fn only_who_may_sees_the_trail_and_only_their_own() {
    let service = Running::start().await;
    let owner = service.owner().await;
    service.project(&owner, "shop").await;
    let developer = service.member("dev", "developer").await;
    service.get(&developer, "/api/audit").await.refuses(403, "missing required permission: AUDIT:VIEW_AUDIT");
    assert_eq!(entries(&service, &service.stranger().await, "action=PROJECTS:CREATE_PROJECT").await.len(), 0);
    let bad = service.get(&owner, "/api/audit?cursor=x").await;
    bad.refuses(422, "cursor: must be the next_cursor of an earlier answer");
}

#[tokio::test]
async fn the_trail_keeps_what_is_younger_than_its_retention_and_stays_sound() {
    let service = Running::with(&[("audit.retention", "1h"), ("session.idle_timeout", "1d")]).await;
    service.project(&service.owner().await, "old").await;
    service.clock.advance(Duration::from_mins(90));
    let token = service.owner().await;
    service.project(&token, "new").await;
    guardengine::maintenance::run_now(&service.app).await.unwrap();
    let found = entries(&service, &token, "action=PROJECTS:CREATE_PROJECT").await;
    assert_eq!(found.iter().map(|entry| &entry["details"]["projectName"]).collect::<Vec<_>>(), ["new"]);
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let verdict = service.app.tenants.db.verify_audit(org).await.unwrap();
    assert!(verdict.begins_after > 0 && verdict.first_altered.is_none());
}

/// What `guardengine audit verify` answers beside the running service: its exit code and its objects.
fn verified(service: &Running, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_guardengine"));
    let command = command
        .args(["audit", "verify", "--data-dir"])
        .arg(&service.app.operations.settings.data_dir)
        .args(more);
    let output = command.output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_entry_that_was_altered_is_named() {
    let service = Running::start().await;
    service.project(&service.owner().await, "shop").await;
    let org = service.app.tenants.db.org_named("default").await.unwrap().unwrap().id;
    let (code, trails) = verified(&service, &[]);
    assert_eq!((code, trails.len(), &trails[1]["org_id"]), (Some(0), 2, &json!(org)));
    assert!(trails.iter().all(|trail| trail["sound"] == true && trail["begins_after"] == 0));
    let path = service.app.operations.settings.data_dir.join("guardengine.db").display().to_string();
    let mut database = <sqlx::SqliteConnection as sqlx::Connection>::connect(&path).await.unwrap();
    let forged = sqlx::query("UPDATE audit_entries SET principal = 'user:eve' WHERE sequence = 2");
    assert!(forged.execute(&mut database).await.unwrap().rows_affected() >= 1);
    let (code, trails) = verified(&service, &["--org", &org.to_string()]);
    assert_eq!((code, trails.len(), &trails[0]["first_altered"]), (Some(1), 1, &json!(2)));
}
