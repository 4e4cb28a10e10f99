//! The autonomous decision as clients read it.

use std::collections::BTreeMap;

use guardengine_engine::{
    Confirmation, Verdict,
    policy::{Listed, Outcome, Triggered, verdict::Standing},
};
use guardengine_store::{NewTicket, Timestamp};
use serde::Serialize;
use utoipa::ToSchema;
use uuid::Uuid;

use super::user_messages::output;
use crate::guard::{RecordedDecision, decision::rounded};

/// The code of a language that cannot be told (BCP 47, ISO 639-2).
const UNDETERMINED: &str = "und";

/// What the model and the rules found.
#[derive(Debug, Serialize, ToSchema)]
pub struct MlGuardrails {
    /// 0 to 1, as `riskScore`.
    risk_score: f64,
    /// Names of what triggered, the gravest and surest first.
    threats_detected: Vec<&'static str>,
    /// The confidence of each, 0 to 1.
    guardrails_triggered: BTreeMap<&'static str, f64>,
}

/// What of the policy decided.
#[derive(Debug, Serialize, ToSchema)]
pub struct PolicyMatch {
    /// The action: `ALLOW`, `BLOCK`, `CHALLENGE` or `ESCALATE`.
    rule: &'static str,
    /// Which guardrails asked for which action.
    reasoning: String,
}

/// How a guardrail of the policy stands, or a rule that triggered.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailAction {
    /// Its wire name, `blocked_keyword` or `max_prompt_length`.
    guardrail: &'static str,
    /// Whether it triggered.
    triggered: bool,
    /// 0 to 1.
    confidence: f64,
    /// What it does when it triggers: `ALLOW`, `MASK`, `CHALLENGE`, `ESCALATE` or `BLOCK`.
    action: &'static str,
    /// Why it triggered, or did not.
    reasoning: String,
}

/// A ticket that is raised, or commented on; `GET /api/tickets/{ticket_id}` tells what became of it.
#[derive(Debug, Serialize, ToSchema)]
pub struct SoarTicket {
    /// Its id here.
    ticket_id: Uuid,
    /// The connector that raises it.
    connector_id: Uuid,
    /// The system's type.
    system: String,
    /// Its name there, once it is raised.
    key: Option<String>,
    /// Its address there.
    url: Option<String>,
    /// How it stands: `queued`.
    status: &'static str,
}

/// An autonomous decision.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AutonomousDecision {
    /// `ALLOW`, `BLOCK`, `CHALLENGE` or `ESCALATE`: the gravest action of what triggered.
    decision: &'static str,
    /// Why, for people.
    reasoning: String,
    /// How sure the decision is, 0 to 1.
    confidence: f64,
    /// How far the end user is trusted, 0 to 1, before this decision. It is told, and decides nothing.
    user_trust_score: f64,
    /// 0 to 1.
    risk_score: f64,
    /// `LOW` below 0.3, `MEDIUM` below 0.6, `HIGH` below 0.85, else `CRITICAL`.
    risk_level: &'static str,
    ml_guardrails: MlGuardrails,
    policy_match: PolicyMatch,
    /// Every guardrail of the policy in its order, then the rules that triggered.
    guardrail_actions: Vec<GuardrailAction>,
    /// Tickets that were raised.
    soar_tickets: Vec<SoarTicket>,
    /// The prompt with its personal data masked, which goes on in its place, at once or when it may; null when nothing
    /// is masked.
    masked_prompt: Option<String>,
    /// The documents likewise; absent without documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    masked_documents: Option<Vec<String>>,
    /// What to show the end user, in the prompt's language where there is a text for it; empty when allowed.
    output: &'static str,
    #[schema(value_type = String, format = DateTime)]
    timestamp: Timestamp,
    /// Time spent in the service, milliseconds.
    #[serde(rename = "latency_ms")]
    latency_ms: u64,
    /// The prompt's language (ISO 639-1); `und` when it cannot be told.
    #[serde(rename = "lang_code")]
    lang_code: &'static str,
    /// With `CHALLENGE`: what the user's answer is sent with, once.
    #[serde(rename = "challenge_token")]
    challenge_token: Option<String>,
    /// Until when.
    #[serde(rename = "challenge_expires_at")]
    #[schema(value_type = Option<String>, format = DateTime)]
    challenge_expires_at: Option<Timestamp>,
    /// With `ESCALATE`: the review that is waited for.
    #[serde(rename = "review_id")]
    review_id: Option<Uuid>,
    /// The row in the log.
    #[serde(rename = "log_id")]
    log_id: Uuid,
}

/// What goes with a decision besides its judgement.
pub(super) struct AutonomousActions {
    pub at: Timestamp,
    /// What the user answered to a challenge.
    pub confirmation: Option<Confirmation>,
    pub user_trust_score: f64,
    pub challenge_token: Option<String>,
    pub challenge_expires_at: Option<Timestamp>,
    pub review_id: Option<Uuid>,
}

