//! Decides whether a text is allowed. No other module does.
//!
//! In order: a blocked keyword blocks; a prompt over the maximum length is blocked; what was not read completely is
//! blocked, or whatever the policy says; an allowed keyword skips guardrail blocks, but not masking; an exception skips
//! its own guardrail; then the most severe action among the triggered guardrails applies. An allowed keyword or an
//! exception covers only the part that contains it: one in the prompt does not let through what was found in a document.

use super::{
    CompiledPolicy, Opinion,
    compile::EnabledGuardrail,
    coverage::{self, coverage},
    risk,
    second_opinion::AdjustedFindings,
    verdict::{GuardrailScore, Masking, Outcome, TriggeredGuardrail, Verdict},
    waivers::{is_waived, parts_with},
};
use crate::{
    detectors::pii,
    evidence::{Evidence, Origin, Part},
    finding::Finding,
    guardrail::Direction,
    keywords::Keywords,
    pii::mask::Strategy,
    span::CodePoints,
    text::Coverage,
};

#[cfg(test)]
mod tests;

/// Options of a request. They only make a policy stricter, except for confirming a challenge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RequestOptions {
    /// Mask PII that the policy would let through.
    pub mask: bool,
    /// Strategy, unless the policy masks itself.
    pub strategy: Option<Strategy>,
    /// Also mask a text that waits for a confirmation or a review, for when it is let through.
    pub mask_what_waits: bool,
    /// The user's answer to a challenge. The caller verifies that there was one.
    pub confirmation: Option<Confirmation>,
}

/// A user's answer to a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Send it: challenges no longer stop the text.
    Given,
    /// Do not send it: the text is blocked.
    Refused,
}

/// Evaluates `evidence` under `policy`.
pub fn decide(policy: &CompiledPolicy, evidence: &Evidence<'_>, options: RequestOptions) -> Verdict {
    decide_with_opinion(policy, evidence, options, None)
}

/// Like [`decide`], with the opinion of a language model if one was asked.
pub fn decide_with_opinion(
    policy: &CompiledPolicy,
    evidence: &Evidence<'_>,
    options: RequestOptions,
    opinion: Option<&Opinion>,
) -> Verdict {
    let verdict = evaluate(policy, evidence, options, opinion);
    if options.confirmation == Some(Confirmation::Refused) { refused(verdict) } else { verdict }
}

fn evaluate(
    policy: &CompiledPolicy,
    evidence: &Evidence<'_>,
    options: RequestOptions,
    opinion: Option<&Opinion>,
) -> Verdict {
    if !policy.guards(evidence.direction) {
        return unguarded(evidence.direction);
    }
    let mut triggered = rules(policy, evidence);
    let is_ruled_out = !triggered.is_empty();
    let found = found(policy, evidence, opinion);
    let (scores, mut by_guardrails, parts) = guardrails(evidence, found.by_guardrail);
    let without_exceptions = most_severe(&by_guardrails).filter(|outcome| !outcome.allows());
    if !is_ruled_out && !by_guardrails.is_empty() {
        let allowed = parts_with(&policy.allowed, evidence);
        for (one, parts) in by_guardrails.iter_mut().zip(&parts) {
            if is_waived(parts, &allowed, policy, evidence, one.name) {
                downgrade_to_allow(one);
            }
        }
    }
    let coverage = coverage(evidence);
    by_guardrails.extend(coverage::rule(policy, &coverage));
    let without_exceptions =
        without_exceptions.filter(|_| most_severe(&by_guardrails).is_some_and(Outcome::allows));
    if options.confirmation == Some(Confirmation::Given) {
        by_guardrails.iter_mut().filter(|one| one.outcome == Outcome::Challenge).for_each(downgrade_to_allow);
    }
    mask_on_request(policy, evidence, options, &mut by_guardrails);
    triggered.append(&mut by_guardrails);
    triggered.sort_by(|a, b| b.outcome.cmp(&a.outcome).then(b.confidence.total_cmp(&a.confidence)));
    let verdict = conclude(policy, evidence, options, scores, triggered, coverage);
    let verdict = Verdict { without_exceptions, ..verdict };
    if let Some(told) = found.told { advised(verdict, told) } else { verdict }
}

