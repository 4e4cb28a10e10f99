//! Second opinions: how the opinion of a language model about a text changes the findings.
//!
//! The model is asked about guardrails with a learned score, and may raise any of their confidences. It may lower one only
//! as far as the policy allows (`llm_reasoning.may_lower`, 0 by default: a caller who asks for an opinion must not weaken
//! what the policy's author set), and it never lowers
//! - confidences that are nearly certain ([`CERTAIN`]),
//! - findings of rules,
//! - attacks on models, or anything in a text that may contain one ([`SUSPECT`]): the same text can attack the model that
//!   gives the opinion.
//!
//! Whatever a misled model says, the verdict stays within these limits, and by default is at least as severe as without
//! it.

use super::{CompiledPolicy, RequestOptions, compile::EnabledGuardrail, decide_with_opinion};
use crate::{
    detectors,
    evidence::Evidence,
    finding::Finding,
    guardrail::Guardrail,
    scores::{LABELS, label},
};

#[cfg(test)]
mod tests;

/// Confidence from which nothing is lowered: severity is high and risk is critical.
pub const CERTAIN: f32 = 0.85;
/// Confidence of an attack on models from which nothing is lowered: there is a risk.
pub const SUSPECT: f32 = 0.3;

/// The opinion of a language model about a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// Probability of each guardrail, 0 to 1, by its name in the API.
    pub risks: Vec<(&'static str, f32)>,
    /// Reason for people: one line, quoted, without private values.
    pub reason: String,
}

/// Findings of the guardrails, adjusted by an opinion.
pub(super) struct AdjustedFindings<'p> {
    /// Findings by guardrail, in the order of the policy.
    pub by_guardrail: Vec<(&'p EnabledGuardrail, Vec<Finding>)>,
    /// Description of the changes, for people.
    pub told: Option<String>,
}

/// Returns whether an opinion could change the outcome. Higher risks never make an outcome milder, so it is enough to
/// compare the two extremes.
pub fn is_open(policy: &CompiledPolicy, evidence: &Evidence<'_>, options: RequestOptions) -> bool {
    let extreme = |risk| {
        let opinion = Opinion::of_all(policy.arguable(), risk);
        decide_with_opinion(policy, evidence, options, Some(&opinion)).outcome
    };
    extreme(0.0) != extreme(1.0)
}

impl Opinion {
    fn of_all(guardrails: impl Iterator<Item = &'static Guardrail>, risk: f32) -> Self {
        let risks = guardrails.map(|guardrail| (guardrail.name, risk)).collect();
        Self { risks, reason: String::new() }
    }

    pub(super) fn weigh<'p>(
        &self,
        may_lower: f32,
        evidence: &Evidence<'_>,
        mut found: Vec<(&'p EnabledGuardrail, Vec<Finding>)>,
    ) -> AdjustedFindings<'p> {
        let may_lower = if may_hold_an_attack(evidence, &found) { 0.0 } else { may_lower };
        let mut changes = Vec::new();
        for (enabled, findings) in &mut found {
            let Some(risk) = self.risk(enabled.guardrail.name) else { continue };
            let before = highest(findings);
            lower(findings, risk, if enabled.guardrail.attacks_model { 0.0 } else { may_lower });
            raise(findings, risk);
            changes.extend(change(enabled.guardrail.name, before, highest(findings)));
        }
        let told = (!changes.is_empty()).then(|| self.told(&changes));
        AdjustedFindings { by_guardrail: found, told }
    }

    fn risk(&self, name: &str) -> Option<f32> {
        self.risks.iter().find(|(about, _)| *about == name).map(|(_, risk)| risk.clamp(0.0, 1.0))
    }

    fn told(&self, changes: &[String]) -> String {
        let changes = changes.join(", ");
        if self.reason.is_empty() {
            return format!("a language model {changes}");
        }
        format!("a language model {changes}: {}", self.reason)
    }
}

fn change(name: &str, before: f32, after: f32) -> Option<String> {
    let how = if after > before { "raised" } else { "lowered" };
    (after != before).then(|| format!("{how} {name} from {before:.2} to {after:.2}"))
}

fn highest(findings: &[Finding]) -> f32 {
    findings.iter().map(|finding| finding.confidence).fold(0.0, f32::max)
}

fn lower(findings: &mut [Finding], risk: f32, may_lower: f32) {
    for finding in findings.iter_mut().filter(|finding| finding.is_learned) {
        if finding.confidence < CERTAIN && risk < finding.confidence {
            finding.confidence = risk.max(finding.confidence - may_lower);
        }
    }
}

/// Adds a finding of the model's own at the most suspicious known location.
fn raise(findings: &mut Vec<Finding>, risk: f32) {
    if risk <= highest(findings) {
        return;
    }
    let surest = findings.iter().max_by(|a, b| a.confidence.total_cmp(&b.confidence));
    let (part, span) = surest.map_or((0, None), |finding| (finding.part, finding.span));
    let evidence = "a language model's opinion".into();
    findings.push(Finding { confidence: risk, part, span, evidence, is_learned: false });
}

/// Returns whether any guardrail against attacks, of the policy or not, suspects the text.
fn may_hold_an_attack(evidence: &Evidence<'_>, found: &[(&EnabledGuardrail, Vec<Finding>)]) -> bool {
    let attacks = detectors::DETECTORS
        .iter()
        .map(|detector| detector.guardrail())
        .filter(|guardrail| guardrail.attacks_model);
    let labels: Vec<usize> = attacks.filter_map(|guardrail| label(guardrail.name)).collect();
    let is_scored = |scores: &[f32; LABELS.len()]| labels.iter().any(|label| scores[*label] >= SUSPECT);
    evidence.scores.scored.iter().any(|scored| is_scored(&scored.scores))
        || found
            .iter()
            .any(|(enabled, findings)| enabled.guardrail.attacks_model && highest(findings) >= SUSPECT)
}
