//! Coverage, and the action of the policy on requests that were not read completely.

use base64::{Engine as _, prelude::BASE64_STANDARD};
use serde_json::{Value, json};

use crate::support::{Response, TestService};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";

/// Returns a text that is encoded more often than it is decoded.
fn buried() -> String {
    (0..4).fold("the order of the day".to_owned(), |text, _| BASE64_STANDARD.encode(text))
}

async fn analyze(service: &TestService, token: &str, body: &Value) -> Response {
    service.post_json(token, ANALYZE, body).await
}

fn names_the_rule(answer: &Response) -> bool {
    let triggered = answer.body["triggered_guardrails"].as_array().unwrap();
    triggered.iter().any(|one| one["name"] == "incomplete_coverage")
}

#[tokio::test]
async fn what_is_buried_too_deep_in_any_part_is_blocked_by_default() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let buried = buried();
    for more in [
        json!({ "prompt": buried }),
        json!({ "documents": ["a first one", buried] }),
        json!({ "conversation_history": [buried] }),
        json!({ "conversation_history": [{ "role": "tool", "content": buried }] }),
        json!({ "conversation_history": [{ "role": "assistant", "content": buried }] }),
    ] {
        let mut body = json!({ "prompt": "Please read this." });
        body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        // A turn that was not read completely is read again with the next request.
        for _ in 0..2 {
            let answer = analyze(&service, &token, &body).await;
            assert_eq!(answer.body["overall_decision"], "block", "{more}");
            assert_eq!(answer.body["coverage"]["complete"], false, "{more}");
            assert!(names_the_rule(&answer), "{}", answer.body);
        }
    }
    let answer = analyze(&service, &token, &json!({ "prompt": buried })).await;
    assert_eq!((&answer.body["risk_level"], &answer.body["confidence"]), (&json!("high"), &json!(0.6)));
    let logs = service.get(&token, "/api/logs?guardrail=incomplete_coverage&limit=1").await;
    assert_eq!(logs.body["logs"][0]["triggered_guardrails"][0]["name"], "incomplete_coverage");
}

#[tokio::test]
async fn a_policy_says_what_happens_to_what_was_not_read() {
    let service = TestService::start().await;
    let token = service.owner().await;
    for (action, decided) in
        [("Block", "block"), ("Challenge", "challenge"), ("escalate", "escalate"), ("Allow", "allow")]
    {
        let policy = json!({ "policyName": action, "incomplete_coverage": { "action": action } });
        let project = service.project_with(&token, &policy).await;
        let answer = analyze(&service, &token, &json!({ "prompt": buried(), "projectId": project })).await;
        assert_eq!(answer.body["action"], decided);
        assert_eq!(names_the_rule(&answer), decided != "allow");
    }
    let refused = json!({ "policyName": "a", "incomplete_coverage": { "action": "mask" } });
    let refused = service.post_json(&token, "/api/policy/create", &refused).await;
    assert!(refused.text("detail").starts_with("incomplete_coverage.action: must be one of "));
}

#[tokio::test]
async fn stored_policies_do_not_gain_the_rule_by_themselves() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let project = service.project(&token, "old").await;
    let policies = service.get(&token, "/api/policy/list").await.body["policies"].clone();
    let id = policies[0]["policyId"].as_str().unwrap().to_owned();
    assert_eq!(policies[0]["incomplete_coverage"], json!({ "action": "Block" }));
    // As an earlier version wrote it.
    let stored = service.db.policy(service.org_id().await, id.parse().unwrap()).await.unwrap().unwrap();
    let mut content: Value = serde_json::from_str(&stored.content).unwrap();
    content.as_object_mut().unwrap().remove("incomplete_coverage");
    let content = content.to_string();
    let fields =
        guardengine_store::PolicyFields { name: "old", content: &content, by: "admin", connectors: &[] };
    let now = service.clock.now();
    service.change(async |tx| tx.update_policy(&stored, fields, now).await).await;
    let prompt = json!({ "prompt": buried(), "projectId": project });
    let answer = analyze(&service, &token, &prompt).await;
    assert_eq!(
        (&answer.body["overall_decision"], &answer.body["coverage"]["complete"]),
        (&json!("allow"), &json!(false))
    );
    // A change of another field keeps it off; naming the rule turns it on.
    let path = format!("/api/policy/{id}");
    for (change, decided) in [
        (json!({ "policyDescription": "still old" }), "allow"),
        (json!({ "incomplete_coverage": { "action": "Block" } }), "block"),
    ] {
        assert_eq!(service.put_json(&token, &path, &change).await.status, 200);
        assert_eq!(analyze(&service, &token, &prompt).await.body["overall_decision"], decided);
    }
}

#[tokio::test]
async fn coverage_counts_every_part_also_of_autonomous_decisions() {
    let service = TestService::start().await;
    let token = service.owner().await;
    let body = json!({
        "prompt": "12345", "documents": ["1234567", "äöü"],
        "conversation_history": ["1234", { "role": "assistant", "content": "12" }, { "role": "tool", "content": "1" },
            { "role": "system", "content": "trusted" }],
    });
    // The second time, the turn of the user is known.
    for path in [ANALYZE, ANALYZE, "/api/autonomous/analyze"] {
        let coverage = service.post_json(&token, path, &body).await.body["coverage"].clone();
        let counted =
            ["characters_scanned", "characters_total", "complete"].map(|field| coverage[field].clone());
        assert_eq!(counted, [json!(22), json!(22), json!(true)], "{path}");
    }
}
