//! Log entries as comma-separated values.

use std::borrow::Cow;

use guardengine_api_types::residual_risk_level;
use guardengine_store::LogEntry;

use crate::routes::csv;

const NAMES: [&str; 35] = [
    "log_id",
    "created_at",
    "endpoint",
    "direction",
    "projectId",
    "projectName",
    "policyId",
    "policy_version",
    "decision",
    "shadow_decision",
    "outcome",
    "triggered_guardrails",
    "confidence",
    "safety_score",
    "risk_level",
    "reason",
    "source_app",
    "context",
    "device_id",
    "username",
    "principal",
    "conversation_id",
    "text",
    "lang_code",
    "processing_time_ms",
    "credits",
    "correlation_id",
    "model_version",
    "mark",
    "surface",
    "foreign_id",
    "prompt_tokens",
    "completion_tokens",
    "upstream_time_ms",
    "residual_risk_level",
];

/// Returns the header line, after a byte order mark if `has_mark`.
pub fn head(has_mark: bool) -> ::csv::Result<Vec<u8>> {
    csv::file(std::iter::once(NAMES.map(Cow::Borrowed)), has_mark)
}

/// Returns one line per log entry.
pub fn lines(logs: &[LogEntry]) -> ::csv::Result<Vec<u8>> {
    csv::lines_of(logs.iter().map(cells))
}

/// Returns the cells in the order of [`NAMES`]; absent values are empty.
fn cells(log: &LogEntry) -> [Cow<'_, str>; 35] {
    fn shown<'t>(value: &impl ToString) -> Cow<'t, str> {
        Cow::Owned(value.to_string())
    }
    fn some<'t>(value: Option<impl ToString>) -> Cow<'t, str> {
        value.map_or(Cow::Borrowed(""), |value| shown(&value))
    }
    fn text(value: Option<&String>) -> Cow<'_, str> {
        value.map_or(Cow::Borrowed(""), Cow::from)
    }
    [
        shown(&log.id),
        shown(&log.created_at),
        Cow::from(&log.endpoint),
        Cow::from(&log.direction),
        some(log.project_id),
        text(log.project_name.as_ref()),
        some(log.policy_id),
        some(log.policy_version),
        Cow::from(&log.decision),
        text(log.shadow_decision.as_ref()),
        Cow::from(&log.outcome),
        Cow::from(&log.triggered_guardrails),
        shown(&log.confidence),
        shown(&log.safety_score),
        Cow::from(&log.risk_level),
        text(log.reason.as_ref()),
        text(log.source_app.as_ref()),
        text(log.context.as_ref()),
        text(log.device_id.as_ref()),
        text(log.username.as_ref()),
        Cow::from(&log.principal),
        text(log.conversation_id.as_ref()),
        text(log.text.as_ref()),
        text(log.lang_code.as_ref()),
        shown(&log.processing_time_ms),
        shown(&log.credits),
        Cow::from(&log.correlation_id),
        Cow::from(&log.model_version),
        text(log.feedback.as_ref()),
        Cow::from(&log.surface),
        text(log.foreign_id.as_ref()),
        some(log.prompt_tokens),
        some(log.completion_tokens),
        some(log.upstream_time_ms),
        Cow::from(residual_risk_level(log)),
    ]
}
