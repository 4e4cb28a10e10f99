//! The log entry object of responses.

use std::borrow::Cow;

use guardengine_engine::policy::risk;
use guardengine_store::{LogEntry, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;
use uuid::Uuid;

/// A log entry: one evaluated request.
#[derive(Debug, Serialize, ToSchema)]
pub struct LogRecord {
    log_id: Uuid,
    #[schema(value_type = String, format = DateTime)]
    created_at: Timestamp,
    /// `analyze`, `validate`, `mask`, …
    endpoint: String,
    /// `input` or `output`.
    #[schema(value_type = crate::choices::Direction)]
    direction: String,
    /// Project identifier. The project may have been deleted.
    #[serde(rename = "projectId")]
    project_id: Option<Uuid>,
    /// Project name at the time of the request.
    #[serde(rename = "projectName")]
    project_name: Option<String>,
    /// Policy that was applied; null for the built-in policy.
    #[serde(rename = "policyId")]
    policy_id: Option<Uuid>,
    /// Version of the policy at the time of the request.
    policy_version: Option<i64>,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    #[schema(value_type = crate::choices::Decision)]
    decision: String,
    /// Decision of the shadow policy.
    #[schema(value_type = Option<crate::choices::Decision>)]
    shadow_decision: Option<String>,
    /// Outcome of the request.
    #[schema(value_type = crate::choices::LogOutcome)]
    outcome: String,
    /// Triggered guardrails, as in the decision.
    #[schema(value_type = Vec<crate::TriggeredGuardrail>)]
    triggered_guardrails: Box<RawValue>,
    /// Confidence of the decision, 0 to 1.
    confidence: f64,
    /// Safety score, 1 (worst) to 100.
    safety_score: i64,
    /// `critical`, `high`, `medium` or `no_risk`.
    #[schema(value_type = crate::choices::RiskLevel)]
    risk_level: String,
    /// Risk that is left: `risk_level`, or for a masked text that of the findings that were not masked.
    #[schema(value_type = crate::choices::RiskLevel)]
    residual_risk_level: String,
    reason: Option<String>,
    /// Source application. This and the next three fields are copied from the request.
    source_app: Option<String>,
    context: Option<String>,
    device_id: Option<String>,
    /// The end user.
    username: Option<String>,
    /// Principal: `user:NAME` or `api_key:ID`.
    principal: String,
    conversation_id: Option<String>,
    /// Text, according to the project's `log_content`.
    text: Option<String>,
    /// Language, ISO 639-1.
    lang_code: Option<String>,
    processing_time_ms: i64,
    /// Credits charged.
    credits: i64,
    correlation_id: String,
    model_version: String,
    /// Feedback: `false_positive`, `missed_attack` or null.
    #[schema(value_type = Option<crate::choices::FeedbackMark>)]
    mark: Option<String>,
    /// Interface that took the call: `native`, or the name of a foreign one, such as `litellm`.
    surface: String,
    /// Identifier that the caller gave the call in a foreign interface.
    foreign_id: Option<String>,
    /// Tokens of the request, as the provider of the model behind the gateway counted them.
    prompt_tokens: Option<i64>,
    /// Tokens of the answer, as the provider of the model behind the gateway counted them.
    completion_tokens: Option<i64>,
    /// Time in milliseconds that the model behind the gateway took. Not part of the processing time.
    upstream_time_ms: Option<i64>,
}

impl LogRecord {
    /// Removes the text.
    pub fn leave_text_out(&mut self) {
        self.text = None;
    }
}

/// Passes stored JSON through: parsing and writing it again cost more than the rest of a page.
fn written(list: String) -> Box<RawValue> {
    RawValue::from_string(list).unwrap_or_default()
}

/// The part of a finding on which the remaining risk depends.
#[derive(Deserialize)]
struct Finding<'a> {
    #[serde(borrow)]
    action: Cow<'a, str>,
    confidence: f32,
}

/// Returns the risk that is left in the text of a log entry: its risk level, or after masking that of the findings that
/// were not masked.
pub fn residual_risk_level(log: &LogEntry) -> &str {
    if log.decision != "mask" {
        return &log.risk_level;
    }
    // An unreadable list must not look harmless.
    let Ok(findings) = serde_json::from_str::<Vec<Finding<'_>>>(&log.triggered_guardrails) else {
        return &log.risk_level;
    };
    let left = findings.iter().filter(|finding| finding.action != "mask");
    risk::level(left.map(|finding| finding.confidence).fold(0.0, f32::max))
}

impl From<LogEntry> for LogRecord {
    fn from(log: LogEntry) -> Self {
        Self {
            residual_risk_level: residual_risk_level(&log).to_owned(),
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
            mark: log.feedback,
            surface: log.surface,
            foreign_id: log.foreign_id,
            prompt_tokens: log.prompt_tokens,
            completion_tokens: log.completion_tokens,
            upstream_time_ms: log.upstream_time_ms,
        }
    }
}
