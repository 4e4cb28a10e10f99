//! Filters of the log with several values, and filters that leave values out.

use std::time::Duration;

use serde_json::{Value, json};

use crate::support::TestService;

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

/// A service whose log has a blocked call of ann, and allowed ones of ben and of nobody.
async fn logged() -> (TestService, String) {
    let service = TestService::start().await;
    let token = service.owner().await;
    let policy = json!({ "policyName": "shop", "blocked_keywords": ["aurora"] });
    let project = service.project_with(&token, &policy).await;
    for (prompt, user) in [("aurora", Some("ann")), ("hello", Some("ben")), ("good day", None)] {
        let body = json!({ "prompt": prompt, "projectId": project, "username": user });
        assert_eq!(service.post_json(&token, ANALYZE, &body).await.status, 200);
        service.clock.advance(Duration::from_millis(1));
    }
    (service, token)
}

/// Returns the texts of the matching entries, oldest first.
async fn found(service: &TestService, token: &str, query: &str) -> Vec<String> {
    let answer = service.get(token, &format!("/api/logs?{query}")).await;
    assert_eq!(answer.status, 200, "{query}: {}", answer.body);
    let text = |log: &Value| log["text"].as_str().unwrap().to_owned();
    answer.body["logs"].as_array().unwrap().iter().rev().map(text).collect()
}

#[tokio::test]
async fn a_filter_takes_any_of_several_values_or_leaves_them_out() {
    let (service, token) = logged().await;
    let cases = [
        ("decision=block&decision=mask", vec!["aurora"]),
        ("decision=block&decision=allow", vec!["aurora", "hello", "good day"]),
        ("not_decision=block", vec!["hello", "good day"]),
        ("username=ann&username=ben", vec!["aurora", "hello"]),
        ("not_username=ann", vec!["hello", "good day"]),
        ("not_username=ann&not_username=ben", vec!["good day"]),
        ("not_guardrail=blocked_keyword", vec!["hello", "good day"]),
        ("guardrail=blocked_keyword&guardrail=pii", vec!["aurora"]),
        ("decision=allow&not_username=ben", vec!["good day"]),
        ("decision=block", vec!["aurora"]),
    ];
    for (query, expected) in cases {
        assert_eq!(found(&service, &token, query).await, expected, "{query}");
    }
    let rows = service.get(&token, "/api/logs/histogram?not_decision=allow").await;
    assert_eq!(rows.status, 200, "{}", rows.body);
    let export = service.get(&token, "/api/logs/export?format=jsonl&not_decision=allow").await;
    assert_eq!(export.status, 200);
    let audit = service.get(&token, "/api/audit?action=LOGS:EXPORT_LOG").await.body;
    assert!(audit["entries"][0]["details"].to_string().contains(r#""not_decision":["allow"]"#), "{audit}");
}

#[tokio::test]
async fn invalid_values_are_refused_by_name() {
    let (service, token) = logged().await;
    let refusals = [
        ("not_decision=maybe", "not_decision: must be one of allow, mask, block, challenge, escalate"),
        ("decision=block&decision=maybe", "decision: must be one of allow, mask, block, challenge, escalate"),
    ];
    for (query, expected) in refusals {
        let refused = service.get(&token, &format!("/api/logs?{query}")).await;
        assert_eq!((refused.status, refused.text("detail").as_str()), (422, expected));
    }
    let many = "username=a&".repeat(51);
    let refused = service.get(&token, &format!("/api/logs?{many}")).await;
    assert_eq!(refused.text("detail"), "username: must have at most 50 values");
    assert_eq!(service.get(&token, "/api/logs?limit=1&limit=2").await.status, 200, "the last one counts");
}
