//! Event types.

use guardengine_store::CREDITS_LOW;

pub const MASKED: &str = "decision.masked";
pub const BLOCKED: &str = "decision.blocked";
pub const CHALLENGED: &str = "decision.challenged";
pub const ESCALATED: &str = "decision.escalated";
pub const REVIEW_DECIDED: &str = "review.decided";
pub const REVIEW_EXPIRED: &str = "review.expired";
pub const CONNECTOR_ERROR: &str = "connector.error";
pub const CONNECTOR_RECOVERED: &str = "connector.recovered";
pub const TOOLS_CHANGED: &str = "connector.tools_changed";
pub const AUDIT_HEAD: &str = "audit.head";
pub const ALERT_FIRED: &str = "alert.fired";
pub const ALERT_RESOLVED: &str = "alert.resolved";
pub const JOB_FINISHED: &str = "job.finished";

/// All event types.
pub const KINDS: [&str; 14] = [
    MASKED,
    BLOCKED,
    CHALLENGED,
    ESCALATED,
    REVIEW_DECIDED,
    REVIEW_EXPIRED,
    CREDITS_LOW,
    CONNECTOR_ERROR,
    CONNECTOR_RECOVERED,
    TOOLS_CHANGED,
    AUDIT_HEAD,
    JOB_FINISHED,
    ALERT_FIRED,
    ALERT_RESOLVED,
];

/// Returns the event types as choices of a request field.
pub fn choices() -> [(&'static str, &'static str); 14] {
    KINDS.map(|kind| (kind, kind))
}
