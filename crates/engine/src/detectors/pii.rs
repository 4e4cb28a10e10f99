//! Personal data.
//!
//! # What it looks for
//! Every kind of personal data under [`crate::pii::kinds`]: addresses, numbers, names, identifiers, secrets. What was
//! found is in the evidence already; here a policy says which kinds count.
//!
//! A kind that the policy names in `pii_kinds` counts with a confidence of at least [`ASKED_FOR`], so that it
//! triggers where an author asked for it; without a choice, weak finds (an ordinary web address) stay below the
//! default threshold.
//!
//! # Why it matters
//! What goes into a model may be kept, learned and shown to somebody else.
//!
//! # Triggers
//! `My card number is 4111 1111 1111 1111, please charge it.`
//!
//! # Does not trigger
//! `Release 4.11.1 of 2024-03-05 fixes order 4111 1111 1111 1112.`

use super::{Detector, Inspector};
use crate::{rules::{with_encoding}, 
    evidence::Evidence,
    finding::Finding,
    guardrail::{Group, Guardrail},
    pii::{Found, kinds},
    policy::{Invalid, written},
};

/// Confidence at least of a find whose kind was asked for by name.
pub const ASKED_FOR: f32 = 0.7;

static GUARDRAIL: Guardrail = Guardrail {
    name: "pii",
    group: Group::DataProtection,
    description: "Personal data and secrets: addresses, phone, card and account numbers, national identifiers, names, keys.",
    default_threshold: 0.65,
    settings: &["pii_masking_enabled", "pii_masking_strategy", "pii_kinds"],
    in_default_policy: true,
    triggers: "My card number is 4111 1111 1111 1111, please charge it.",
    passes: "Release 4.11.1 of 2024-03-05 fixes order 4111 1111 1111 1112.",
};

/// The guardrail.
pub struct Pii;

impl Detector for Pii {
    fn guardrail(&self) -> &'static Guardrail {
        &GUARDRAIL
    }

    fn compile(&self, item: &written::Item) -> Result<Box<dyn Inspector>, Invalid> {
        for (index, name) in item.pii_kinds.iter().flatten().enumerate() {
            check_kind(index, name)?;
        }
        Ok(Box::new(Kinds { chosen: item.pii_kinds.clone() }))
    }
}

fn check_kind(index: usize, name: &str) -> Result<(), Invalid> {
    if kinds::kind(name).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = kinds::KINDS.iter().map(|kind| kind.name()).collect();
    Err(Invalid::value(format!("pii_kinds.{index}"), format!("must be one of {}", names.join(", "))))
}

struct Kinds {
    // `None` for all.
    chosen: Option<Vec<String>>,
}

/// How sure `found` counts as under a policy that chose these kinds (`None` for all); `None` when its kind was not
/// chosen.
pub fn confidence(found: &Found, chosen: Option<&[String]>) -> Option<f32> {
    let Some(chosen) = chosen else { return Some(found.confidence) };
    chosen.iter().any(|kind| kind == found.kind).then(|| found.confidence.max(ASKED_FOR))
}

impl Inspector for Kinds {
    fn inspect(&self, evidence: &Evidence<'_>, findings: &mut Vec<Finding>) {
        for (part, _) in evidence.evaluated() {
            for found in evidence.pii.get(part).into_iter().flatten() {
                findings.extend(confidence(found, self.chosen.as_deref()).map(|confidence| Finding {
                    confidence,
                    part,
                    span: Some(found.span),
                    evidence: with_encoding(found.kind, &found.transforms),
                    is_learned: false,
                }));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        evidence::{Origin, Part},
        guardrail::Direction,
        scores::Scores,
        span::Span,
        text::Text,
    };

    fn evidence() -> Evidence<'static> {
        let found = |kind, confidence| Found {
            kind,
            span: Span::new(0, 3),
            confidence,
            value: "abc".into(),
            transforms: Vec::new(),
        };
        let parts = vec![Part::new(Origin::Subject, Text::new("abc"))];
        let pii = vec![vec![found("url", 0.6), found("email", 0.95)]];
        Evidence::new(Direction::Input, parts, pii, Scores::default())
    }

    fn findings(chosen: Option<Vec<String>>) -> Vec<(String, f32)> {
        let mut findings = Vec::new();
        Kinds { chosen }.inspect(&evidence(), &mut findings);
        findings.into_iter().map(|finding| (finding.evidence.into_owned(), finding.confidence)).collect()
    }

    #[test]
    fn without_a_choice_every_kind_counts_as_sure_as_it_is() {
        assert_eq!(findings(None), [("url".into(), 0.6), ("email".into(), 0.95)]);
    }

    #[test]
    fn a_kind_asked_for_by_name_triggers_and_others_do_not_count() {
        assert_eq!(findings(Some(vec!["url".into()])), [("url".into(), ASKED_FOR)]);
        assert_eq!(findings(Some(vec![])), []);
    }

    #[test]
    fn an_unknown_kind_is_told_with_its_place() {
        let fault = check_kind(1, "shoe_size").unwrap_err();
        assert!(fault.to_string().starts_with("pii_kinds.1: must be one of"));
    }
}
