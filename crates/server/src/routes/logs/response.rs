//! A row of the log as it is answered.

use guardengine_store::{Log, Timestamp};
use serde::Serialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

/// A judged request.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogRecord {
    log_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// `analyze`, `validate`, `mask`, …
    endpoint: String,
    /// `input` or `output`.
    direction: String,
    /// The project, which may be gone by now.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Its name then.
    #[serde(rename = "projectName")]
    project_name: Option<String>,
    /// The policy that decided; null for the built-in one.
    #[serde(rename = "policyId")]
    policy_id: Option<Uuid>,
    /// Its version then.
    policy_version: Option<i64>,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    decision: String,
    /// What the shadow policy would have decided.
    shadow_decision: Option<String>,
    /// `allowed`, `masked`, `blocked`, `challenged`, `escalated`, `would_block` or `not_judged`.
    outcome: String,
    /// What triggered, as the decision told it.
    #[schema(value_type = Vec<Object>)]
    triggered_guardrails: Box<RawValue>,
    /// Of the decision, 0 to 1.
    confidence: f64,
    /// 1 (worst) to 100.
    safety_score: i64,
    /// `critical`, `high`, `medium` or `no_risk`.
    risk_level: String,
    reason: Option<String>,
    /// The application that asked, in its own words, as the four after it.
    source_app: Option<String>,
    context: Option<String>,
    device_id: Option<String>,
    /// The end user.
    username: Option<String>,
    /// Who called: `user:NAME` or `api_key:ID`.
    principal: String,
    conversation_id: Option<String>,
    /// What the project's `log_content` keeps of it.
    text: Option<String>,
    /// ISO 639-1.
    lang_code: Option<String>,
    processing_time_ms: i64,
    /// What it cost.
    credits: i64,
    correlation_id: String,
    model_version: String,
    /// What people say of the decision: `false_positive`, `missed_attack`, or null.
    mark: Option<String>,
}

impl LogRecord {
    /// Leaves out what it keeps of the text.
    pub fn leave_text_out(&mut self) {
        self.text = None;
    }
}

/// JSON that goes out as it is stored: reading and writing it again cost more than all else of a page.
fn written(list: String) -> Box<RawValue> {
    RawValue::from_string(list).unwrap_or_default()
}

impl From<Log> for LogRecord {
    fn from(log: Log) -> Self {
        Self {
            log_id: log.id,
            created_at: log.created_at,
            endpoint: log.endpoint,
            direction: log.direction,
            project_id: log.project_id,
            project_name: log.project_name,
            policy_id: log.policy_id,
            policy_version: log.policy_version,
            decision: log.decision,
            shadow_decision: log.shadow_decision,
            outcome: log.outcome,
            triggered_guardrails: written(log.triggered_guardrails),
            confidence: log.confidence,
            safety_score: log.safety_score,
            risk_level: log.risk_level,
            reason: log.reason,
            source_app: log.source_app,
            context: log.context,
            device_id: log.device_id,
            username: log.username,
            principal: log.principal,
            conversation_id: log.conversation_id,
            text: log.text,
            lang_code: log.lang_code,
            processing_time_ms: log.processing_time_ms,
            credits: log.credits,
            correlation_id: log.correlation_id,
            model_version: log.model_version,
            mark: log.mark,
        }
    }
}
