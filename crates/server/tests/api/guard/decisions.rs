//! Snapshots of complete responses: decisions on prompts and responses, and masking.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::support::{Response, TestService};

const ANALYZE: &str = "/v2/guardengine/svc_firewall_analyze";
const VALIDATE: &str = "/v2/guardengine/svc_firewall_validate";
const MASK: &str = "/v2/pii/mask";
const UNMASK: &str = "/v2/pii/unmask";

/// A project that blocks `aurora` and masks e-mail addresses.
struct Project {
    service: TestService,
    token: String,
    id: String,
}

impl Project {
    async fn start() -> Self {
        let service = TestService::start().await;
        let token = service.owner().await;
        let pii = json!({
            "guardrail": "pii", "pii_kinds": ["email"], "pii_masking_enabled": true, "pii_masking_strategy": "full",
        });
        let policy = json!({ "policyName": "shop", "blocked_keywords": ["aurora"], "guardrails": [pii] });
        let id = service.project_with(&token, &policy).await;
        Self { service, token, id }
    }

    async fn post(&self, path: &str, mut body: Value) -> Response {
        body["projectId"] = json!(self.id);
        self.service.post_json(&self.token, path, &body).await
    }
}

#[tokio::test]
async fn a_prompt_is_allowed_masked_or_blocked() {
    let project = Project::start().await;
    let allowed = project.post(ANALYZE, json!({ "prompt": "When are you open?" })).await;
    assert_snapshot!(allowed.snapshot(), @r#"
    HTTP 200
    {
      "action": "allow",
      "allow_prompt": true,
      "confidence": 1.0,
      "coverage": {
        "characters_scanned": 18,
        "characters_total": 18,
        "complete": true,
        "transforms": [],
        "windows": 1
      },
      "log_id": "[id]",
      "masked_prompt": null,
      "model_version": "[model_version]",
      "overall_decision": "allow",
      "processing_time_ms": "[processing_time_ms]",
      "reason": null,
      "risk_level": "no_risk",
      "safety_score": 100,
      "triggered_guardrails": []
    }
    "#);
    let masked = project.post(ANALYZE, json!({ "prompt": "Write to jane@example.com" })).await;
    assert_snapshot!(masked.snapshot(), @r#"
    HTTP 200
    {
      "action": "mask",
      "allow_prompt": true,
      "confidence": 0.98,
      "coverage": {
        "characters_scanned": 25,
        "characters_total": 25,
        "complete": true,
        "transforms": [],
        "windows": 1
      },
      "log_id": "[id]",
      "masked_prompt": "Write to [EMAIL_REDACTED]",
      "model_version": "[model_version]",
      "overall_decision": "allow",
      "processing_time_ms": "[processing_time_ms]",
      "reason": null,
      "risk_level": "critical",
      "safety_score": 3,
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
      ]
    }
    "#);
    let blocked = project.post(ANALYZE, json!({ "prompt": "What is aurora?" })).await;
    assert_snapshot!(blocked.snapshot(), @r#"
    HTTP 200
    {
      "action": "block",
      "allow_prompt": false,
      "confidence": 1.0,
      "coverage": {
        "characters_scanned": 15,
        "characters_total": 15,
        "complete": true,
        "transforms": [],
        "windows": 1
      },
      "log_id": "[id]",
      "masked_prompt": null,
      "model_version": "[model_version]",
      "overall_decision": "block",
      "processing_time_ms": "[processing_time_ms]",
      "reason": "blocked_keyword: aurora",
      "risk_level": "critical",
      "safety_score": 1,
      "triggered_guardrails": [
        {
          "action": "block",
          "confidence": 1.0,
          "evidence": [
            "aurora"
          ],
          "name": "blocked_keyword",
          "severity": "high",
          "spans": [
            {
              "end": 14,
              "start": 8
            }
          ]
        }
      ]
    }
    "#);
}

#[tokio::test]
async fn a_response_is_masked_or_refused() {
    let project = Project::start().await;
    let masked = project.post(VALIDATE, json!({ "response": "Write to jane@example.com" })).await;
    assert_snapshot!(masked.snapshot(), @r#"
    HTTP 200
    {
      "action": "mask",
      "allow_prompt": true,
      "confidence": 0.98,
      "coverage": {
        "characters_scanned": 25,
        "characters_total": 25,
        "complete": true,
        "transforms": [],
        "windows": 1
      },
      "log_id": "[id]",
      "masked_response": "Write to [EMAIL_REDACTED]",
      "model_version": "[model_version]",
      "overall_decision": "allow",
      "processing_time_ms": "[processing_time_ms]",
      "reason": null,
      "risk_level": "critical",
      "safety_score": 3,
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
      ]
    }
    "#);
    assert_snapshot!(project.post(VALIDATE, json!({ "prompt": "hello" })).await.snapshot(), @r#"
    HTTP 422
    {
      "detail": "field required: response"
    }
    "#);
}

#[tokio::test]
async fn personal_data_is_masked_and_restored() {
    let project = Project::start().await;
    let body = json!({ "text": "Write to jane@example.com", "strategy": "token" });
    let masked = project.post(MASK, body).await;
    let body = json!({ "text": masked.text("masked_text") });
    let restored = project.service.post_json(&project.token, UNMASK, &body).await;
    assert_snapshot!(restored.snapshot(), @r#"
    HTTP 200
    {
      "restored": 1,
      "text": "Write to jane@example.com"
    }
    "#);
    let masked = project.post(MASK, json!({ "text": "Write to jane@example.com" })).await;
    assert_snapshot!(masked.snapshot(), @r#"
    HTTP 200
    {
      "masked_text": "Write to [EMAIL_REDACTED]",
      "masking_applied": true,
      "pii_found": [
        "email"
      ]
    }
    "#);
    assert_snapshot!(project.post(MASK, json!({ "text": "a", "strategy": "none" })).await.snapshot(), @r#"
    HTTP 422
    {
      "detail": "strategy: must be one of full, partial, format_preserving, format-preserving, hash, token, synthetic"
    }
    "#);
}

#[tokio::test]
async fn an_image_is_refused_without_a_reader() {
    let service = TestService::with(&[("media.program", "/nonexistent")]).await;
    let token = service.owner().await;
    let image =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==";
    let body = json!({ "prompt": "What is this?", "images": [image] });
    let response = service.post_json(&token, ANALYZE, &body).await;
    assert_eq!((response.status, response.header("retry-after")), (503, "1"));
    assert_eq!(service.charges(&token).await, 0);
}
