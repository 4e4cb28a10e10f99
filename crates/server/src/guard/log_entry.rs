//! What is kept and counted of a guard call.

use std::fmt::Write as _;

use guardengine_engine::{
    guardrail::Direction,
    policy::{Outcome, risk, verdict::Standing as Stood},
};
use guardengine_store::{Log, LogDetail};

use super::{
    GuardRequest, RecordedDecision,
    decision::{TriggeredGuardrail, rounded},
    evaluate::Evaluation,
    pipeline::text_aad,
    policy_context::PolicyContext,
    timing::StageTimings,
};
use crate::{outcome_counter::NOT_JUDGED, vault::DataKey};

/// The row of a call.
pub(super) fn log(
    call: &GuardRequest,
    standing: &PolicyContext,
    answered: &RecordedDecision,
    cost: i64,
) -> Log {
    let verdict = &answered.judged.verdict;
    let triggered: Vec<_> = verdict.triggered.iter().map(TriggeredGuardrail::from).collect();
    let sender = call.sender.clone();
    Log {
        org_id: call.caller.org_id,
        id: answered.log_id,
        created_at: call.now,
        endpoint: call.operation.name().to_owned(),
        direction: direction(call.submission.direction).to_owned(),
        project_id: call.project_id,
        project_name: standing.project.as_ref().map(|project| project.name.clone()),
        policy_id: standing.policy.map(|(id, _)| id),
        policy_version: standing.policy.map(|(_, version)| version),
        decision: verdict.outcome.name().to_owned(),
        shadow_decision: answered.judged.shadow.map(|shadow| shadow.name().to_owned()),
        outcome: outcome(answered).to_owned(),
        triggered_guardrails: serde_json::to_string(&triggered).unwrap_or_else(|_| "[]".to_owned()),
        confidence: rounded(verdict.confidence),
        safety_score: i64::from(risk::safety_score(verdict.risk)),
        risk_level: risk::level(verdict.risk).to_owned(),
        // Of a text that goes on clients read no reason; the log keeps what a language model changed.
        reason: verdict.reason.clone().or_else(|| verdict.second_opinion.clone()),
        source_app: sender.source_app,
        context: sender.context,
        device_id: sender.device_id,
        username: sender.username,
        principal: call.caller.principal_name(),
        conversation_id: sender.conversation_id,
        text: answered.judged.log_text.clone(),
        lang_code: answered.judged.language.map(str::to_owned),
        processing_time_ms: answered.processing_time_ms as i64,
        credits: cost,
        correlation_id: call.correlation_id.clone(),
        model_version: answered.model_version.clone(),
        mark: None,
    }
}

/// What is kept beside the row.
pub(super) fn detail(log: &Log, judged: &Evaluation, spent: &StageTimings, key: &DataKey) -> LogDetail {
    let seal = |text: &String| key.seal(&text_aad(log.org_id, log.id), text.as_bytes());
    LogDetail {
        confidences: confidences(&judged.verdict.standings),
        timing: spent.json(),
        sealed_text: judged.sealed_text.as_ref().map(seal),
        mark_note: None,
    }
}

/// How every guardrail stood, written by hand: names need no escapes, and this is on the way of every request.
fn confidences(standings: &[Stood]) -> String {
    let mut json = String::with_capacity(32 * standings.len() + 2);
    json.push('[');
    for (place, one) in standings.iter().enumerate() {
        let joint = if place == 0 { "" } else { "," };
        let (name, confidence, threshold) = (one.name, rounded(one.confidence), rounded(one.threshold));
        // Writing to a string cannot fail.
        let _written = write!(json, "{joint}[\"{name}\",{confidence},{threshold}]");
    }
    json + "]"
}

/// Tells in the metrics how long the call took and what triggered.
pub(super) fn count(call: &GuardRequest, answered: &RecordedDecision) {
    let operation = call.operation.name();
    metrics::histogram!("guardengine_decision_duration_seconds", "operation" => operation)
        .record(call.began.elapsed());
    for triggered in &answered.judged.verdict.triggered {
        metrics::counter!("guardengine_triggered_total", "guardrail" => triggered.name).increment(1);
    }
}

const fn direction(direction: Direction) -> &'static str {
    match direction {
        Direction::Input => "input",
        Direction::Output => "output",
    }
}

/// Each request has exactly one of these; a request that failed before its verdict has no row.
fn outcome(answered: &RecordedDecision) -> &'static str {
    let verdict = &answered.judged.verdict;
    let shadow_stops = answered.judged.shadow.is_some_and(|shadow| !shadow.allows());
    match verdict.outcome {
        _ if verdict.overruled.is_some() => "would_block",
        Outcome::Allow | Outcome::Mask if shadow_stops => "would_block",
        _ if !verdict.judged => NOT_JUDGED,
        Outcome::Allow => "allowed",
        Outcome::Mask => "masked",
        Outcome::Challenge => "challenged",
        Outcome::Escalate => "escalated",
        Outcome::Block => "blocked",
    }
}