/// Adds to the verdict what a language model changed.
fn advised(verdict: Verdict, told: String) -> Verdict {
    let reason = verdict.reason.map(|reason| format!("{reason}; {told}"));
    Verdict { reason, second_opinion: Some(told), ..verdict }
}

fn most_severe(triggered: &[TriggeredGuardrail]) -> Option<Outcome> {
    triggered.iter().map(|one| one.outcome).max()
}

fn conclude(
    policy: &CompiledPolicy,
    evidence: &Evidence<'_>,
    options: RequestOptions,
    scores: Vec<GuardrailScore>,
    triggered: Vec<TriggeredGuardrail>,
    coverage: Coverage,
) -> Verdict {
    let outcome = most_severe(&triggered).unwrap_or(Outcome::Allow);
    Verdict {
        outcome,
        confidence: confidence(outcome, &triggered, &scores),
        risk: overall_risk(&triggered, &scores),
        reason: (!outcome.allows()).then(|| reason(outcome, &triggered, &scores)),
        evaluated: true,
        without_exceptions: None,
        second_opinion: None,
        masking: is_masked(outcome, &triggered, options).then(|| masking(policy, evidence, options)),
        coverage,
        triggered,
        scores,
    }
}

fn is_masked(outcome: Outcome, triggered: &[TriggeredGuardrail], options: RequestOptions) -> bool {
    let waits = matches!(outcome, Outcome::Challenge | Outcome::Escalate);
    let masks = || triggered.iter().any(|one| one.outcome == Outcome::Mask);
    outcome == Outcome::Mask || options.mask_what_waits && waits && masks()
}

/// Blocks a text that the user did not confirm, whatever the policy decides.
fn refused(verdict: Verdict) -> Verdict {
    if verdict.outcome == Outcome::Block {
        return verdict;
    }
    let reason = Some("the user did not confirm it".to_owned());
    Verdict { outcome: Outcome::Block, confidence: 1.0, reason, masking: None, ..verdict }
}

fn unguarded(direction: Direction) -> Verdict {
    let what = match direction {
        Direction::Input => "prompts",
        Direction::Output => "responses",
    };
    Verdict {
        outcome: Outcome::Allow,
        triggered: Vec::new(),
        scores: Vec::new(),
        confidence: 1.0,
        risk: 0.0,
        reason: Some(format!("not judged: the policy does not guard {what}")),
        evaluated: false,
        without_exceptions: None,
        second_opinion: None,
        masking: None,
        coverage: Coverage::default(),
    }
}

/// Evaluates the rules that precede every guardrail.
fn rules(policy: &CompiledPolicy, evidence: &Evidence<'_>) -> Vec<TriggeredGuardrail> {
    let rule = |name, confidence, evidence| TriggeredGuardrail {
        name,
        confidence,
        outcome: Outcome::Block,
        spans: Vec::new(),
        evidence: vec![evidence],
    };
    let mut broken = Vec::new();
    if let Some((word, finding)) = keyword(&policy.blocked, evidence) {
        let mut rule = rule("blocked_keyword", 1.0, policy.blocked_words[word].clone());
        rule.spans = spans(evidence, &[finding]);
        broken.push(rule);
    }
    let longest = policy.max_prompt_length;
    if evidence.direction == Direction::Input && is_longer(subject(evidence), longest) {
        broken.push(rule("max_prompt_length", risk::OVERLONG, format!("more than {longest} characters")));
    }
    broken
}

fn subject<'e>(evidence: &'e Evidence<'_>) -> &'e str {
    let is_subject = |part: &&Part<'_>| part.origin == Origin::Subject;
    evidence.parts.iter().find(is_subject).map_or("", |part| part.text.original())
}

// A text has at most as many characters as bytes, so characters of most texts need not be counted.
fn is_longer(text: &str, longest: usize) -> bool {
    text.len() > longest && text.chars().count() > longest
}

