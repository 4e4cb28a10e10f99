//! Event payloads: ids, guardrail names and confidences, never texts.

use guardengine_api_types::rounded;
use guardengine_engine::{
    Verdict,
    policy::{self, Outcome, risk},
};
use guardengine_store::{
    AlertRule, AuditHead, Connector, Job, LogEntry, NewEvent, NewReview, Review, Timestamp, new_id,
};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::types;
use crate::alerts::Condition;

/// Payload of the events `decision.*`.
#[derive(Debug, Serialize, ToSchema)]
pub struct DecisionPayload<'a> {
    /// Id of the log entry.
    log_id: Uuid,
    /// Endpoint of the request, such as `analyze`.
    endpoint: &'a str,
    /// `input` for prompts, `output` for responses.
    direction: &'a str,
    /// Decision, as in the response.
    decision: &'a str,
    /// Guardrails that triggered: `name`, `confidence`, `severity` and `action`, without spans and evidence.
    triggered_guardrails: Vec<TriggeredGuardrail>,
    /// Confidence of the decision, 0 to 1.
    confidence: f64,
    /// Safety score, 1 to 100.
    safety_score: i64,
    /// `no_risk`, `medium`, `high` or `critical`.
    risk_level: &'a str,
    /// Name of the project, if any.
    #[serde(rename = "projectName")]
    project_name: Option<&'a str>,
    /// Id of the policy; null for the built-in one.
    #[serde(rename = "policyId")]
    policy_id: Option<Uuid>,
    /// Version of the policy.
    policy_version: Option<i64>,
    /// End user, as the request named them.
    username: Option<&'a str>,
    /// Caller: `user:` or `api_key:` and an id.
    principal: &'a str,
    /// Id of the review that an escalated prompt waits for, else null.
    review_id: Option<Uuid>,
    /// Correlation id of the request.
    correlation_id: &'a str,
}

/// A guardrail that triggered.
#[derive(Debug, Serialize, ToSchema)]
pub struct TriggeredGuardrail {
    name: &'static str,
    confidence: f64,
    severity: &'static str,
    action: &'static str,
}

impl TriggeredGuardrail {
    fn of(triggered: &policy::TriggeredGuardrail) -> Self {
        Self {
            name: triggered.name,
            confidence: rounded(triggered.confidence),
            severity: risk::severity(triggered.confidence),
            action: triggered.outcome.name(),
        }
    }
}

/// Payload of the events `review.*`. The waiting application must not learn who decided, nor why.
#[derive(Debug, Serialize, ToSchema)]
pub struct ReviewPayload<'a> {
    /// Id of the review.
    review_id: Uuid,
    /// Id of the log entry of the escalated prompt.
    log_id: Uuid,
    /// `approved` or `denied`.
    status: &'a str,
    /// True if nobody decided in time.
    expired: bool,
    /// Time from which the review counts as denied.
    #[schema(value_type = String, format = DateTime)]
    expires_at: Timestamp,
}

/// Payload of the event `connector.tools_changed`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ToolsPayload<'a> {
    /// Id of the connector.
    connector_id: Uuid,
    /// Type of the connector: `mcp_server`.
    connector_type: &'a str,
    /// Name of the connector.
    name: &'a str,
    /// Names of the tools that are refused until somebody accepts their new definitions.
    tools: &'a [String],
}

/// Payload of the events `connector.error` and `connector.recovered`.
#[derive(Debug, Serialize, ToSchema)]
pub struct ConnectorPayload<'a> {
    /// Id of the connector.
    connector_id: Uuid,
    /// Type of the connector, such as `openai`.
    connector_type: &'a str,
    /// Name of the connector.
    name: &'a str,
    /// Error message; null for `connector.recovered`.
    error: Option<&'a str>,
}

/// Payload of the events `audit.head`. Whoever keeps it can prove later that the trail was not cut before it.
#[derive(Debug, Serialize, ToSchema)]
pub struct AuditHeadPayload {
    /// Number of the newest entry of the audit trail.
    sequence: i64,
    /// Its hash, in hexadecimal.
    hash: String,
}

/// Payload of the event `job.finished`.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobPayload<'a> {
    /// Id of the job.
    job_id: Uuid,
    /// `audio`.
    kind: &'a str,
    /// `done` or `failed`.
    status: &'a str,
    /// Id of the log entry; null for a failed job.
    log_id: Option<Uuid>,
}

/// Payload of the events `alert.*`.
#[derive(Debug, Serialize, ToSchema)]
pub struct AlertPayload<'a> {
    /// Id of the rule.
    alert_id: Uuid,
    /// Name of the rule.
    name: &'a str,
    /// Type of its condition, such as `block_rate`.
    condition: &'static str,
    /// Sentence about the evaluation, with its numbers.
    summary: &'a str,
}

