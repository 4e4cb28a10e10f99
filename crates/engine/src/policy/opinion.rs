//! What a language model says of a text, and how far that counts.
//!
//! It is asked about guardrails that are learned. It may raise any of their confidences. It may lower one only where the
//! policy says so (`llm_reasoning.may_lower`, not at all by default, for a caller who asks for an opinion must not weaken
//! what the policy's author set), by that much at most, and never
//! - what is nearly certain ([`CERTAIN`]),
//! - what a rule found,
//! - attacks on models, or anything in a text that may hold one ([`SUSPECT`]): the model that is asked can be attacked
//!   with the same text.
//!
//! So whatever a model that was talked over says, the verdict stays within the band, and by default is at least as grave
//! as without it.

use super::{Asked, Compiled, compiled::Armed, reconsider};
use crate::{
    detectors,
    evidence::Evidence,
    finding::Finding,
    guardrail::Guardrail,
    scores::{LABELS, label},
};

#[cfg(test)]
mod tests;

/// A confidence from here on is never lowered: where severity is high and risk critical.
pub const CERTAIN: f32 = 0.85;
/// Suspicion of an attack on models from which on nothing is lowered: where risk is no longer none.
pub const SUSPECT: f32 = 0.3;

/// What a language model says of a text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Opinion {
    /// How likely it is that the text is what a guardrail looks for, 0 to 1, by wire name.
    pub risks: Vec<(&'static str, f32)>,
    /// Why, for people: one line, quoted, without private values.
    pub reason: String,
}

/// What guardrails found, with an opinion.
pub(super) struct Weighed<'p> {
    /// By guardrail, in the policy's order.
    pub by_guardrail: Vec<(&'p Armed, Vec<Finding>)>,
    /// What the opinion changed, for people.
    pub told: Option<String>,
}

/// Whether an opinion could change what becomes of a text: risks only ever make an outcome graver, so that the two
/// extremes tell.
pub fn is_open(policy: &Compiled, evidence: &Evidence<'_>, asked: Asked) -> bool {
    let extreme = |risk| {
        let opinion = Opinion::of_all(policy.arguable(), risk);
        reconsider(policy, evidence, asked, Some(&opinion)).outcome
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
        mut found: Vec<(&'p Armed, Vec<Finding>)>,
    ) -> Weighed<'p> {
        let may_lower = if may_hold_an_attack(evidence, &found) { 0.0 } else { may_lower };
        let mut changes = Vec::new();
        for (armed, findings) in &mut found {
            let Some(risk) = self.risk(armed.guardrail.name) else { continue };
            let before = highest(findings);
            lower(findings, risk, if armed.guardrail.attacks_model { 0.0 } else { may_lower });
            raise(findings, risk);
            changes.extend(change(armed.guardrail.name, before, highest(findings)));
        }
        let told = (!changes.is_empty()).then(|| self.told(&changes));
        Weighed { by_guardrail: found, told }
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

/// A finding of the model's own, at the most suspicious place that is known.
fn raise(findings: &mut Vec<Finding>, risk: f32) {
    if risk <= highest(findings) {
        return;
    }
    let surest = findings.iter().max_by(|a, b| a.confidence.total_cmp(&b.confidence));
    let (part, span) = surest.map_or((0, None), |finding| (finding.part, finding.span));
    let evidence = "a language model's opinion".into();
    findings.push(Finding { confidence: risk, part, span, evidence, is_learned: false });
}

/// Whether any guardrail against attacks, of the policy or not, is suspicious of the text.
fn may_hold_an_attack(evidence: &Evidence<'_>, found: &[(&Armed, Vec<Finding>)]) -> bool {
    let attacks = detectors::ALL
        .iter()
        .map(|detector| detector.guardrail())
        .filter(|guardrail| guardrail.attacks_model);
    let labels: Vec<usize> = attacks.filter_map(|guardrail| label(guardrail.name)).collect();
    let is_scored = |scores: &[f32; LABELS.len()]| labels.iter().any(|label| scores[*label] >= SUSPECT);
    evidence.scores.scored.iter().any(|scored| is_scored(&scored.scores))
        || found.iter().any(|(armed, findings)| armed.guardrail.attacks_model && highest(findings) >= SUSPECT)
}
