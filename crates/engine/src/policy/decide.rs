//! The only place that says allow or block.
//!
//! Order: a blocked keyword blocks; a prompt longer than the policy allows is blocked; an allowed keyword lets
//! everything else through (masking stays), and an exception what its guardrail alone would stop; then the gravest
//! action among the triggered guardrails.

use super::{
    Compiled, Opinion,
    compiled::Armed,
    opinion::Weighed,
    risk,
    verdict::{Masking, Outcome, Standing, Triggered, Verdict},
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

/// What a request itself asks for. It can only make a policy stricter, but for a challenge that is confirmed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    /// Mask personal data where the policy would let it through.
    pub mask: bool,
    /// How, where the policy does not mask anyway.
    pub strategy: Option<Strategy>,
    /// Mask also a text that waits for a confirmation or a review, for when it may go on.
    pub mask_what_waits: bool,
    /// What the user answered when the text was challenged. Whether it was is for the caller to know.
    pub confirmation: Option<Confirmation>,
}

/// What a user answers to a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// Send it: what only challenges lets the text through.
    Given,
    /// Do not send it: the text stops.
    Refused,
}

/// Judges `evidence` by `policy`.
pub fn inspect(policy: &Compiled, evidence: &Evidence<'_>, asked: Asked) -> Verdict {
    reconsider(policy, evidence, asked, None)
}

/// The same, with what a language model says of the text, where one was asked.
pub fn reconsider(
    policy: &Compiled,
    evidence: &Evidence<'_>,
    asked: Asked,
    opinion: Option<&Opinion>,
) -> Verdict {
    let verdict = judge(policy, evidence, asked, opinion);
    if asked.confirmation == Some(Confirmation::Refused) { refused(verdict) } else { verdict }
}

fn judge(policy: &Compiled, evidence: &Evidence<'_>, asked: Asked, opinion: Option<&Opinion>) -> Verdict {
    if !policy.guards(evidence.direction) {
        return unguarded(evidence.direction);
    }
    let mut triggered = rules(policy, evidence);
    let is_ruled_out = !triggered.is_empty();
    let found = found(policy, evidence, opinion);
    let (standings, mut by_guardrails) = guardrails(evidence, found.by_guardrail);
    let overruled = gravest(&by_guardrails).filter(|outcome| !outcome.allows());
    let is_let_through = !is_ruled_out && keyword(&policy.allowed, evidence).is_some();
    for one in &mut by_guardrails {
        if is_let_through || !is_ruled_out && is_excepted(policy, evidence, one.name) {
            let_through(one);
        }
    }
    let overruled = overruled.filter(|_| gravest(&by_guardrails).is_some_and(Outcome::allows));
    if asked.confirmation == Some(Confirmation::Given) {
        by_guardrails.iter_mut().filter(|one| one.outcome == Outcome::Challenge).for_each(let_through);
    }
    ask(policy, evidence, asked, &mut by_guardrails);
    triggered.append(&mut by_guardrails);
    triggered.sort_by(|a, b| b.outcome.cmp(&a.outcome).then(b.confidence.total_cmp(&a.confidence)));
    let verdict = conclude(policy, evidence, asked, standings, triggered);
    let verdict = Verdict { overruled, ..verdict };
    if let Some(told) = found.told { advised(verdict, told) } else { verdict }
}

/// The verdict with what a language model changed on the way to it.
fn advised(verdict: Verdict, told: String) -> Verdict {
    let reason = verdict.reason.map(|reason| format!("{reason}; {told}"));
    Verdict { reason, second_opinion: Some(told), ..verdict }
}

fn gravest(triggered: &[Triggered]) -> Option<Outcome> {
    triggered.iter().map(|one| one.outcome).max()
}

fn conclude(
    policy: &Compiled,
    evidence: &Evidence<'_>,
    asked: Asked,
    standings: Vec<Standing>,
    triggered: Vec<Triggered>,
) -> Verdict {
    let outcome = gravest(&triggered).unwrap_or(Outcome::Allow);
    Verdict {
        outcome,
        confidence: confidence(outcome, &triggered, &standings),
        risk: overall_risk(&triggered, &standings),
        reason: (!outcome.allows()).then(|| reason(outcome, &triggered, &standings)),
        judged: true,
        overruled: None,
        second_opinion: None,
        masking: is_masked(outcome, &triggered, asked).then(|| masking(policy, evidence, asked)),
        coverage: coverage(evidence),
        triggered,
        standings,
    }
}

