//! The log entry of a guard call, and its Prometheus metrics.

use std::{fmt::Write as _, time::Duration};

use guardengine_api_types::{TriggeredGuardrail, rounded};
use guardengine_engine::{
    guardrail::Direction,
    policy::{Outcome, risk, verdict::GuardrailScore},
};
use guardengine_store::{LogEntry, LogEntryDetails};
use guardengine_vault::DataKey;

use crate::{
    GuardRequest, RecordedDecision, TokenUsage, UpstreamCall, associated_data::text_aad,
    evaluate::Evaluation, outcome_counter::NOT_JUDGED, policy_context::PolicyContext, timing::StageTimings,
};

/// Returns the log entry of a call, which cost so much and led to this call of a model.
pub(crate) fn log(
    call: &GuardRequest,
    context: &PolicyContext,
    recorded: &RecordedDecision,
    (cost, upstream): (i64, Option<UpstreamCall>),
) -> LogEntry {
    let tokens = upstream.map(|call| call.tokens).unwrap_or_default();
    let verdict = &recorded.evaluation.verdict;
    let triggered: Vec<_> = verdict.triggered.iter().map(TriggeredGuardrail::from).collect();
    let labels = recorded.evaluation.labels.clone();
    LogEntry {
        org_id: call.caller.org_id,
        id: recorded.log_id,
        created_at: call.now,
        endpoint: call.operation.name().to_owned(),
        direction: direction(call.submission.direction).to_owned(),
        project_id: call.project_id,
        project_name: context.project.as_ref().map(|project| project.name.clone()),
        policy_id: context.policy.map(|(id, _)| id),
        policy_version: context.policy.map(|(_, version)| version),
        decision: verdict.outcome.name().to_owned(),
        shadow_decision: recorded.evaluation.shadow.map(|shadow| shadow.name().to_owned()),
        outcome: outcome(recorded).to_owned(),
        triggered_guardrails: serde_json::to_string(&triggered).unwrap_or_else(|_| "[]".to_owned()),
        confidence: rounded(verdict.confidence),
        safety_score: i64::from(risk::safety_score(verdict.risk)),
        risk_level: risk::level(verdict.risk).to_owned(),
        // The API returns no reason for an allowed text; the log keeps what a second opinion changed.
        reason: verdict.reason.clone().or_else(|| verdict.second_opinion.clone()),
        source_app: labels.source_app,
        context: labels.context,
        device_id: labels.device_id,
        username: labels.username,
        principal: call.caller.principal_name(),
        user_id: Some(call.caller.user_id),
        conversation_id: labels.conversation_id,
        text: recorded.evaluation.log_text.clone(),
        lang_code: recorded.evaluation.language.map(str::to_owned),
        processing_time_ms: recorded.processing_time_ms as i64,
        credits: cost,
        correlation_id: call.correlation_id.clone(),
        model_version: recorded.model_version.clone(),
        feedback: None,
        surface: call.surface.to_owned(),
        foreign_id: call.foreign_id.clone(),
        prompt_tokens: tokens.prompt,
        completion_tokens: tokens.completion,
        upstream_time_ms: upstream.map(|call| call.model_time.as_millis() as i64),
    }
}

/// Returns the details stored beside the log entry.
pub(crate) fn detail(
    log: &LogEntry,
    evaluation: &Evaluation,
    timings: &StageTimings,
    key: &DataKey,
) -> LogEntryDetails {
    let seal = |text: &String| key.seal(&text_aad(log.org_id, log.id), text.as_bytes());
    LogEntryDetails {
        confidences: confidences(&evaluation.verdict.scores),
        timing: timings.json(),
        sealed_text: evaluation.sealed_text.as_ref().map(seal),
        feedback_note: None,
    }
}

/// Returns each guardrail's `[name, confidence, threshold]` as a JSON array. Written by hand for speed: names need no
/// escapes, and every request runs this.
fn confidences(scores: &[GuardrailScore]) -> String {
    let mut json = String::with_capacity(32 * scores.len() + 2);
    json.push('[');
    for (index, one) in scores.iter().enumerate() {
        let separator = if index == 0 { "" } else { "," };
        let (name, confidence, threshold) = (one.name, rounded(one.confidence), rounded(one.threshold));
        // Writing to a string cannot fail.
        let _written = write!(json, "{separator}[\"{name}\",{confidence},{threshold}]");
    }
    json + "]"
}

/// Records the duration of a call, the guardrails that triggered and the tokens of a model in the metrics.
pub(crate) fn count(call: &GuardRequest, recorded: &RecordedDecision, elapsed: Duration, tokens: TokenUsage) {
    let operation = call.operation.name();
    metrics::histogram!("guardengine_decision_duration_seconds", "operation" => operation).record(elapsed);
    for triggered in &recorded.evaluation.verdict.triggered {
        metrics::counter!("guardengine_triggered_total", "guardrail" => triggered.name).increment(1);
    }
    for (kind, tokens) in [("input", tokens.prompt), ("output", tokens.completion)] {
        if let Some(tokens) = tokens.and_then(|tokens| u64::try_from(tokens).ok()) {
            metrics::counter!("guardengine_gateway_tokens_total", "type" => kind).increment(tokens);
        }
    }
}

const fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}

/// Returns the outcome of a request. Requests that fail before their verdict have no log entry and count as unevaluated.
fn outcome(recorded: &RecordedDecision) -> &'static str {
    let verdict = &recorded.evaluation.verdict;
    let shadow_blocks = recorded.evaluation.shadow.is_some_and(|shadow| !shadow.allows());
    match verdict.outcome {
        _ if verdict.without_exceptions.is_some() => "would_block",
        Outcome::Allow | Outcome::Mask if shadow_blocks => "would_block",
        _ if !verdict.evaluated => NOT_JUDGED,
        Outcome::Allow => "allowed",
        Outcome::Mask => "masked",
        Outcome::Challenge => "challenged",
        Outcome::Escalate => "escalated",
        Outcome::Block => "blocked",
    }
}
