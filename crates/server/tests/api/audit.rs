use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use guardengine_auth::permission;
use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestService};

async fn entries(service: &TestService, token: &str, query: &str) -> Vec<Value> {
    let answer = service.get(token, &format!("/api/audit?{query}")).await;
    answer.body["entries"].as_array().unwrap_or_else(|| panic!("no entries in {}", answer.body)).clone()
}

#[tokio::test]
async fn the_trail_records_principal_action_and_address_in_a_chain() {
    let service = TestService::start().await;
    let token = service.owner().await;
    service.project(&token, "shop").await;
    let page = service.get(&token, "/api/audit?limit=2").await;
    assert_snapshot!(page.snapshot(), @r#"
    HTTP 200
    {
      "entries": [
        {
          "action": "PROJECTS:CREATE_PROJECT",
          "address": "127.0.0.1",
          "created_at": "[time]",
          "details": {
            "policyId": "[id]",
            "projectName": "shop"
          },
          "entry_id": "[id]",
          "hash": "[hash]",
          "keyed": true,
          "previous_hash": "[previous_hash]",
          "principal": "user:admin",
          "sequence": 3,
          "target": "[id]"
        },
        {
          "action": "FIREWALL_POLICIES:CREATE_POLICY",
          "address": "127.0.0.1",
          "created_at": "[time]",
          "details": {
            "policyName": "shop"
          },
          "entry_id": "[id]",
          "hash": "[hash]",
          "keyed": true,
          "previous_hash": "[previous_hash]",
          "principal": "user:admin",
          "sequence": 2,
          "target": "[id]"
        }
      ],
      "next_cursor": "2"
    }
    "#);
    let (newest, previous) = (&page.body["entries"][0], &page.body["entries"][1]);
    assert_eq!(newest["previous_hash"], previous["hash"]);
    assert_eq!(newest["hash"].as_str().unwrap().len(), 64);
}

#[tokio::test]
async fn sign_ins_refusals_and_sign_outs_are_in_the_trail() {
    let service = TestService::start().await;
    let refresh = json!({ "refresh_token": service.sign_in("admin", PASSWORD).await.text("refresh_token") });
    service.sign_in("admin", "Wrong-horse-9").await;
    service.post_json("", "/refresh", &refresh).await;
    service.post_json("", "/refresh", &refresh).await;
    let leaver = service.owner().await;
    service.post_json(&leaver, "/logout", &refresh).await;
    // The refusal is recorded in the background.
    let reader = service.owner().await;
    let mut found = Vec::new();
    while found.len() < 6 {
        found = entries(&service, &reader, "principal=user:admin").await;
    }
    let actions: Vec<_> = found.iter().map(|entry| entry["action"].as_str().unwrap()).collect();
    for (action, times) in [("SIGN_IN", 3), ("SIGN_IN_REFUSED", 1), ("TOKEN_REUSED", 1), ("SIGN_OUT", 1)] {
        let reported = actions.iter().filter(|reported| **reported == format!("SESSIONS:{action}")).count();
        assert_eq!(reported, times, "{action} in {actions:?}");
    }
    assert!(found.iter().all(|entry| entry["address"] == "127.0.0.1"));
}

#[tokio::test]
async fn the_trail_is_filtered_and_paged() {
    let service = TestService::start().await;
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
async fn only_permitted_users_see_the_trail_of_their_organization() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    service.project(&owner, "shop").await;
    let developer = service.member("dev", "developer").await;
    assert_snapshot!(service.get(&developer, "/api/audit").await.snapshot(), @r#"
    HTTP 403
    {
      "detail": "missing required permission: AUDIT:VIEW_AUDIT"
    }
    "#);
    assert_eq!(entries(&service, &service.stranger().await, "action=PROJECTS:CREATE_PROJECT").await.len(), 0);
    let bad = service.get(&owner, "/api/audit?cursor=x").await;
    bad.refuses(422, "cursor: must be the next_cursor of an earlier answer");
}

#[tokio::test]
async fn the_trail_keeps_entries_within_its_retention_and_stays_intact() {
    let service = TestService::with(&[("audit.retention", "1h"), ("session.idle_timeout", "1d")]).await;
    service.project(&service.owner().await, "old").await;
    service.clock.advance(Duration::from_mins(90));
    let token = service.owner().await;
    service.project(&token, "new").await;
    service.run_maintenance().await;
    let found = entries(&service, &token, "action=PROJECTS:CREATE_PROJECT").await;
    assert_eq!(found.iter().map(|entry| &entry["details"]["projectName"]).collect::<Vec<_>>(), ["new"]);
    let org = service.org_id().await;
    let verdict = service.db.verify_audit(org).await.unwrap();
    assert!(verdict.begins_after > 0 && verdict.first_altered.is_none());
}

/// Runs `guardengine audit verify` beside the service and returns its exit code and output.
fn verified(service: &TestService, more: &[&str]) -> (Option<i32>, Vec<Value>) {
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_guardengine"));
    let command = command.args(["audit", "verify", "--data-dir"]).arg(service.data_dir()).args(more);
    let output = command.output().unwrap();
    let lines = String::from_utf8(output.stdout).unwrap();
    (output.status.code(), lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
}

#[tokio::test(flavor = "multi_thread")]
async fn the_first_entry_that_was_altered_is_named() {
    let service = TestService::start().await;
    service.project(&service.owner().await, "shop").await;
    let org = service.org_id().await;
    let (code, trails) = verified(&service, &[]);
    assert_eq!((code, trails.len(), &trails[1]["org_id"]), (Some(0), 2, &json!(org)));
    assert!(trails.iter().all(|trail| trail["sound"] == true && trail["begins_after"] == 0));
    let path = service.data_dir().join("guardengine.db").display().to_string();
    let mut database = <sqlx::SqliteConnection as sqlx::Connection>::connect(&path).await.unwrap();
    let forged = sqlx::query("UPDATE audit_entries SET principal = 'user:eve' WHERE sequence = 2");
    assert!(forged.execute(&mut database).await.unwrap().rows_affected() >= 1);
    let (code, trails) = verified(&service, &["--org", &org.to_string()]);
    assert_eq!((code, trails.len(), &trails[0]["first_altered"]), (Some(1), 1, &json!(2)));
}

/// Cuts the newest entry of the organization off, as somebody who can write the database would.
async fn cut_end(service: &TestService) {
    let path = service.data_dir().join("guardengine.db").display().to_string();
    let mut database = <sqlx::SqliteConnection as sqlx::Connection>::connect(&path).await.unwrap();
    let org = service.org_id().await;
    let statements = [
        "UPDATE audit_heads SET hash = (SELECT previous_hash FROM audit_entries e WHERE e.org_id = audit_heads.org_id
         AND e.sequence = audit_heads.sequence) WHERE org_id = $1",
        "DELETE FROM audit_entries WHERE org_id = $1
         AND sequence = (SELECT sequence FROM audit_heads WHERE org_id = $1)",
        "UPDATE audit_heads SET sequence = sequence - 1 WHERE org_id = $1",
    ];
    for statement in statements {
        assert_eq!(sqlx::query(statement).bind(org).execute(&mut database).await.unwrap().rows_affected(), 1);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trail_that_was_cut_at_its_end_contradicts_the_service_log() {
    let service = TestService::start().await;
    service.project(&service.owner().await, "shop").await;
    let org = service.org_id().await.to_string();
    let (_, trails) = verified(&service, &["--org", &org]);
    let (head, last) = (trails[0]["head"].as_str().unwrap(), trails[0]["ends_with"].as_i64().unwrap());
    let log = service.data_dir().join("service.log");
    let line = format!("2026-11-27T10:00:00Z  INFO guardengine: audit head head={head}\nnothing here\n");
    std::fs::write(&log, line).unwrap();
    let with_log = ["--org", &org, "--heads", log.to_str().unwrap()];
    let (code, trails) = verified(&service, &with_log);
    assert_eq!((code, &trails[0]["heads_checked"]), (Some(0), &json!(1)));
    cut_end(&service).await;
    let (code, trails) = verified(&service, &["--org", &org]);
    assert_eq!((code, &trails[0]["ends_with"]), (Some(0), &json!(last - 1)), "what is left is sound");
    let (code, trails) = verified(&service, &with_log);
    assert_eq!((code, &trails[0]["first_altered"]), (Some(1), &json!(last)));
    let short = head.split_once(':').unwrap().1;
    assert_eq!(verified(&service, &["--org", &org, "--head", short]).0, Some(1));
    assert_eq!(verified(&service, &["--head", short]).0, Some(1), "it does not say whose head it is");
}

#[tokio::test]
async fn the_trail_is_verified_over_http_and_against_a_kept_head() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    service.project(&owner, "shop").await;
    let verified = async |query: &str| service.get(&owner, &format!("/api/audit/verify{query}")).await;
    let kept = verified("").await.body;
    assert_eq!((&kept["sound"], &kept["keyed_from"], &kept["head"]), (&json!(true), &json!(1), &Value::Null));
    let (last, hash) = (kept["ends_with"].as_i64().unwrap(), kept["head_hash"].as_str().unwrap());
    let head = format!("?head={last}:{hash}");
    assert_eq!(verified(&head).await.body["head"], "held");
    cut_end(&service).await;
    assert_eq!(verified("").await.body["sound"], true);
    let cut = verified(&head).await.body;
    assert_eq!(
        (&cut["sound"], &cut["first_altered"], &cut["head"]),
        (&json!(false), &json!(last), &json!("missing"))
    );
    verified("?head=9")
        .await
        .refuses(422, "head: must be SEQUENCE:HASH, with a hash of 64 hexadecimal digits");
    let developer = service.member("dev", "developer").await;
    assert_eq!(service.get(&developer, "/api/audit/verify").await.status, 403);
}

#[tokio::test]
async fn the_head_of_the_trail_is_sent_as_an_event_when_it_moved() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    service.project(&owner, "shop").await;
    let events = async || service.get(&owner, "/api/events?kind=audit.head").await.body["events"].clone();
    for _ in 0..2 {
        service.report_audit_heads().await;
    }
    let verified = service.get(&owner, "/api/audit/verify").await.body;
    let sent = events().await;
    let data = json!({ "sequence": verified["ends_with"], "hash": verified["head_hash"] });
    assert_eq!((sent.as_array().unwrap().len(), &sent[0]["data"]), (1, &data));
    service.project(&owner, "shop two").await;
    service.report_audit_heads().await;
    assert_eq!(events().await.as_array().unwrap().len(), 2);
}

/// Every action that the code records is in the API document, from which clients take the list.
#[tokio::test]
async fn the_api_document_lists_every_action() {
    let service = TestService::start().await;
    let document = service.get_public("/openapi.json").await.body;
    let listed = &document["components"]["schemas"]["AuditAction"]["enum"];
    let listed: Vec<&str> = listed.as_array().unwrap().iter().filter_map(Value::as_str).collect();
    let crates = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut recorded = BTreeSet::new();
    for folder in ["server/src", "auth/src", "store/src"] {
        read_actions(&crates.join(folder), &mut recorded);
    }
    assert!(recorded.len() > 30, "too few actions are found: {recorded:?}");
    let missing: Vec<_> = recorded.iter().filter(|name| !listed.contains(&name.as_str())).collect();
    assert!(missing.is_empty(), "add to AuditAction in choices.rs: {missing:?}");
}

/// Collects the actions in calls that write audit entries: a literal, or a permission by the name of its constant.
fn read_actions(folder: &Path, recorded: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            read_actions(&path, recorded);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = std::fs::read_to_string(&path).unwrap();
            for start in ["audit::commit(", "audit::record(", "tx.audit("] {
                recorded.extend(text.split(start).skip(1).filter_map(action));
            }
        }
    }
}

/// Returns the action among the arguments of a call.
fn action(arguments: &str) -> Option<String> {
    let arguments = arguments.split(';').next()?;
    if let Some((_, name)) = arguments.split_once("permission::") {
        let name = name.split(|letter: char| !letter.is_ascii_uppercase() && letter != '_').next()?;
        return permission::ALL.iter().find(|known| known.action == name).map(ToString::to_string);
    }
    let literal = arguments.split('"').nth(1)?;
    literal.contains(':').then(|| literal.to_owned())
}
