//! The guard decision as clients read it.

use guardengine_engine::{
    Verdict,
    policy::{Triggered, risk},
    span::PublicSpan,
};
use serde::Serialize;
use utoipa::ToSchema;

/// A guardrail or policy rule that triggered.
#[derive(Debug, Serialize, ToSchema)]
pub struct TriggeredGuardrail {
    /// Wire name of the guardrail, `blocked_keyword` or `max_prompt_length`.
    pub name: &'static str,
    /// 0 to 1, calibrated.
    pub confidence: f64,
    /// `high`, `medium` or `low`.
    pub severity: &'static str,
    /// What it does to this text: `allow`, `mask`, `block`, `challenge` or `escalate`.
    pub action: &'static str,
    /// Where, in code points of the original.
    #[schema(value_type = Vec<Object>)]
    pub spans: Vec<PublicSpan>,
    /// What was recognised, for people. Never a private value.
    pub evidence: Vec<String>,
}

/// How much of the text was looked at, and how.
#[derive(Debug, Serialize, ToSchema)]
pub struct CoverageAnswer {
    /// Code points that were scanned.
    pub characters_scanned: usize,
    /// Code points there are.
    pub characters_total: usize,
    /// Windows that were judged.
    pub windows: usize,
    /// Transforms through which the text was read.
    pub transforms: Vec<&'static str>,
    /// Whether everything was scanned.
    pub complete: bool,
}

/// A guard decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardDecision {
    /// `allow` or `block`.
    pub overall_decision: &'static str,
    /// Whether the text may go on.
    pub allow_prompt: bool,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    pub action: &'static str,
    /// What triggered, the gravest and surest first.
    pub triggered_guardrails: Vec<TriggeredGuardrail>,
    /// How sure the decision is, 0 to 1.
    pub confidence: f64,
    /// 1 (worst) to 100.
    pub safety_score: u8,
    /// `critical`, `high`, `medium` or `no_risk`.
    pub risk_level: &'static str,
    /// Why; null when allowed.
    pub reason: Option<String>,
    /// How much was looked at.
    pub coverage: CoverageAnswer,
    /// Time spent in the service, milliseconds.
    pub processing_time_ms: u64,
    /// The model that scored.
    pub model_version: String,
}

/// A confidence as it is sent: four decimals.
pub fn rounded(confidence: impl Into<f64>) -> f64 {
    (confidence.into() * 1e4).round() / 1e4
}

impl From<&Triggered> for TriggeredGuardrail {
    fn from(triggered: &Triggered) -> Self {
        Self {
            name: triggered.name,
            confidence: rounded(triggered.confidence),
            severity: risk::severity(triggered.confidence),
            action: triggered.outcome.name(),
            spans: triggered.spans.clone(),
            evidence: triggered.evidence.clone(),
        }
    }
}

impl GuardDecision {
    /// The decision of `verdict`.
    pub fn of(verdict: &Verdict, processing_time_ms: u64, model_version: &str) -> Self {
        let allows = verdict.outcome.allows();
        let coverage = &verdict.coverage;
        Self {
            overall_decision: if allows { "allow" } else { "block" },
            allow_prompt: allows,
            action: verdict.outcome.name(),
            triggered_guardrails: verdict.triggered.iter().map(TriggeredGuardrail::from).collect(),
            confidence: rounded(verdict.confidence),
            safety_score: risk::safety_score(verdict.risk),
            risk_level: risk::level(verdict.risk),
            reason: verdict.reason.clone(),
            coverage: CoverageAnswer {
                characters_scanned: coverage.characters_scanned,
                characters_total: coverage.characters_total,
                windows: coverage.windows,
                transforms: coverage.transforms.clone(),
                complete: coverage.complete,
            },
            processing_time_ms,
            model_version: model_version.to_owned(),
        }
    }
}
