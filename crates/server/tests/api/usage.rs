//! Usage by project, API key, end user, application or operation: `/api/usage`.

use std::{collections::BTreeMap, time::Duration};

use guardengine_store::{ALL_PROJECTS, DecisionRecord, HourlyCount, LogEntry, LogSummary, Timestamp, new_id};
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    logs::list::{ANALYZE, ATTACK, analyze, unlimited},
    support::{TestService, send},
};

const PROPERTIES: [&str; 5] = ["project", "api_key", "user", "application", "operation"];
const NUMBERS: [&str; 4] = ["requests", "blocked", "masked", "credits"];

async fn usage(service: &TestService, token: &str, query: &str) -> Value {
    let answer = service.get(token, &format!("/api/usage?{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

/// Returns the usage by user as a file.
async fn csv(service: &TestService, token: &str) -> String {
    let call = service.request(Method::GET, "/api/usage?by=user&format=csv").bearer_auth(token);
    call.send().await.unwrap().text().await.unwrap()
}

fn numbers(usage: &Value) -> [i64; 4] {
    NUMBERS.map(|name| usage[name].as_i64().unwrap_or(0))
}

fn sum(parts: impl Iterator<Item = [i64; 4]>) -> [i64; 4] {
    parts.fold([0; 4], |sum, part| std::array::from_fn(|index| sum[index] + part[index]))
}

/// Returns the numbers of a report by `id`, and of everything beyond its rows.
fn by_id(report: &Value) -> BTreeMap<Option<String>, [i64; 4]> {
    let rows = report["rows"].as_array().unwrap().iter();
    rows.map(|row| (row["id"].as_str().map(str::to_owned), numbers(row))).collect()
}

fn value_of(entry: &LogSummary, by: &str) -> Option<String> {
    match by {
        "project" => entry.project_id.map(|id| id.to_string()),
        "api_key" => entry.principal.strip_prefix("api_key:").map(str::to_owned),
        "user" => entry.username.clone(),
        "application" => entry.source_app.clone(),
        _ => Some(entry.endpoint.clone()),
    }
}

fn numbers_of(entry: &LogSummary) -> [i64; 4] {
    let is = |outcome| i64::from(entry.outcome == outcome);
    [1, is("blocked"), is("masked"), entry.credits]
}

/// Stores entries of the last days with every mixture of properties. The numbers are spread by a multiplication.
async fn store(service: &TestService, projects: &[Uuid], number: u64) {
    let (org_id, now) = (service.org_id().await, service.clock.now());
    let entry = |number: u64| {
        let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let created_at = now - Duration::from_secs(mixed % 400_000);
        let some = |kind: &str, of: u64| {
            (!(mixed / of).is_multiple_of(4)).then(|| format!("{kind} {}", mixed / of % 4))
        };
        let log = LogEntry {
            id: new_id(created_at),
            created_at,
            endpoint: ["analyze", "validate", "mask"][(mixed / 3 % 3) as usize].to_owned(),
            project_id: projects.get((mixed / 7 % 3) as usize).copied(),
            project_name: Some("earlier name".to_owned()),
            outcome: ["allowed", "blocked", "masked"][(mixed / 11 % 3) as usize].to_owned(),
            username: some("user", 5),
            source_app: some("app", 13),
            principal: some("api_key:00000000-0000-0000-0000-00000000000", 17)
                .map_or("user:ann".to_owned(), |key| key.replace(' ', "")),
            credits: (mixed / 19 % 4) as i64,
            ..empty(org_id)
        };
        DecisionRecord::of(log, "analyze")
    };
    let entries: Vec<_> = (0..number).map(entry).collect();
    service.db.commit_decisions(&entries).await.unwrap();
}

fn empty(org_id: Uuid) -> LogEntry {
    serde_json::from_value(json!({
        "org_id": org_id, "id": Uuid::nil(), "created_at": 0, "endpoint": "", "direction": "input",
        "decision": "allow", "outcome": "allowed", "triggered_guardrails": "[]", "confidence": 0.0,
        "safety_score": 99, "risk_level": "no_risk", "principal": "user:ann", "processing_time_ms": 1,
        "credits": 0, "correlation_id": "c", "model_version": "1",
    }))
    .unwrap()
}

#[tokio::test]
async fn rows_add_up_to_the_totals_and_to_the_log() {
    let service = TestService::with(&[("credits.initial", "100000")]).await;
    let owner = service.owner().await;
    let mut projects = Vec::new();
    for name in ["shop", "desk"] {
        projects.push(service.project(&owner, name).await.parse().unwrap());
    }
    store(&service, &projects, 1_500).await;
    let (org, now) = (service.org_id().await, service.clock.now());
    let entries = service.db.log_summaries(org, 0, 5_000).await.unwrap();
    let ago = |seconds| now - Duration::from_secs(seconds);
    let periods: [(Timestamp, Timestamp); 3] =
        [(ago(400_000), now), (ago(333_333), ago(12_345)), (ago(4_000), ago(3_000))];
    for _ in 0..2 {
        for (from, to) in periods {
            for project in [None, Some(projects[0])] {
                let is_in = |entry: &&LogSummary| {
                    (from..to).contains(&entry.created_at)
                        && project.is_none_or(|id| entry.project_id == Some(id))
                };
                let all = sum(entries.iter().filter(is_in).map(numbers_of));
                for by in PROPERTIES {
                    let mut expected: BTreeMap<Option<String>, [i64; 4]> = BTreeMap::new();
                    for entry in entries.iter().filter(is_in) {
                        let used = expected.entry(value_of(entry, by)).or_default();
                        *used = sum([*used, numbers_of(entry)].into_iter());
                    }
                    let scope = project.map(|id| format!("&project={id}")).unwrap_or_default();
                    let query = format!("by={by}&from={from}&to={to}{scope}");
                    let report = usage(&service, &owner, &query).await;
                    assert_eq!(by_id(&report), expected, "{query}");
                    assert_eq!(numbers(&report["totals"]), all, "{query}");
                    assert_eq!(sum(by_id(&report).into_values()), all, "{query}");
                    assert_eq!((&report["others"], &report["unattributed"]), (&json!(null), &json!(null)));
                    let few = usage(&service, &owner, &format!("{query}&limit=2")).await;
                    let shown = sum(by_id(&few).into_values());
                    assert_eq!(sum([shown, numbers(&few["others"])].into_iter()), all, "{query}");
                    assert_eq!(by_id(&few).len(), expected.len().min(2));
                }
            }
        }
        service.run_maintenance().await;
    }
}

#[tokio::test]
async fn projects_and_keys_are_named_after_they_are_gone() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let policy = json!({ "policyName": "shop", "guardrails": [{ "guardrail": "prompt_injection" }] });
    let project = service.project_with(&owner, &policy).await;
    let key = service.post_json(&owner, "/api-keys/create?name=till", &json!({})).await;
    let call = service.post(ANALYZE).header("X-API-Key", key.text("api_key"));
    let body = json!({ "prompt": ATTACK, "projectId": project, "username": "=jane", "source_app": "web" });
    assert_eq!(send(call.json(&body)).await.status, 200);
    analyze(&service, &owner, &json!({ "prompt": "Hello", "projectId": project })).await;
    let revoked = service.delete(&owner, &format!("/api-keys/{}", key.text("key_id"))).await;
    assert_eq!(revoked.status, 200, "{}", revoked.body);
    assert_eq!(service.delete(&owner, &format!("/api/project/{project}")).await.status, 200);
    for _ in 0..2 {
        let rows = async |by: &str| usage(&service, &owner, &format!("by={by}")).await["rows"].clone();
        let used = |id: Value, name: Value, owner: Value, [requests, blocked, credits]: [i64; 3]| {
            json!({ "id": id, "name": name, "owner": owner, "requests": requests, "blocked": blocked, "masked": 0,
                "credits": credits })
        };
        let none = || used(Value::Null, Value::Null, Value::Null, [1, 0, 1]);
        let named = |id: &str, name: &str| used(json!(id), json!(name), Value::Null, [1, 1, 1]);
        assert_eq!(
            rows("project").await,
            json!([used(json!(project), json!("shop"), Value::Null, [2, 1, 2])])
        );
        let keyed = used(json!(key.text("key_id")), json!("till"), json!("admin"), [1, 1, 1]);
        assert_eq!(rows("api_key").await, json!([none(), keyed]));
        assert_eq!(rows("user").await, json!([none(), named("=jane", "=jane")]));
        assert_eq!(rows("application").await, json!([none(), named("web", "web")]));
        let file = service.get(&owner, "/api/usage?by=user&format=csv").await;
        assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
        assert_eq!(
            file.header("content-disposition"),
            "attachment; filename=\"guardengine-usage-by-user.csv\""
        );
        let lines = "row,id,name,owner,requests,blocked,masked,credits\r\nnone,,,,1,0,0,1\r\n\
                     user,'=jane,'=jane,,1,1,0,1\r\n";
        assert_eq!(csv(&service, &owner).await, lines);
        service.run_maintenance().await;
    }
}

#[tokio::test]
async fn members_see_the_usage_of_their_projects() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let (shop, desk) = (service.project(&owner, "shop").await, service.project(&owner, "desk").await);
    let viewer = service.member("eye", "viewer").await;
    let members = format!("/api/project/{shop}/members");
    service.post_json(&owner, &members, &json!({ "username": "eye" })).await;
    for project in [&shop, &shop, &desk] {
        analyze(&service, &owner, &json!({ "prompt": "Hello", "projectId": project })).await;
    }
    analyze(&service, &owner, &json!({ "prompt": "Hello" })).await;
    for _ in 0..2 {
        for by in PROPERTIES {
            let seen = usage(&service, &viewer, &format!("by={by}")).await;
            assert_eq!(numbers(&seen["totals"]), [2, 0, 0, 2], "{by}");
            assert_eq!(sum(by_id(&seen).into_values()), [2, 0, 0, 2], "{by}");
        }
        assert_eq!(numbers(&usage(&service, &owner, "by=project").await["totals"]), [4, 0, 0, 4]);
        service.run_maintenance().await;
    }
    let refused = service.get(&viewer, &format!("/api/usage?by=user&project={desk}")).await;
    refused.refuses(403, "not a member of this project");
    let unknown = service.get(&owner, &format!("/api/usage?by=user&project={}", Uuid::max())).await;
    unknown.refuses(404, "project not found");
    let elsewhere = usage(&service, &service.stranger().await, "by=project").await;
    assert_eq!((numbers(&elsewhere["totals"]), &elsewhere["rows"]), ([0; 4], &json!([])));
}

#[tokio::test]
async fn usage_needs_the_permission_and_names_bad_parameters() {
    let service = TestService::start().await;
    let owner = service.owner().await;
    let now = service.clock.now();
    let before = now - Duration::from_hours(24 * 401);
    let choices = "must be one of project, api_key, user, application, operation";
    for (query, detail) in [
        (String::new(), "field required: by".to_owned()),
        ("by=team".to_owned(), format!("by: {choices}")),
        (format!("by=user&from={now}&to={now}"), "to: must be after from".to_owned()),
        (format!("by=user&from={before}&to={now}"), "to: must be at most 400 days after from".to_owned()),
        ("by=user&limit=501".to_owned(), "limit: must be a whole number from 1 to 500".to_owned()),
        ("by=user&format=xml".to_owned(), "format: must be one of json, csv".to_owned()),
    ] {
        service.get(&owner, &format!("/api/usage?{query}")).await.refuses(422, &detail);
    }
    let role = json!({ "name": "author", "permissions": ["FIREWALL_POLICIES:VIEW_POLICY"] });
    service.post_json(&owner, "/api/roles", &role).await;
    let refused = service.get(&service.member("ann", "author").await, "/api/usage?by=user").await;
    refused.refuses(403, "missing required permission: CREDITS:VIEW_CREDIT");
    let role = json!({ "name": "bookkeeper", "permissions": ["CREDITS:VIEW_CREDIT"] });
    service.post_json(&owner, "/api/roles", &role).await;
    let bookkeeper = service.member("bo", "bookkeeper").await;
    usage(&service, &bookkeeper, "by=api_key").await;
    let refused = service.get(&bookkeeper, "/api/usage?by=user").await;
    refused.refuses(403, "missing required permission: DASHBOARD:VIEW_DASHBOARD");
}

#[tokio::test]
async fn requests_that_an_earlier_version_counted_are_reported_apart() {
    let service = unlimited().await;
    let owner = service.owner().await;
    let org = service.org_id().await;
    let ask = async |username: &str| {
        analyze(&service, &owner, &json!({ "prompt": "Hello", "username": username })).await;
    };
    ask("ann").await;
    let hour = service.clock.now().hour();
    let one = |dimension: &str, name: &str| HourlyCount {
        dimension: dimension.to_owned(),
        hour,
        project_id: ALL_PROJECTS,
        name: name.to_owned(),
        count: 1,
    };
    // An earlier version has no usage.
    let counts = [one("credits", ""), one("outcome", "allowed"), one("outcome_by_day", "allowed")];
    assert!(service.db.roll_up(org, (0, 1), &counts, &[]).await.unwrap());
    ask("ben").await;
    for _ in 0..2 {
        let report = usage(&service, &owner, "by=user").await;
        assert_eq!(numbers(&report["totals"]), [2, 0, 0, 2]);
        assert_eq!(by_id(&report), BTreeMap::from([(Some("ben".to_owned()), [1, 0, 0, 1])]));
        let unattributed = &report["unattributed"];
        let since = (hour + Duration::from_hours(1)).to_string();
        assert_eq!((numbers(unattributed), &unattributed["complete_since"]), ([1, 0, 0, 1], &json!(since)));
        let lines = "row,id,name,owner,requests,blocked,masked,credits\r\nuser,ben,ben,,1,0,0,1\r\n\
                     unattributed,,,,1,0,0,1\r\n";
        assert_eq!(csv(&service, &owner).await, lines);
        service.run_maintenance().await;
    }
}