impl AutonomousDecision {
    pub(super) fn of(answered: RecordedDecision, consequences: AutonomousActions) -> Self {
        let (judged, verdict) = (&answered.judged, &answered.judged.verdict);
        let (rule, risk_score) = (decision(verdict.outcome), rounded(verdict.risk));
        let AutonomousActions {
            at,
            confirmation,
            user_trust_score,
            challenge_token,
            challenge_expires_at,
            review_id,
        } = consequences;
        Self {
            decision: rule,
            reasoning: reasoning(verdict, confirmation),
            confidence: rounded(verdict.confidence),
            user_trust_score: rounded(user_trust_score),
            risk_score,
            risk_level: risk_level(risk_score),
            ml_guardrails: MlGuardrails::of(&verdict.triggered, risk_score),
            policy_match: PolicyMatch { rule, reasoning: asked_for(&verdict.triggered) },
            guardrail_actions: guardrail_actions(answered.policy.guardrails(), verdict),
            soar_tickets: answered.tickets.iter().map(SoarTicket::from).collect(),
            output: output(verdict.outcome, confirmation, judged.language),
            timestamp: at,
            latency_ms: answered.processing_time_ms,
            lang_code: judged.language.unwrap_or(UNDETERMINED),
            challenge_token,
            challenge_expires_at,
            review_id,
            log_id: answered.log_id,
            masked_prompt: answered.judged.masked,
            masked_documents: answered.judged.masked_documents,
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
    fn of(triggered: &[Triggered], risk_score: f64) -> Self {
        Self {
            risk_score,
            threats_detected: triggered.iter().map(|one| one.name).collect(),
            guardrails_triggered: triggered.iter().map(|one| (one.name, rounded(one.confidence))).collect(),
        }
    }
}

/// What becomes of the text: a masked one is allowed.
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
        _ if verdict.overruled.is_some() => "an allowed keyword or an exception lets it through",
        _ if verdict.triggered.is_empty() => "no guardrail triggered",
        _ => "nothing that triggered stops it",
    };
    let opinion = || verdict.second_opinion.as_ref().map(|told| format!("; {told}")).unwrap_or_default();
    verdict.reason.clone().unwrap_or_else(|| format!("{}{}", otherwise(), opinion()))
}

fn asked_for(triggered: &[Triggered]) -> String {
    let each = triggered.iter().map(|one| format!("{} asks for {}", one.name, action(one.outcome)));
    let each: Vec<_> = each.collect();
    if each.is_empty() { "no guardrail triggered".to_owned() } else { each.join(", ") }
}

fn guardrail_actions(listed: &[Listed], verdict: &Verdict) -> Vec<GuardrailAction> {
    let is_listed = |one: &&Triggered| listed.iter().any(|listed| listed.enabled && listed.name == one.name);
    let rules = verdict.triggered.iter().filter(|one| !is_listed(one)).map(rule);
    listed.iter().map(|listed| guardrail(*listed, verdict)).chain(rules).collect()
}

/// A rule, or masking that the request asks for and the policy does not.
fn rule(triggered: &Triggered) -> GuardrailAction {
    GuardrailAction {
        guardrail: triggered.name,
        triggered: true,
        confidence: rounded(triggered.confidence),
        action: action(triggered.outcome),
        reasoning: triggered.evidence.join(", "),
    }
}

fn guardrail(listed: Listed, verdict: &Verdict) -> GuardrailAction {
    let triggered = verdict.triggered.iter().find(|one| one.name == listed.name && listed.enabled);
    let standing = verdict.standings.iter().find(|standing| standing.name == listed.name);
    GuardrailAction {
        guardrail: listed.name,
        triggered: triggered.is_some(),
        confidence: standing.map_or(0.0, |standing| rounded(standing.confidence)),
        action: action(triggered.map_or(listed.outcome, |one| one.outcome)),
        reasoning: why(listed, standing, triggered),
    }
}

fn why(listed: Listed, standing: Option<&Standing>, triggered: Option<&Triggered>) -> String {
    let Some(Standing { confidence, threshold, .. }) = standing else {
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
    fn levels_change_at_the_documented_points() {
        let levels = [0.0, 0.2999, 0.3, 0.5999, 0.6, 0.8499, 0.85, 1.0].map(risk_level);
        assert_eq!(levels, ["LOW", "LOW", "MEDIUM", "MEDIUM", "HIGH", "HIGH", "CRITICAL", "CRITICAL"]);
    }

    #[test]
    fn what_is_masked_is_allowed() {
        let outcomes = [Outcome::Allow, Outcome::Mask, Outcome::Challenge, Outcome::Escalate, Outcome::Block];
        assert_eq!(outcomes.map(decision), ["ALLOW", "ALLOW", "CHALLENGE", "ESCALATE", "BLOCK"]);
    }
}