/// Returns the first keyword in the subject or media.
fn keyword(keywords: &Keywords, evidence: &Evidence<'_>) -> Option<(usize, Finding)> {
    evidence.parts.iter().enumerate().filter(|(_, part)| part.origin.is_sent()).find_map(|(at, part)| {
        let (word, span) = keywords.find(&part.text)?;
        Some((
            word,
            Finding { confidence: 1.0, part: at, span: Some(span), evidence: "".into(), is_learned: false },
        ))
    })
}

/// Runs every enabled guardrail, and adjusts the findings by the opinion if there is one.
fn found<'p>(
    policy: &'p CompiledPolicy,
    evidence: &Evidence<'_>,
    opinion: Option<&Opinion>,
) -> AdjustedFindings<'p> {
    let inspected = |enabled: &'p EnabledGuardrail| {
        let mut findings = Vec::new();
        evidence.times.measure(enabled.guardrail.name, || {
            enabled.inspector.inspect(evidence, enabled.applies_to, &mut findings);
        });
        (enabled, findings)
    };
    let by_guardrail = policy.enabled.iter().map(inspected).collect();
    match opinion {
        Some(opinion) => opinion.weigh(policy.reasoning.may_lower, evidence, by_guardrail),
        None => AdjustedFindings { by_guardrail, told: None },
    }
}

/// Returns the scores of the guardrails, those that triggered, and the parts in which each of these did.
fn guardrails(
    evidence: &Evidence<'_>,
    found: Vec<(&EnabledGuardrail, Vec<Finding>)>,
) -> (Vec<GuardrailScore>, Vec<TriggeredGuardrail>, Vec<Vec<usize>>) {
    let mut scores = Vec::with_capacity(found.len());
    let (mut triggered, mut parts) = (Vec::new(), Vec::new());
    for (enabled, mut findings) in found {
        let score = score(enabled, &findings);
        if score.is_triggered() {
            findings.retain(|finding| finding.confidence >= enabled.threshold);
            parts.push(findings.iter().map(|finding| finding.part).collect());
            triggered.push(trigger(&score, evidence, &mut findings));
        }
        scores.push(score);
    }
    (scores, triggered, parts)
}

fn score(enabled: &EnabledGuardrail, findings: &[Finding]) -> GuardrailScore {
    GuardrailScore {
        name: enabled.guardrail.name,
        confidence: findings.iter().map(|finding| finding.confidence).fold(0.0, f32::max).min(1.0),
        threshold: enabled.threshold,
        outcome: enabled.outcome,
    }
}

fn trigger(
    standing: &GuardrailScore,
    evidence: &Evidence<'_>,
    findings: &mut [Finding],
) -> TriggeredGuardrail {
    findings.sort_by(|a, b| b.confidence.total_cmp(&a.confidence));
    let mut told: Vec<String> = Vec::new();
    for finding in findings.iter() {
        if told.len() < 10
            && !finding.evidence.is_empty()
            && !told.iter().any(|known| *known == finding.evidence)
        {
            told.push(finding.evidence.clone().into_owned());
        }
    }
    TriggeredGuardrail {
        name: standing.name,
        confidence: standing.confidence,
        outcome: standing.outcome,
        spans: spans(evidence, findings),
        evidence: told,
    }
}

