//! Single log entries: evaluation, sealed text and feedback.

use guardengine_evaluation::{read, suite::Expect};
use insta::assert_snapshot;
use reqwest::Method;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{
    logs::list::{ATTACK, analyze, unlimited},
    support::TestService,
};

/// Creates a project with this `log_content` and returns its id.
async fn keeping(service: &TestService, token: &str, log_content: &str) -> String {
    let policy = json!({ "policyName": log_content, "guardrails": [
        { "guardrail": "prompt_injection" }, { "guardrail": "toxicity", "threshold": 0.8 }] });
    let policy = service.policy(token, &policy).await;
    let project = json!({ "projectName": log_content, "policyId": policy, "log_content": log_content });
    service.post_json(token, "/api/project/create", &project).await.text("projectId")
}

async fn row(service: &TestService, token: &str, id: &str) -> Value {
    let answer = service.get(token, &format!("/api/logs/{id}")).await;
    assert_eq!(answer.status, 200, "{}", answer.body);
    answer.body
}

async fn details(service: &TestService, token: &str, action: &str) -> Vec<Value> {
    let trail = service.get(token, &format!("/api/audit?action={action}")).await;
    let entries = trail.body["entries"].as_array().unwrap().clone();
    entries.iter().map(|entry| json!([entry["target"], entry["details"]])).collect()
}

#[tokio::test]
async fn an_entry_has_the_confidence_of_every_guardrail_and_the_time_of_every_stage() {
    let service = unlimited().await;
    let token = service.owner().await;
    let project = keeping(&service, &token, "masked").await;
    let id = analyze(&service, &token, &json!({ "prompt": ATTACK, "projectId": project })).await;
    let row = row(&service, &token, &id).await;
    let stood = row["confidences"].as_array().unwrap();
    let of = |place: usize, field: &str| stood[place][field].clone();
    assert_eq!((of(0, "guardrail"), of(1, "guardrail")), (json!("prompt_injection"), json!("toxicity")));
    assert_eq!(of(0, "confidence"), row["triggered_guardrails"][0]["confidence"]);
    assert_eq!((stood.len(), of(1, "threshold")), (2, json!(0.8)));
    assert!(of(1, "confidence").as_f64().unwrap() < 0.8);
    let stages: Vec<_> =
        row["timing"].as_array().unwrap().iter().map(|one| one["stage"].as_str().unwrap()).collect();
    assert_eq!(stages, ["policy", "waiting", "reading", "scores", "verdict"]);
    let spent: f64 = row["timing"].as_array().unwrap().iter().map(|one| one["ms"].as_f64().unwrap()).sum();
    assert!(spent <= row["processing_time_ms"].as_f64().unwrap() + 1.0, "{row}");
}