fn is_masked(outcome: Outcome, triggered: &[Triggered], asked: Asked) -> bool {
    let waits = matches!(outcome, Outcome::Challenge | Outcome::Escalate);
    let masks = || triggered.iter().any(|one| one.outcome == Outcome::Mask);
    outcome == Outcome::Mask || asked.mask_what_waits && waits && masks()
}

/// Whatever the policy says by now, a text that the user took back stops.
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
        standings: Vec::new(),
        confidence: 1.0,
        risk: 0.0,
        reason: Some(format!("not judged: the policy does not guard {what}")),
        judged: false,
        overruled: None,
        second_opinion: None,
        masking: None,
        coverage: Coverage::default(),
    }
}

/// The rules that stand before every guardrail.
fn rules(policy: &Compiled, evidence: &Evidence<'_>) -> Vec<Triggered> {
    let rule = |name, confidence, evidence| Triggered {
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

// A text has at most as many characters as bytes, so that the usual one is not counted.
fn is_longer(text: &str, longest: usize) -> bool {
    text.len() > longest && text.chars().count() > longest
}

/// The first keyword in what the user sent: not in documents, not in earlier turns.
fn keyword(keywords: &Keywords, evidence: &Evidence<'_>) -> Option<(usize, Finding)> {
    let is_sent = |part: &Part<'_>| part.origin == Origin::Subject || part.origin.is_media();
    evidence.parts.iter().enumerate().filter(|(_, part)| is_sent(part)).find_map(|(at, part)| {
        let (word, span) = keywords.find(&part.text)?;
        Some((
            word,
            Finding { confidence: 1.0, part: at, span: Some(span), evidence: "".into(), is_learned: false },
        ))
    })
}

/// Whether the text holds one of the words with which it passes that guardrail. Asked only of what triggered.
fn is_excepted(policy: &Compiled, evidence: &Evidence<'_>, guardrail: &str) -> bool {
    let armed = policy.armed.iter().find(|armed| armed.guardrail.name == guardrail);
    armed.is_some_and(|armed| keyword(&armed.exceptions, evidence).is_some())
}

/// What each guardrail finds, weighed with the opinion where there is one.
fn found<'p>(policy: &'p Compiled, evidence: &Evidence<'_>, opinion: Option<&Opinion>) -> Weighed<'p> {
    let inspected = |armed: &'p Armed| {
        let mut findings = Vec::new();
        armed.inspector.inspect(evidence, &mut findings);
        (armed, findings)
    };
    let by_guardrail = policy.armed.iter().map(inspected).collect();
    match opinion {
        Some(opinion) => opinion.weigh(policy.reasoning.may_lower, evidence, by_guardrail),
        None => Weighed { by_guardrail, told: None },
    }
}

fn guardrails(
    evidence: &Evidence<'_>,
    found: Vec<(&Armed, Vec<Finding>)>,
) -> (Vec<Standing>, Vec<Triggered>) {
    let mut standings = Vec::with_capacity(found.len());
    let mut triggered = Vec::new();
    for (armed, mut findings) in found {
        let standing = standing(armed, &findings);
        if standing.is_triggered() {
            findings.retain(|finding| finding.confidence >= armed.threshold);
            triggered.push(trigger(&standing, evidence, &mut findings));
        }
        standings.push(standing);
    }
    (standings, triggered)
}

fn standing(armed: &Armed, findings: &[Finding]) -> Standing {
    Standing {
        name: armed.guardrail.name,
        confidence: findings.iter().map(|finding| finding.confidence).fold(0.0, f32::max).min(1.0),
        threshold: armed.threshold,
        outcome: armed.outcome,
    }
}

fn trigger(standing: &Standing, evidence: &Evidence<'_>, findings: &mut [Finding]) -> Triggered {
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
    Triggered {
        name: standing.name,
        confidence: standing.confidence,
        outcome: standing.outcome,
        spans: spans(evidence, findings),
        evidence: told,
    }
}

/// Places in code points, in order of appearance.
fn spans(evidence: &Evidence<'_>, findings: &[Finding]) -> Vec<crate::evidence::PublicSpan> {
    let mut places: Vec<_> =
        findings.iter().filter_map(|finding| Some((finding.part, finding.span?))).collect();
    places.sort_unstable();
    places.dedup();
    places.truncate(Triggered::MOST_SPANS);
    let parts = places.chunk_by(|a, b| a.0 == b.0);
    let convert = |places: &[(usize, crate::span::Span)]| {
        let part = &evidence.parts[places[0].0];
        let mut points = CodePoints::new(part.text.original());
        places.iter().map(|(_, span)| points.span(*span, part.origin)).collect::<Vec<_>>()
    };
    parts.flat_map(convert).collect()
}

fn let_through(triggered: &mut Triggered) {
    if triggered.outcome != Outcome::Mask {
        triggered.outcome = Outcome::Allow;
    }
}

/// Masks where the request asks for it and the policy would let personal data through.
fn ask(policy: &Compiled, evidence: &Evidence<'_>, asked: Asked, triggered: &mut Vec<Triggered>) {
    if !asked.mask {
        return;
    }
    match triggered.iter_mut().find(|one| one.name == pii::GUARDRAIL.name) {
        Some(pii) if pii.outcome == Outcome::Allow => pii.outcome = Outcome::Mask,
        Some(_) => {}
        None if policy.armed.iter().any(|armed| armed.guardrail.masks.is_some()) => {}
        None => triggered.extend(pii_to_mask(policy, evidence)),
    }
}

/// Personal data in a text whose policy does not look for any.
fn pii_to_mask(policy: &Compiled, evidence: &Evidence<'_>) -> Option<Triggered> {
    let mut findings = Vec::new();
    for (part, found) in evidence.pii.iter().enumerate() {
        let selected = found.iter().filter(|found| policy.pii.selects(found));
        findings.extend(selected.map(|found| Finding {
            confidence: found.confidence,
            part,
            span: Some(found.span),
            evidence: found.kind.into(),
            is_learned: false,
        }));
    }
    let confidence = findings.iter().map(|finding| finding.confidence).reduce(f32::max)?;
    let standing = Standing {
        name: pii::GUARDRAIL.name,
        confidence,
        threshold: policy.pii.threshold,
        outcome: Outcome::Mask,
    };
    Some(trigger(&standing, evidence, &mut findings))
}

fn masking(policy: &Compiled, evidence: &Evidence<'_>, asked: Asked) -> Masking {
    let is_policys =
        policy.armed.iter().any(|armed| armed.guardrail.masks.is_some() && armed.outcome == Outcome::Mask);
    let strategy = asked.strategy.filter(|_| !is_policys).unwrap_or(policy.pii.strategy);
    let select = |found: &Vec<crate::pii::Found>| {
        found.iter().filter(|found| policy.pii.selects(found)).cloned().collect()
    };
    Masking { strategy, found: evidence.pii.iter().map(select).collect() }
}

fn confidence(outcome: Outcome, triggered: &[Triggered], standings: &[Standing]) -> f32 {
    let deciding = triggered.iter().filter(|one| one.outcome == outcome).map(|one| one.confidence);
    deciding.reduce(f32::max).unwrap_or_else(|| 1.0 - highest(standings))
}

fn highest(standings: &[Standing]) -> f32 {
    standings.iter().map(|standing| standing.confidence).fold(0.0, f32::max)
}

fn overall_risk(triggered: &[Triggered], standings: &[Standing]) -> f32 {
    let nearness = |standing: &Standing| (standing.confidence / standing.threshold.max(0.01)).min(1.0);
    let untriggered = || standings.iter().map(nearness).fold(0.0, f32::max) * risk::UNTRIGGERED;
    triggered.iter().map(|one| one.confidence).reduce(f32::max).unwrap_or_else(untriggered)
}

fn reason(outcome: Outcome, triggered: &[Triggered], standings: &[Standing]) -> String {
    let deciding = triggered.iter().filter(|one| one.outcome == outcome);
    deciding.map(|one| because(one, standings)).collect::<Vec<_>>().join("; ")
}

fn because(triggered: &Triggered, standings: &[Standing]) -> String {
    let evidence = triggered.evidence.join(", ");
    let Some(standing) = standings.iter().find(|standing| standing.name == triggered.name) else {
        return format!("{}: {evidence}", triggered.name);
    };
    let certainty = format!(
        "{} (confidence {:.2}, threshold {:.2})",
        standing.name, standing.confidence, standing.threshold
    );
    if evidence.is_empty() { certainty } else { format!("{certainty}: {evidence}") }
}

fn coverage(evidence: &Evidence<'_>) -> Coverage {
    let mut sum = Coverage { complete: true, ..Coverage::default() };
    for (_, part) in evidence.evaluated() {
        sum.add(&part.text.coverage());
    }
    sum
}
