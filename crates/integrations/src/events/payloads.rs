//! Event payloads: ids, guardrail names and confidences, never texts.

use guardengine_api_types::rounded;
use guardengine_engine::{
    Verdict,
    policy::{Outcome, Triggered, risk},
};
use guardengine_store::{Connector, LogEntry, NewEvent, NewReview, Review, Timestamp, new_id};
use serde_json::{Value, json};

use super::types;

/// Builds the event of a decision. Returns `None` for allowed requests.
pub fn of_decision(log: &LogEntry, verdict: &Verdict, review: Option<&NewReview>) -> Option<NewEvent> {
    let kind = match verdict.outcome {
        Outcome::Allow => return None,
        Outcome::Mask => types::MASKED,
        Outcome::Block => types::BLOCKED,
        Outcome::Challenge => types::CHALLENGED,
        Outcome::Escalate => types::ESCALATED,
    };
    let payload = json!({
        "log_id": log.id,
        "endpoint": log.endpoint,
        "direction": log.direction,
        "decision": log.decision,
        "triggered_guardrails": verdict.triggered.iter().map(triggered).collect::<Vec<_>>(),
        "confidence": log.confidence,
        "safety_score": log.safety_score,
        "risk_level": log.risk_level,
        "projectName": log.project_name,
        "policyId": log.policy_id,
        "policy_version": log.policy_version,
        "username": log.username,
        "principal": log.principal,
        "review_id": review.map(|review| review.id),
        "correlation_id": log.correlation_id,
    });
    let sender = (log.project_id, Some(log.principal.clone()));
    Some(event(kind, sender, log.created_at, &payload))
}

/// Describes a triggered guardrail, without spans and evidence.
fn triggered(triggered: &Triggered) -> Value {
    json!({
        "name": triggered.name,
        "confidence": rounded(triggered.confidence),
        "severity": risk::severity(triggered.confidence),
        "action": triggered.outcome.name(),
    })
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

/// Builds a review event. The waiting application must not learn who decided, nor why.
fn of_review(kind: &'static str, review: &Review, status: &str, now: Timestamp) -> NewEvent {
    let payload = json!({
        "review_id": review.id,
        "log_id": review.log_id,
        "status": status,
        "expired": kind == types::REVIEW_EXPIRED,
        "expires_at": review.expires_at,
    });
    event(kind, (review.project_id, Some(review.principal.clone())), now, &payload)
}

/// Builds the event of a connector that failed with `error`, or recovered.
pub fn of_connector(connector: &Connector, error: Option<&str>, now: Timestamp) -> NewEvent {
    let kind = if error.is_some() { types::CONNECTOR_ERROR } else { types::CONNECTOR_RECOVERED };
    let payload = json!({
        "connector_id": connector.id,
        "connector_type": connector.connector_type,
        "name": connector.name,
        "error": error,
    });
    event(kind, (None, None), now, &payload)
}

/// Project and principal that an event belongs to.
type Sender = (Option<uuid::Uuid>, Option<String>);

fn event(
    kind: &'static str,
    (project_id, principal): Sender,
    created_at: Timestamp,
    payload: &Value,
) -> NewEvent {
    NewEvent {
        id: new_id(created_at),
        created_at,
        kind: kind.into(),
        project_id,
        principal,
        payload: payload.to_string(),
    }
}
