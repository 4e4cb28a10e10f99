//! JSON of the autonomous decision, as the API returns it.

use std::collections::BTreeMap;

use guardengine_api_types::{CoverageAnswer, rounded};
use guardengine_engine::{
    Confirmation, Verdict,
    policy::{GuardrailSummary, Outcome, TriggeredGuardrail, verdict::GuardrailScore},
};
use guardengine_store::{NewTicket, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::user_messages::output;
use crate::{RecordedDecision, evaluate::MaskedTurn};

/// Language code for an undetermined language (BCP 47, ISO 639-2).
const UNDETERMINED: &str = "und";

/// Results of the classifiers and rules.
#[derive(Debug, Serialize, ToSchema)]
pub struct MlGuardrails {
    /// Risk from 0 to 1, same as `riskScore`.
    risk_score: f64,
    /// Names of the guardrails and rules that triggered, most severe first.
    threats_detected: Vec<&'static str>,
    /// Confidence of each guardrail that triggered, 0 to 1.
    guardrails_triggered: BTreeMap<&'static str, f64>,
}

/// The action of the policy, and its reason.
#[derive(Debug, Serialize, ToSchema)]
pub struct PolicyMatch {
    /// The action: `ALLOW`, `BLOCK`, `CHALLENGE` or `ESCALATE`.
    #[schema(value_type = guardengine_api_types::choices::AutonomousAction)]
    rule: &'static str,
    /// The guardrails that triggered, with the action that each requires.
    reasoning: String,
}

/// Result of a guardrail of the policy, or of a rule that triggered.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailAction {
    /// Wire name of the guardrail, `blocked_keyword`, `max_prompt_length` or `incomplete_coverage`.
    guardrail: &'static str,
    /// True if it triggered.
    triggered: bool,
    /// Confidence from 0 to 1.
    confidence: f64,
    /// Action when it triggers: `ALLOW`, `MASK`, `CHALLENGE`, `ESCALATE` or `BLOCK`.
    #[schema(value_type = guardengine_api_types::choices::TriggeredAction)]
    action: &'static str,
    /// Reason why it triggered or did not.
    reasoning: String,
}

/// A ticket that will be created or commented on. `GET /api/tickets/{ticket_id}` returns its progress.
#[derive(Debug, Serialize, ToSchema)]
pub struct SoarTicket {
    /// Ticket identifier in guardengine.
    ticket_id: Uuid,
    /// Connector that creates the ticket.
    connector_id: Uuid,
    /// Type of the ticket system.
    system: String,
    /// Key in the ticket system; null until the ticket is created.
    key: Option<String>,
    /// URL in the ticket system; null until the ticket is created.
    url: Option<String>,
    /// Status: `queued`.
    status: &'static str,
}

/// An autonomous decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutonomousDecision {
    /// `ALLOW`, `BLOCK`, `CHALLENGE` or `ESCALATE`: the most severe action among the guardrails that triggered.
    #[schema(value_type = guardengine_api_types::choices::AutonomousAction)]
    decision: &'static str,
    /// Human-readable reason.
    reasoning: String,
    /// Confidence in the decision, 0 to 1.
    confidence: f64,
    /// Trust score of the end user before this decision, 0 to 1. Does not affect the decision.
    user_trust_score: f64,
    /// Risk from 0 to 1.
    risk_score: f64,
    /// `LOW` below 0.3, `MEDIUM` below 0.6, `HIGH` below 0.85, else `CRITICAL`.
    #[schema(value_type = guardengine_api_types::choices::AutonomousRisk)]
    risk_level: &'static str,
    ml_guardrails: MlGuardrails,
    policy_match: PolicyMatch,
    /// Every guardrail of the policy in policy order, then the rules that triggered.
    guardrail_actions: Vec<GuardrailAction>,
    /// Share of the texts that was scanned.
    coverage: CoverageAnswer,
    /// Tickets queued by this decision.
    soar_tickets: Vec<SoarTicket>,
    /// The prompt with PII masked, to be passed on instead of the original once the prompt is allowed; null when nothing
    /// is masked.
    masked_prompt: Option<String>,
    /// The documents with PII masked; absent without documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_documents: Option<Vec<String>>,
    /// Turns with personal data masked, of those that were evaluated; absent if none has any.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    masked_turns: Vec<MaskedTurn>,
    /// Message for the end user in the prompt's language, or in English if that language has no message; empty when
    /// allowed.
    output: &'static str,
    #[schema(value_type = String, format = DateTime)]
    timestamp: Timestamp,
    /// Processing time in the service, in milliseconds.
    #[serde(rename = "latency_ms")]
    latency_ms: u64,
    /// Language of the prompt (ISO 639-1); `und` when undetermined.
    #[serde(rename = "lang_code")]
    lang_code: &'static str,
    /// With `CHALLENGE`: the single-use token to send with the user's answer.
    #[serde(rename = "challenge_token")]
    challenge_token: Option<String>,
    /// With `CHALLENGE`: expiry of the token.
    #[serde(rename = "challenge_expires_at")]
    #[schema(value_type = Option<String>, format = DateTime)]
    challenge_expires_at: Option<Timestamp>,
    /// With `ESCALATE`: the review that decides.
    #[serde(rename = "review_id")]
    review_id: Option<Uuid>,
    /// Identifier of the log entry.
    #[serde(rename = "log_id")]
    log_id: Uuid,
}