#[tokio::test]
async fn an_entry_is_shown_with_its_evaluation() {
    let service = unlimited().await;
    let token = service.owner().await;
    let pii = json!({ "guardrail": "pii", "pii_kinds": ["email"], "pii_masking_enabled": true });
    let policy = json!({ "policyName": "shop", "guardrails": [pii] });
    let project = service.project_with(&token, &policy).await;
    let body = json!({ "prompt": "Write to jane@example.com", "projectId": project });
    let id = analyze(&service, &token, &body).await;
    assert_snapshot!(service.get(&token, &format!("/api/logs/{id}")).await.snapshot(), @r#"
    HTTP 200
    {
      "completion_tokens": null,
      "confidence": 0.98,
      "confidences": [
        {
          "confidence": 0.98,
          "guardrail": "pii",
          "threshold": 0.5
        }
      ],
      "context": null,
      "conversation_id": null,
      "correlation_id": "[id]",
      "created_at": "[time]",
      "credits": 1,
      "decision": "mask",
      "device_id": null,
      "direction": "input",
      "endpoint": "analyze",
      "foreign_id": null,
      "is_sealed": false,
      "lang_code": "en",
      "log_id": "[id]",
      "mark": null,
      "mark_note": null,
      "model_version": "[model_version]",
      "outcome": "masked",
      "policyId": "[id]",
      "policy_version": 1,
      "principal": "user:admin",
      "processing_time_ms": "[processing_time_ms]",
      "projectId": "[id]",
      "projectName": "shop",
      "prompt_tokens": null,
      "reason": null,
      "residual_risk_level": "no_risk",
      "risk_level": "critical",
      "safety_score": 3,
      "shadow_decision": null,
      "source_app": null,
      "surface": "native",
      "text": "Write to [EMAIL_REDACTED]",
      "timing": "[timing]",
      "triggered_guardrails": [
        {
          "action": "mask",
          "confidence": 0.98,
          "evidence": [
            "email"
          ],
          "name": "pii",
          "severity": "high",
          "spans": [
            {
              "end": 25,
              "start": 9
            }
          ]
        }
      ],
      "upstream_time_ms": null,
      "username": null
    }
    "#);
    assert_snapshot!(service.get(&token, &format!("/api/logs/{}", Uuid::max())).await.snapshot(), @r#"
    HTTP 404
    {
      "detail": "log not found"
    }
    "#);
}

#[tokio::test]
async fn a_direction_that_is_not_guarded_leaves_no_confidences() {
    let service = unlimited().await;
    let token = service.owner().await;
    let project = service.project_with(&token, &json!({ "policyName": "in", "policyMode": "output" })).await;
    let id = analyze(&service, &token, &json!({ "prompt": "Hello", "projectId": project })).await;
    assert_eq!(row(&service, &token, &id).await["confidences"], json!([]));
}

#[tokio::test]
async fn a_sealed_text_is_revealed_for_a_recorded_reason() {
    let service = unlimited().await;
    let token = service.owner().await;
    let project = keeping(&service, &token, "sealed").await;
    let prompt = "Write to jane@example.com";
    let id = analyze(&service, &token, &json!({ "prompt": prompt, "projectId": project })).await;
    let kept = row(&service, &token, &id).await;
    assert_eq!((&kept["text"], &kept["is_sealed"]), (&json!("Write to [EMAIL_REDACTED]"), &json!(true)));
    let path = format!("/api/logs/{id}/reveal");
    let reveal = async |token: &str, body: Value| service.post_json(token, &path, &body).await;
    reveal(&token, json!({})).await.refuses(422, "field required: reason");
    assert_eq!(reveal(&token, json!({ "reason": "  " })).await.status, 422);
    assert_eq!(details(&service, &token, "LOGS:REVEAL_TEXT").await, Vec::<Value>::new());
    assert_eq!(reveal(&token, json!({ "reason": "incident 7" })).await.body, json!({ "text": prompt }));
    let reported = details(&service, &token, "LOGS:REVEAL_TEXT").await;
    assert_eq!(reported, [json!([id, { "reason": "incident 7" }])]);
    let analyst = service.member("ann", "analyst").await;
    let lacking = "missing required permission: LOGS:REVEAL_TEXT";
    reveal(&analyst, json!({ "reason": "curious" })).await.refuses(403, lacking);
}

#[tokio::test]
async fn a_text_that_is_not_kept_sealed_cannot_be_revealed() {
    let service = unlimited().await;
    let token = service.owner().await;
    for log_content in ["full", "masked", "none"] {
        let project = keeping(&service, &token, log_content).await;
        let id = analyze(&service, &token, &json!({ "prompt": "Hello", "projectId": project })).await;
        let path = format!("/api/logs/{id}/reveal");
        let answer = service.post_json(&token, &path, &json!({ "reason": "incident" })).await;
        answer.refuses(409, "the text is not kept sealed: see log_content of the project");
        assert_eq!(row(&service, &token, &id).await["is_sealed"], json!(false));
    }
}

#[tokio::test]
async fn entries_of_others_are_neither_revealed_nor_given_feedback() {
    let service = unlimited().await;
    let token = service.owner().await;
    let id = analyze(&service, &token, &json!({ "prompt": ATTACK })).await;
    let stranger = service.stranger().await;
    let (path, reason) = (format!("/api/logs/{id}"), json!({ "reason": "x" }));
    service.post_json(&stranger, &format!("{path}/reveal"), &reason).await.refuses(404, "log not found");
    let mark = json!({ "mark": "false_positive" });
    service.put_json(&stranger, &format!("{path}/mark"), &mark).await.refuses(404, "log not found");
    // An analyst without projects sees only their own entries.
    let analyst = service.member("ann", "analyst").await;
    service.put_json(&analyst, &format!("{path}/mark"), &mark).await.refuses(404, "log not found");
}

#[tokio::test]
async fn feedback_is_set_found_and_removed_with_audit_entries() {
    let service = unlimited().await;
    let token = service.owner().await;
    let id = analyze(&service, &token, &json!({ "prompt": ATTACK })).await;
    analyze(&service, &token, &json!({ "prompt": "Hello" })).await;
    let path = format!("/api/logs/{id}/mark");
    let put = async |body: Value| service.put_json(&token, &path, &body).await;
    put(json!({ "mark": "wrong" })).await.refuses(422, "mark: must be one of false_positive, missed_attack");
    put(json!({ "note": "a" })).await.refuses(422, "field required: mark");
    let set = put(json!({ "mark": "false_positive", "note": "a drill" })).await;
    assert_snapshot!(set.snapshot(), @r#"
    HTTP 200
    {
      "log_id": "[id]",
      "mark": "false_positive",
      "mark_note": "a drill"
    }
    "#);
    let found = service.get(&token, "/api/logs?mark=false_positive").await.body;
    assert_eq!((&found["logs"][0]["log_id"], &found["logs"][1]), (&json!(id), &Value::Null));
    assert_eq!(row(&service, &token, &id).await["mark_note"], "a drill");
    assert_eq!(put(json!({ "mark": null, "note": "lost" })).await.body["mark_note"], Value::Null);
    assert_eq!(service.get(&token, "/api/logs?mark=false_positive").await.body["logs"], json!([]));
    let reported = details(&service, &token, "LOGS:MARK_LOG").await;
    assert_eq!(reported[0][1], json!({ "from": "false_positive", "to": null, "note": null }));
    assert_eq!(reported[1][1], json!({ "from": null, "to": "false_positive", "note": "a drill" }));
}

#[tokio::test]
async fn entries_with_feedback_are_exported_as_labeled_texts() {
    let service = unlimited().await;
    let token = service.owner().await;
    let sent = [(ATTACK, "false_positive"), ("What is the capital of France?", "missed_attack")];
    let mut ids = Vec::new();
    for (prompt, mark) in sent {
        service.clock.advance(std::time::Duration::from_millis(2));
        let id = analyze(&service, &token, &json!({ "prompt": prompt })).await;
        let body = json!({ "mark": mark });
        assert_eq!(service.put_json(&token, &format!("/api/logs/{id}/mark"), &body).await.status, 200);
        ids.push(id);
    }
    analyze(&service, &token, &json!({ "prompt": "Hello" })).await;
    let request = service.request(Method::GET, "/api/logs/export?format=labelled").bearer_auth(&token);
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("marked.jsonl");
    std::fs::write(&file, request.send().await.unwrap().bytes().await.unwrap()).unwrap();
    let rows = read(&file).unwrap();
    let reported: Vec<_> =
        rows.iter().map(|row| (row.text.as_str(), row.expect, row.source.clone())).collect();
    let source = |place: usize| format!("log {}", ids[place]);
    assert_eq!(
        reported,
        [(sent[1].0, Some(Expect::Flag), source(1)), (sent[0].0, Some(Expect::Pass), source(0)),]
    );
    assert_eq!(rows[1].holds("prompt_injection"), Some(false));
}

#[tokio::test]
async fn an_outcome_is_a_filter_and_facets_count_matching_entries() {
    let service = unlimited().await;
    let token = service.owner().await;
    let shop = service.project(&token, "shop").await;
    let attack = analyze(&service, &token, &json!({ "prompt": ATTACK, "username": "jane" })).await;
    for _ in 0..2 {
        analyze(&service, &token, &json!({ "prompt": "Hello", "projectId": shop, "username": "joe" })).await;
    }
    let found = service.get(&token, "/api/logs?outcome=blocked").await.body;
    assert_eq!((&found["logs"][0]["log_id"], &found["logs"][1]), (&json!(attack), &Value::Null));
    let facets = async |query: &str| service.get(&token, &format!("/api/logs/facets?{query}")).await.body;
    let all = facets("").await;
    let counted = |value: &str, count: usize| json!({ "value": value, "count": count });
    assert_eq!((&all["rows"], &all["complete"], &all["limit"]), (&json!(3), &json!(true), &json!(5_000)));
    assert_eq!(all["outcome"], json!([counted("allowed", 2), counted("blocked", 1)]));
    assert_eq!(all["username"], json!([counted("joe", 2), counted("jane", 1)]));
    assert_eq!(all["project"], json!([{ "value": shop, "name": "shop", "count": 2 }]));
    assert!(all["guardrail"].as_array().unwrap().contains(&counted("prompt_injection", 1)));
    let blocked = facets("outcome=blocked").await;
    assert_eq!((&blocked["rows"], &blocked["username"]), (&json!(1), &json!([counted("jane", 1)])));
    let stranger = service.stranger().await;
    assert_eq!(service.get(&stranger, "/api/logs/facets").await.body["rows"], json!(0));
}

#[tokio::test]
async fn a_masked_entry_shows_the_risk_that_is_left() {
    let service = unlimited().await;
    let token = service.owner().await;
    let policy = json!({
        "policyName": "masking",
        "guardrails": [
            { "guardrail": "pii", "pii_masking_enabled": true },
            { "guardrail": "prompt_injection", "action": "Allow" },
        ],
    });
    let project = service.project_with(&token, &policy).await;
    let risks = async |prompt: &str| {
        let id = analyze(&service, &token, &json!({ "prompt": prompt, "projectId": project })).await;
        let entry = row(&service, &token, &id).await;
        ["decision", "risk_level", "residual_risk_level"].map(|name| entry[name].as_str().unwrap().to_owned())
    };
    assert_eq!(risks("Mail ann.meyer@example.com").await, ["mask", "critical", "no_risk"]);
    assert_eq!(risks("Good morning").await, ["allow", "no_risk", "no_risk"]);
    let both = risks(&format!("{ATTACK} Mail ann.meyer@example.com")).await;
    assert_eq!(both, ["mask", "critical", "critical"]);
}