/// Returns the locations in code points, in order of appearance.
fn spans(evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<crate::evidence::PublicSpan> {
    let mut places: Vec<_> =
        findings.iter().filter_map(|finding| Some((finding.part, finding.span?))).collect();
    places.sort_unstable();
    places.dedup();
    places.truncate(TriggeredGuardrail::MAX_SPANS);
    let parts = places.chunk_by(|a, b| a.0 == b.0);
    let convert = |places: &[(usize, crate::span::Span)]| {
        let part = &evidence.parts[places[0].0];
        let mut points = CodePoints::new(part.text.original());
        places.iter().map(|(_, span)| points.span(*span, part.origin)).collect::<Vec<_>>()
    };
    parts.flat_map(convert).collect()
}

fn downgrade_to_allow(triggered: &mut TriggeredGuardrail) {
    if triggered.outcome != Outcome::Mask {
        triggered.outcome = Outcome::Allow;
    }
}

/// Masks PII that the policy would let through, if the request asks for it.
fn mask_on_request(
    policy: &CompiledPolicy,
    evidence: &Evidence<'_>,
    options: RequestOptions,
    triggered: &mut Vec<TriggeredGuardrail>,
) {
    if !options.mask {
        return;
    }
    match triggered.iter_mut().find(|one| one.name == pii::GUARDRAIL.name) {
        Some(pii) if pii.outcome == Outcome::Allow => pii.outcome = Outcome::Mask,
        Some(_) => {}
        None if policy.enabled.iter().any(|enabled| enabled.guardrail.masks.is_some()) => {}
        None => triggered.extend(pii_to_mask(policy, evidence)),
    }
}

/// Returns the PII in a text whose policy does not detect any.
fn pii_to_mask(policy: &CompiledPolicy, evidence: &Evidence<'_>) -> Option<TriggeredGuardrail> {
    let mut findings = Vec::new();
    for (part, found) in evidence.pii.iter().enumerate() {
        let selected = found.iter().filter(|found| policy.pii.selection.selects(found, evidence.direction));
        findings.extend(selected.map(|found| Finding {
            confidence: found.confidence,
            part,
            span: Some(found.span),
            evidence: found.kind.clone().into(),
            is_learned: false,
        }));
    }
    let confidence = findings.iter().map(|finding| finding.confidence).reduce(f32::max)?;
    let standing = GuardrailScore {
        name: pii::GUARDRAIL.name,
        confidence,
        threshold: policy.pii.threshold,
        outcome: Outcome::Mask,
    };
    Some(trigger(&standing, evidence, &mut findings))
}

fn masking(policy: &CompiledPolicy, evidence: &Evidence<'_>, options: RequestOptions) -> Masking {
    let is_policys = policy
        .enabled
        .iter()
        .any(|enabled| enabled.guardrail.masks.is_some() && enabled.outcome == Outcome::Mask);
    let selection = &policy.pii.selection;
    let strategies = match options.strategy.filter(|_| !is_policys) {
        Some(asked) => asked.into(),
        None => selection.strategies(policy.pii.strategy, evidence.direction),
    };
    let select = |found: &Vec<crate::pii::Entity>| {
        found.iter().filter(|found| selection.selects(found, evidence.direction)).cloned().collect()
    };
    Masking { strategies, found: evidence.pii.iter().map(select).collect() }
}

fn confidence(outcome: Outcome, triggered: &[TriggeredGuardrail], scores: &[GuardrailScore]) -> f32 {
    let deciding = triggered.iter().filter(|one| one.outcome == outcome).map(|one| one.confidence);
    deciding.reduce(f32::max).unwrap_or_else(|| 1.0 - highest(scores))
}

fn highest(scores: &[GuardrailScore]) -> f32 {
    scores.iter().map(|standing| standing.confidence).fold(0.0, f32::max)
}

fn overall_risk(triggered: &[TriggeredGuardrail], scores: &[GuardrailScore]) -> f32 {
    let nearness = |standing: &GuardrailScore| (standing.confidence / standing.threshold.max(0.01)).min(1.0);
    let untriggered = || scores.iter().map(nearness).fold(0.0, f32::max) * risk::UNTRIGGERED;
    triggered.iter().map(|one| one.confidence).reduce(f32::max).unwrap_or_else(untriggered)
}

fn reason(outcome: Outcome, triggered: &[TriggeredGuardrail], scores: &[GuardrailScore]) -> String {
    let deciding = triggered.iter().filter(|one| one.outcome == outcome);
    deciding.map(|one| because(one, scores)).collect::<Vec<_>>().join("; ")
}

fn because(triggered: &TriggeredGuardrail, scores: &[GuardrailScore]) -> String {
    let evidence = triggered.evidence.join(", ");
    let Some(standing) = scores.iter().find(|standing| standing.name == triggered.name) else {
        return format!("{}: {evidence}", triggered.name);
    };
    let certainty = format!(
        "{} (confidence {:.2}, threshold {:.2})",
        standing.name, standing.confidence, standing.threshold
    );
    if evidence.is_empty() { certainty } else { format!("{certainty}: {evidence}") }
}