/// Data of an autonomous decision besides its evaluation.
pub(crate) struct AutonomousActions {
    pub at: Timestamp,
    /// The user's answer to a challenge.
    pub confirmation: Option<Confirmation>,
    pub user_trust_score: f64,
    pub challenge_token: Option<String>,
    pub challenge_expires_at: Option<Timestamp>,
    pub review_id: Option<Uuid>,
}

impl AutonomousDecision {
    pub(crate) fn of(recorded: RecordedDecision, actions: AutonomousActions) -> Self {
        let (evaluation, verdict) = (&recorded.evaluation, &recorded.evaluation.verdict);
        let (rule, risk_score) = (decision(verdict.outcome), rounded(verdict.risk));
        let AutonomousActions {
            at,
            confirmation,
            user_trust_score,
            challenge_token,
            challenge_expires_at,
            review_id,
        } = actions;
        Self {
            decision: rule,
            reasoning: reasoning(verdict, confirmation),
            confidence: rounded(verdict.confidence),
            user_trust_score: rounded(user_trust_score),
            risk_score,
            risk_level: risk_level(risk_score),
            ml_guardrails: MlGuardrails::of(&verdict.triggered, risk_score),
            policy_match: PolicyMatch { rule, reasoning: requested_actions(&verdict.triggered) },
            guardrail_actions: guardrail_actions(recorded.policy.guardrails(), verdict),
            coverage: CoverageAnswer::from(&verdict.coverage),
            soar_tickets: recorded.tickets.iter().map(SoarTicket::from).collect(),
            output: output(verdict.outcome, confirmation, evaluation.language),
            timestamp: at,
            latency_ms: recorded.processing_time_ms,
            lang_code: evaluation.language.unwrap_or(UNDETERMINED),
            challenge_token,
            challenge_expires_at,
            review_id,
            log_id: recorded.log_id,
            masked_prompt: recorded.evaluation.masked,
            masked_documents: recorded.evaluation.masked_documents,
            masked_turns: recorded.evaluation.masked_turns,
        }
    }
}

impl From<&NewTicket> for SoarTicket {
    fn from(ticket: &NewTicket) -> Self {
        Self {
            ticket_id: ticket.id,
            connector_id: ticket.connector_id,
            system: ticket.system.clone(),
            key: None,
            url: None,
            status: "queued",
        }
    }
}

impl MlGuardrails {
    fn of(triggered: &[TriggeredGuardrail], risk_score: f64) -> Self {
        Self {
            risk_score,
            threats_detected: triggered.iter().map(|one| one.name).collect(),
            guardrails_triggered: triggered.iter().map(|one| (one.name, rounded(one.confidence))).collect(),
        }
    }
}

/// Returns the decision for an outcome; masked texts are allowed.
const fn decision(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Allow | Outcome::Mask => "ALLOW",
        other => action(other),
    }
}

const fn action(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Allow => "ALLOW",
        Outcome::Mask => "MASK",
        Outcome::Challenge => "CHALLENGE",
        Outcome::Escalate => "ESCALATE",
        Outcome::Block => "BLOCK",
    }
}