/// Builds the event of a rule that begins or ceases to fire.
pub fn of_alert(
    rule: &AlertRule,
    condition: &Condition,
    fires: bool,
    summary: &str,
    now: Timestamp,
) -> NewEvent {
    let kind = if fires { types::ALERT_FIRED } else { types::ALERT_RESOLVED };
    let payload = AlertPayload { alert_id: rule.id, name: &rule.name, condition: condition.name(), summary };
    event(kind, Sender { project_id: rule.project_id, ..Sender::default() }, now, &payload)
}

/// Builds the event of a decision. Returns `None` for allowed requests.
pub fn of_decision(log: &LogEntry, verdict: &Verdict, review: Option<&NewReview>) -> Option<NewEvent> {
    let kind = match verdict.outcome {
        Outcome::Allow => return None,
        Outcome::Mask => types::MASKED,
        Outcome::Block => types::BLOCKED,
        Outcome::Challenge => types::CHALLENGED,
        Outcome::Escalate => types::ESCALATED,
    };
    let payload = DecisionPayload {
        log_id: log.id,
        endpoint: &log.endpoint,
        direction: &log.direction,
        decision: &log.decision,
        triggered_guardrails: verdict.triggered.iter().map(TriggeredGuardrail::of).collect(),
        confidence: log.confidence,
        safety_score: log.safety_score,
        risk_level: &log.risk_level,
        project_name: log.project_name.as_deref(),
        policy_id: log.policy_id,
        policy_version: log.policy_version,
        username: log.username.as_deref(),
        principal: &log.principal,
        review_id: review.map(|review| review.id),
        correlation_id: &log.correlation_id,
    };
    let sender =
        Sender { project_id: log.project_id, principal: Some(log.principal.clone()), user_id: log.user_id };
    Some(event(kind, sender, log.created_at, &payload))
}

/// Builds the event of a decided review.
pub fn of_ruling(review: &Review, approves: bool, now: Timestamp) -> NewEvent {
    let status = if approves { "approved" } else { "denied" };
    of_review(types::REVIEW_DECIDED, review, status, now)
}

/// Builds the event of a review that nobody decided in time.
pub(super) fn of_expiry(review: &Review, now: Timestamp) -> NewEvent {
    of_review(types::REVIEW_EXPIRED, review, "denied", now)
}

/// Builds a review event.
fn of_review(kind: &'static str, review: &Review, status: &str, now: Timestamp) -> NewEvent {
    let payload = ReviewPayload {
        review_id: review.id,
        log_id: review.log_id,
        status,
        expired: kind == types::REVIEW_EXPIRED,
        expires_at: review.expires_at,
    };
    let sender = Sender {
        project_id: review.project_id,
        principal: Some(review.principal.clone()),
        user_id: review.user_id,
    };
    event(kind, sender, now, &payload)
}

/// Builds the event of a connector that failed with `error`, or recovered.
pub fn of_connector(connector: &Connector, error: Option<&str>, now: Timestamp) -> NewEvent {
    let kind = if error.is_some() { types::CONNECTOR_ERROR } else { types::CONNECTOR_RECOVERED };
    let payload = ConnectorPayload {
        connector_id: connector.id,
        connector_type: &connector.connector_type,
        name: &connector.name,
        error,
    };
    event(kind, Sender::default(), now, &payload)
}

/// Builds the event of tools of an MCP server whose definitions changed.
pub fn of_changed_tools(connector: &Connector, tools: &[String], now: Timestamp) -> NewEvent {
    let payload = ToolsPayload {
        connector_id: connector.id,
        connector_type: &connector.connector_type,
        name: &connector.name,
        tools,
    };
    event(types::TOOLS_CHANGED, Sender::default(), now, &payload)
}

/// Builds the event of the head of an audit trail.
pub fn of_audit_head(head: &AuditHead, now: Timestamp) -> NewEvent {
    let payload = AuditHeadPayload { sequence: head.sequence, hash: head.hash_text() };
    event(types::AUDIT_HEAD, Sender::default(), now, &payload)
}

/// Builds the event of a job that is done or failed.
pub fn of_job(job: &Job, is_done: bool, now: Timestamp) -> NewEvent {
    let payload = JobPayload {
        job_id: job.id,
        kind: &job.kind,
        status: if is_done { "done" } else { "failed" },
        log_id: is_done.then_some(job.log_id),
    };
    let sender = Sender {
        project_id: job.project_id,
        principal: Some(job.principal.clone()),
        user_id: Some(job.user_id),
    };
    event(types::JOB_FINISHED, sender, now, &payload)
}

/// Whose call an event belongs to, and for which project.
#[derive(Default)]
struct Sender {
    project_id: Option<Uuid>,
    principal: Option<String>,
    user_id: Option<Uuid>,
}

fn event(kind: &'static str, sender: Sender, created_at: Timestamp, payload: &impl Serialize) -> NewEvent {
    NewEvent {
        id: new_id(created_at),
        created_at,
        kind: kind.into(),
        project_id: sender.project_id,
        principal: sender.principal,
        user_id: sender.user_id,
        payload: serde_json::to_string(payload).unwrap_or_default(),
    }
}
