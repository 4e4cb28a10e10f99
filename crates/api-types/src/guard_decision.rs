//! The guard decision, as the guard endpoints return it.

use guardengine_engine::{
    Verdict,
    evidence::PublicSpan,
    policy::{self, risk},
    text::Coverage,
};
use serde::Serialize;
use utoipa::ToSchema;

/// A guardrail or policy rule that triggered.
#[derive(Debug, Serialize, ToSchema)]
pub struct TriggeredGuardrail {
    /// Wire name of the guardrail, `blocked_keyword`, `max_prompt_length` or `incomplete_coverage`.
    pub name: &'static str,
    /// 0 to 1, calibrated.
    pub confidence: f64,
    /// `high`, `medium` or `low`.
    #[schema(value_type = crate::choices::Severity)]
    pub severity: &'static str,
    /// Action on this text: `allow`, `mask`, `block`, `challenge` or `escalate`.
    #[schema(value_type = crate::choices::Decision)]
    pub action: &'static str,
    /// Places of the matches, in code points of the original text.
    #[schema(value_type = Vec<crate::spans::SpanSchema>)]
    pub spans: Vec<PublicSpan>,
    /// Human-readable descriptions of the matches. Never contains a private value.
    pub evidence: Vec<String>,
}

/// Share of the texts that was scanned, and the transforms applied to them: prompt or response, documents, evaluated turns,
/// images and audio together.
#[derive(Debug, Serialize, ToSchema)]
pub struct CoverageAnswer {
    /// Number of code points scanned.
    pub characters_scanned: usize,
    /// Number of code points submitted.
    pub characters_total: usize,
    /// Number of windows evaluated.
    pub windows: usize,
    /// Transforms applied to the text before detection.
    pub transforms: Vec<&'static str>,
    /// Pages, images and entries of documents that were not read; absent if there are none.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(required = false)]
    pub unread: u32,
    /// True when everything was scanned. If not, the policy's `incomplete_coverage` decides.
    pub complete: bool,
}

/// A guard decision.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardDecision {
    /// `allow` or `block`.
    #[schema(value_type = crate::choices::OverallDecision)]
    pub overall_decision: &'static str,
    /// True when the text may be passed on.
    pub allow_prompt: bool,
    /// `allow`, `mask`, `block`, `challenge` or `escalate`.
    #[schema(value_type = crate::choices::Decision)]
    pub action: &'static str,
    /// Guardrails and rules that triggered, most severe action and highest confidence first.
    pub triggered_guardrails: Vec<TriggeredGuardrail>,
    /// Confidence in the decision, 0 to 1.
    pub confidence: f64,
    /// 1 (worst) to 100.
    pub safety_score: u8,
    /// `critical`, `high`, `medium` or `no_risk`.
    #[schema(value_type = crate::choices::RiskLevel)]
    pub risk_level: &'static str,
    /// Reason for the decision; null when allowed.
    pub reason: Option<String>,
    /// Share of the text that was scanned.
    pub coverage: CoverageAnswer,
    /// Processing time in the service, in milliseconds.
    pub processing_time_ms: u64,
    /// Version of the models that scored the text.
    pub model_version: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// Returns a confidence rounded to the four decimals of the API.
pub fn rounded(confidence: impl Into<f64>) -> f64 {
    (confidence.into() * 1e4).round() / 1e4
}

impl From<&policy::TriggeredGuardrail> for TriggeredGuardrail {
    fn from(triggered: &policy::TriggeredGuardrail) -> Self {
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

impl From<&Coverage> for CoverageAnswer {
    fn from(coverage: &Coverage) -> Self {
        Self {
            characters_scanned: coverage.characters_scanned,
            characters_total: coverage.characters_total,
            windows: coverage.windows,
            transforms: coverage.transforms.clone(),
            unread: coverage.unread,
            complete: coverage.complete,
        }
    }
}

impl GuardDecision {
    /// Creates the decision from `verdict`.
    pub fn of(verdict: &Verdict, processing_time_ms: u64, model_version: &str) -> Self {
        let allows = verdict.outcome.allows();
        Self {
            overall_decision: if allows { "allow" } else { "block" },
            allow_prompt: allows,
            action: verdict.outcome.name(),
            triggered_guardrails: verdict.triggered.iter().map(TriggeredGuardrail::from).collect(),
            confidence: rounded(verdict.confidence),
            safety_score: risk::safety_score(verdict.risk),
            risk_level: risk::level(verdict.risk),
            reason: verdict.reason.clone(),
            coverage: CoverageAnswer::from(&verdict.coverage),
            processing_time_ms,
            model_version: model_version.to_owned(),
        }
    }
}
