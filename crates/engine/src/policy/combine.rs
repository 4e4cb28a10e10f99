//! The verdict on a request with several subjects, from the verdicts on each of them.

use super::{
    TriggeredGuardrail, Verdict,
    verdict::{GuardrailScore, Masking, Outcome},
};

/// Descriptions that are kept of each guardrail.
const MAX_EVIDENCE: usize = 10;

impl Verdict {
    /// Returns the verdict on a request from those on its subjects, in their order: the most severe outcome, and whatever
    /// triggered in any of them. Spans name their subject. Returns `None` without verdicts.
    pub fn combined(verdicts: &[Self]) -> Option<Self> {
        let mut combined = verdicts.first()?.clone();
        name_subject(&mut combined.triggered, 0);
        for (subject, verdict) in verdicts.iter().enumerate().skip(1) {
            combined.add(verdict, subject);
        }
        combined
            .triggered
            .sort_by(|a, b| b.outcome.cmp(&a.outcome).then(b.confidence.total_cmp(&a.confidence)));
        // An outcome that stops the request hides what exceptions let through elsewhere.
        if !combined.outcome.allows() {
            combined.without_exceptions = None;
        }
        if combined.outcome != Outcome::Mask {
            combined.masking = None;
        }
        Some(combined)
    }

    fn add(&mut self, other: &Self, subject: usize) {
        self.confidence = match other.outcome.cmp(&self.outcome) {
            std::cmp::Ordering::Less => self.confidence,
            std::cmp::Ordering::Greater => other.confidence,
            // Certainty that nothing is wrong is that of the least certain subject.
            std::cmp::Ordering::Equal if other.outcome == Outcome::Allow => {
                self.confidence.min(other.confidence)
            }
            std::cmp::Ordering::Equal => self.confidence.max(other.confidence),
        };
        self.outcome = self.outcome.max(other.outcome);
        self.risk = self.risk.max(other.risk);
        self.evaluated |= other.evaluated;
        self.without_exceptions = self.without_exceptions.max(other.without_exceptions);
        self.reason = joined(self.reason.take(), other.reason.as_ref());
        self.second_opinion = joined(self.second_opinion.take(), other.second_opinion.as_ref());
        self.coverage.add(&other.coverage);
        for score in &other.scores {
            add_score(&mut self.scores, score);
        }
        let mut triggered = other.triggered.clone();
        name_subject(&mut triggered, subject);
        for one in triggered {
            add_triggered(&mut self.triggered, one);
        }
        match (&mut self.masking, &other.masking) {
            (Some(masking), Some(other)) => masking.found.extend_from_slice(&other.found),
            (masking @ None, Some(other)) => {
                *masking = Some(Masking { strategies: other.strategies.clone(), found: other.found.clone() });
            }
            (_, None) => {}
        }
    }
}

fn name_subject(triggered: &mut [TriggeredGuardrail], subject: usize) {
    for span in triggered.iter_mut().flat_map(|one| &mut one.spans) {
        span.subject = Some(subject);
    }
}

fn joined(reason: Option<String>, other: Option<&String>) -> Option<String> {
    match (reason, other) {
        (Some(reason), Some(other)) if !reason.split("; ").any(|known| known == other) => {
            Some(format!("{reason}; {other}"))
        }
        (reason, other) => reason.or_else(|| other.cloned()),
    }
}

fn add_score(scores: &mut Vec<GuardrailScore>, other: &GuardrailScore) {
    match scores.iter_mut().find(|score| score.name == other.name) {
        Some(score) => score.confidence = score.confidence.max(other.confidence),
        None => scores.push(other.clone()),
    }
}

fn add_triggered(triggered: &mut Vec<TriggeredGuardrail>, other: TriggeredGuardrail) {
    let Some(one) = triggered.iter_mut().find(|one| one.name == other.name) else {
        triggered.push(other);
        return;
    };
    one.confidence = one.confidence.max(other.confidence);
    one.outcome = one.outcome.max(other.outcome);
    one.spans.extend(other.spans);
    one.spans.truncate(TriggeredGuardrail::MAX_SPANS);
    for text in other.evidence {
        if one.evidence.len() < MAX_EVIDENCE && !one.evidence.contains(&text) {
            one.evidence.push(text);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{
        Evidence,
        evidence::{Origin, Part},
        guardrail::Direction,
        pii,
        policy::{CompiledPolicy, RequestOptions, decide, document::Policy},
        scores::Scores,
        text::Text,
    };

    fn verdict(text: &str) -> Verdict {
        let policy = json!({ "policyName": "a", "blocked_keywords": ["forbidden"],
            "guardrails": [{ "guardrail": "pii", "pii_masking_enabled": true }] });
        let policy = CompiledPolicy::compile(&Policy::parse(&policy).unwrap()).unwrap();
        let part = Part::new(Origin::Subject, Text::new(text));
        let found = vec![pii::find_all(&part.text)];
        let evidence = Evidence::new(Direction::Input, vec![part], found, Scores::default());
        decide(&policy, &evidence, RequestOptions::default())
    }

    fn combined(texts: &[&str]) -> Verdict {
        let verdicts: Vec<_> = texts.iter().map(|text| verdict(text)).collect();
        Verdict::combined(&verdicts).unwrap()
    }

    #[test]
    fn the_most_severe_outcome_decides_wherever_it_stands() {
        let mail = "write to jane@example.com";
        assert_eq!(combined(&["hello", "there"]).outcome, Outcome::Allow);
        assert_eq!(combined(&["hello", mail]).outcome, Outcome::Mask);
        for texts in [["forbidden", "hello"], ["hello", "forbidden"], [mail, "forbidden"]] {
            let verdict = combined(&texts);
            assert_eq!(verdict.outcome, Outcome::Block, "{texts:?}");
            assert!(verdict.masking.is_none() && verdict.reason.is_some(), "{texts:?}");
        }
    }

    #[test]
    fn spans_name_their_subject() {
        let verdict = combined(&["jane@example.com", "hello", "or joe@example.com"]);
        let spans = &verdict.triggered[0].spans;
        let places: Vec<_> = spans.iter().map(|span| (span.subject, span.start, span.end)).collect();
        assert_eq!(places, [(Some(0), 0, 16), (Some(2), 3, 18)]);
        assert_eq!(verdict.triggered.len(), 1);
        assert_eq!(verdict.masking.unwrap().found.iter().flatten().count(), 2);
    }

    #[test]
    fn coverage_adds_up_and_reasons_are_listed_once() {
        let verdict = combined(&["forbidden", "forbidden too"]);
        assert_eq!(verdict.coverage.characters_total, 22);
        assert_eq!(verdict.reason, combined(&["forbidden"]).reason);
    }
}
