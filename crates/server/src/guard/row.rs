//! What is kept and counted of a guard call.

use guardengine_engine::{
    guardrail::Direction,
    policy::{Outcome, risk},
};
use guardengine_store::Log;

use super::{
    Answered, Call,
    decision::{TriggeredGuardrail, rounded},
    standing::Standing,
};
use crate::outcomes::NOT_JUDGED;

/// The row of a call.
pub(super) fn log(call: &Call, standing: &Standing, answered: &Answered, cost: i64) -> Log {
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
    }
}

/// Tells in the metrics how long the call took and what triggered.
pub(super) fn count(call: &Call, answered: &Answered) {
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
fn outcome(answered: &Answered) -> &'static str {
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
