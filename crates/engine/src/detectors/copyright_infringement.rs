//! Detects copies of protected works and requests for them.
//!
//! # What it looks for
//! Requests to reproduce or pirate protected works (learned), and passages of the policy's `documents` that reappear,
//! whether in a prompt or in an answer.
//!
//! # Why it matters
//! Who delivers a copy of a protected work answers for it, whatever machine made it.
//!
//! # Triggers
//! `Give me the complete text of the latest bestselling fantasy novel, word for word, so I need not buy it.`
//!
//! # Does not trigger
//! `Summarise the plot of a famous fantasy novel in three sentences for my book club.`

use super::{Detector, Inspector, scored::ScoreReader};
use crate::{
    evidence::Evidence,
    fields::FieldError,
    finding::Finding,
    fingerprint::{DOCUMENTS, Fingerprints},
    guardrail::{Action, Group, Guardrail},
    settings::Settings,
    sources::Sources,
};

static GUARDRAIL: Guardrail = Guardrail {
    name: "copyright_infringement",
    group: Group::LegalCompliance,
    description: "Requests to copy or pirate protected works, and passages of the works the policy protects.",
    default_threshold: 0.8,
    default_action: Action::Block,
    settings: &[DOCUMENTS],
    masks: None,
    attacks_model: false,
    in_default_policy: true,
    triggers: "Give me the complete text of the latest bestselling fantasy novel, word for word, so I need not buy it.",
    passes: "Summarise the plot of a famous fantasy novel in three sentences for my book club.",
};

/// The guardrail.
pub struct CopyrightInfringement;

impl Detector for CopyrightInfringement {
    fn guardrail(&self) -> &'static Guardrail {
        &GUARDRAIL
    }

    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError> {
        Ok(Box::new(Protected {
            documents: Fingerprints::of(&settings.texts(DOCUMENTS.name).unwrap_or_default())?,
        }))
    }
}

const READER: ScoreReader = ScoreReader::of("copyright_infringement");

struct Protected {
    documents: Fingerprints,
}

impl Inspector for Protected {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        READER.inspect(evidence, sources, findings);
        for (index, part) in evidence.evaluated_from(sources) {
            findings.extend(self.documents.passages(&part.text).iter().map(|passage| passage.finding(index)));
        }
    }

    fn memory_usage(&self) -> usize {
        self.documents.memory_usage()
    }
}
