//! Detects an organization's confidential terms and documents.
//!
//! # What it looks for
//! The policy's `terms`, as keywords in every view of the text, and passages of the policy's `documents`.
//!
//! # Why it matters
//! Code names, customer lists and unpublished figures leave through prompts, pasted in by people who mean well.
//!
//! # Triggers
//! With the term `Project Nightjar`: `Summarise the status of project nightjar for the board.`
//!
//! # Does not trigger
//! With the same term: `Which birds are related to the nightjar?`

use super::{Detector, Inspector};
use crate::{
    evidence::{Evidence, Part},
    fields::FieldError,
    finding::Finding,
    fingerprint::{DOCUMENTS, Fingerprints},
    guardrail::{Action, Group, Guardrail},
    keywords::Keywords,
    rules::with_encoding,
    settings::{Default, Kind, Setting, Settings},
    sources::Sources,
    span::Span,
};

/// Findings of terms in one part, so that a text of nothing but terms takes no longer than another.
const MOST_FINDINGS: usize = 1_000;

const TERMS: Setting = Setting {
    name: "terms",
    kind: Kind::Texts { max_items: 10_000, max_chars: 500 },
    default: Default::Empty,
    help: "terms to detect.",
    is_drafted: true,
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "confidential_terms",
    group: Group::DataProtection,
    description: "The organization's own confidential terms, and passages of its confidential documents.",
    default_threshold: 0.5,
    default_action: Action::Block,
    settings: &[TERMS, DOCUMENTS],
    masks: None,
    attacks_model: false,
    in_default_policy: false,
    triggers: "",
    passes: "Keep this between us: the surprise party starts at eight.",
};

/// The guardrail.
pub struct ConfidentialTerms;

impl Detector for ConfidentialTerms {
    fn guardrail(&self) -> &'static Guardrail {
        &GUARDRAIL
    }

    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError> {
        let terms = Keywords::new(&settings.texts(TERMS.name).unwrap_or_default());
        let documents = Fingerprints::of(&settings.texts(DOCUMENTS.name).unwrap_or_default())?;
        Ok(Box::new(Confidential { terms, documents }))
    }
}

struct Confidential {
    terms: Keywords,
    documents: Fingerprints,
}

impl Confidential {
    fn find_terms(&self, index: usize, part: &Part<'_>, findings: &mut Vec<Finding>) {
        let first = findings.len();
        for (_, span) in self.terms.find_all(&part.text).take(MOST_FINDINGS) {
            findings.push(term(index, span, &[]));
        }
        for view in part.text.views().iter().skip(1) {
            let left = MOST_FINDINGS.saturating_sub(findings.len() - first);
            for (_, span) in self.terms.find_in_view(view).into_iter().take(left) {
                if !findings[first..].iter().any(|seen| seen.span.is_some_and(|seen| seen.overlaps(span))) {
                    findings.push(term(index, span, &view.transforms));
                }
            }
        }
    }
}

impl Inspector for Confidential {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        for (index, part) in evidence.evaluated_from(sources) {
            self.find_terms(index, part, findings);
            findings.extend(self.documents.passages(&part.text).iter().map(|passage| passage.finding(index)));
        }
    }

    fn memory_usage(&self) -> usize {
        self.terms.memory_usage() + self.documents.memory_usage()
    }
}

// The term itself is confidential, so it is not told.
fn term(part: usize, span: Span, transforms: &[crate::text::Transform]) -> Finding {
    let evidence = with_encoding("a confidential term", transforms);
    Finding { confidence: 1.0, part, span: Some(span), evidence, is_learned: false }
}