fn risk_level(risk: f64) -> &'static str {
    match risk {
        risk if risk >= 0.85 => "CRITICAL",
        risk if risk >= 0.6 => "HIGH",
        risk if risk >= 0.3 => "MEDIUM",
        _ => "LOW",
    }
}

fn reasoning(verdict: &Verdict, confirmation: Option<Confirmation>) -> String {
    let otherwise = || match verdict.outcome {
        _ if confirmation == Some(Confirmation::Given) => "the user confirmed it",
        Outcome::Mask => "personal data is masked",
        _ if verdict.without_exceptions.is_some() => "an allowed keyword or an exception lets it through",
        _ if verdict.triggered.is_empty() => "no guardrail triggered",
        _ => "nothing that triggered stops it",
    };
    let opinion =
        || verdict.second_opinion.as_ref().map(|opinion| format!("; {opinion}")).unwrap_or_default();
    verdict.reason.clone().unwrap_or_else(|| format!("{}{}", otherwise(), opinion()))
}

fn requested_actions(triggered: &[TriggeredGuardrail]) -> String {
    let each = triggered.iter().map(|one| format!("{} asks for {}", one.name, action(one.outcome)));
    let each: Vec<_> = each.collect();
    if each.is_empty() { "no guardrail triggered".to_owned() } else { each.join(", ") }
}

fn guardrail_actions(listed: &[GuardrailSummary], verdict: &Verdict) -> Vec<GuardrailAction> {
    let is_listed =
        |one: &&TriggeredGuardrail| listed.iter().any(|listed| listed.enabled && listed.name == one.name);
    let rules = verdict.triggered.iter().filter(|one| !is_listed(one)).map(rule);
    listed.iter().map(|listed| guardrail(*listed, verdict)).chain(rules).collect()
}

/// Returns the result of a rule, or of masking that only the request asks for.
fn rule(triggered: &TriggeredGuardrail) -> GuardrailAction {
    GuardrailAction {
        guardrail: triggered.name,
        triggered: true,
        confidence: rounded(triggered.confidence),
        action: action(triggered.outcome),
        reasoning: triggered.evidence.join(", "),
    }
}

fn guardrail(listed: GuardrailSummary, verdict: &Verdict) -> GuardrailAction {
    let triggered = verdict.triggered.iter().find(|one| one.name == listed.name && listed.enabled);
    let score = verdict.scores.iter().find(|score| score.name == listed.name);
    GuardrailAction {
        guardrail: listed.name,
        triggered: triggered.is_some(),
        confidence: score.map_or(0.0, |score| rounded(score.confidence)),
        action: action(triggered.map_or(listed.outcome, |one| one.outcome)),
        reasoning: guardrail_reasoning(listed, score, triggered),
    }
}

fn guardrail_reasoning(
    listed: GuardrailSummary,
    score: Option<&GuardrailScore>,
    triggered: Option<&TriggeredGuardrail>,
) -> String {
    let Some(GuardrailScore { confidence, threshold, .. }) = score else {
        return if listed.enabled { "not judged" } else { "switched off" }.to_owned();
    };
    match triggered {
        None => format!("confidence {confidence:.2} does not reach the threshold {threshold:.2}"),
        Some(one) if one.evidence.is_empty() => {
            format!("confidence {confidence:.2} reaches the threshold {threshold:.2}")
        }
        Some(one) => {
            let evidence = one.evidence.join(", ");
            format!("confidence {confidence:.2} reaches the threshold {threshold:.2}: {evidence}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risk_levels_change_at_the_documented_points() {
        let levels = [0.0, 0.2999, 0.3, 0.5999, 0.6, 0.8499, 0.85, 1.0].map(risk_level);
        assert_eq!(levels, ["LOW", "LOW", "MEDIUM", "MEDIUM", "HIGH", "HIGH", "CRITICAL", "CRITICAL"]);
    }

    #[test]
    fn masked_texts_are_allowed() {
        let outcomes = [Outcome::Allow, Outcome::Mask, Outcome::Challenge, Outcome::Escalate, Outcome::Block];
        assert_eq!(outcomes.map(decision), ["ALLOW", "ALLOW", "CHALLENGE", "ESCALATE", "BLOCK"]);
    }
}
