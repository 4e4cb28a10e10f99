//! Detects PII.
//!
//! # What it looks for
//! Every kind of personal data under [`crate::pii::types`]: addresses, numbers, names, identifiers, secrets. What was
//! found is in the evidence already; here a policy says which kinds count.
//!
//! A kind that the policy names in `pii_kinds` counts with a confidence of at least 0.7, so that it triggers where an
//! author asked for it; without a choice, weak finds (an ordinary web address) stay below the
//! default threshold. `pii_types` gives single kinds a threshold, a strategy and values that are let through.
//! `custom_pii` adds types of the organization. They count whatever `pii_kinds` says, with a confidence of 1.
//!
//! # Why it matters
//! What goes into a model may be kept, learned and shown to somebody else.
//!
//! # Triggers
//! `My card number is 4111 1111 1111 1111, please charge it.`
//!
//! # Does not trigger
//! `Release 4.11.1 of 2024-03-05 fixes order 4111 1111 1111 1112.`

mod custom_type;
mod selection;
mod type_rule;

use std::sync::Arc;

use custom_type::CUSTOM_TYPES;
pub use selection::Selection;
use type_rule::TYPE_RULES;

use super::{Detector, Inspector};
use crate::{
    evidence::Evidence,
    fields::FieldError,
    finding::Finding,
    guardrail::{Action, Group, Guardrail, MaskSettings},
    pii::{CustomType, mask::Strategy, types},
    rules::with_encoding,
    settings::{Default, Kind, Setting, Settings},
    sources::Sources,
};

const MASKING_ENABLED: Setting = Setting {
    name: "pii_masking_enabled",
    kind: Kind::Boolean,
    default: Default::Boolean(false),
    help: "mask instead of `action`.",
    is_drafted: true,
};

const MASKING_STRATEGY: Setting = Setting {
    name: "pii_masking_strategy",
    kind: Kind::Choice(&Strategy::NAMES),
    default: Default::Choice(Strategy::Partial.name()),
    help: "`full`, `partial`, `format_preserving`, `hash`, `token` or `synthetic`.",
    is_drafted: true,
};

const TYPES: Setting = Setting {
    name: "pii_kinds",
    kind: Kind::Texts { max_items: 100, max_chars: 100 },
    default: Default::All,
    help: "PII types to detect; all but `face` if absent.",
    is_drafted: false,
};

/// Masking settings. A needless mask costs less than a blocked text, so the threshold is lower.
pub const MASKING: MaskSettings =
    MaskSettings { switch: MASKING_ENABLED.name, strategy: MASKING_STRATEGY.name, default_threshold: 0.5 };

/// The declaration.
pub static GUARDRAIL: Guardrail = Guardrail {
    name: "pii",
    group: Group::DataProtection,
    description: "Personal data and secrets: addresses, phone, card and account numbers, national identifiers, names, keys.",
    default_threshold: 0.65,
    default_action: Action::Block,
    settings: &[MASKING_ENABLED, MASKING_STRATEGY, TYPES, TYPE_RULES, CUSTOM_TYPES],
    masks: Some(MASKING),
    attacks_model: false,
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

    fn parse(&self, settings: &Settings) -> Result<Box<dyn Inspector>, FieldError> {
        self.parse_at(settings, GUARDRAIL.default_threshold)
    }

    fn parse_at(&self, settings: &Settings, threshold: f32) -> Result<Box<dyn Inspector>, FieldError> {
        Ok(Box::new(PiiInspector(Selection::of(settings, threshold)?)))
    }

    fn check(&self, settings: &Settings) -> Result<(), FieldError> {
        custom_type::check(settings)
    }
}

/// Returns what is accepted, if this is no PII type, built in or `custom`.
fn check_type(name: &str, custom: &[Arc<CustomType>]) -> Result<(), String> {
    let custom = || custom.iter().map(|custom| custom.name());
    if types::pii_type(name).is_some() || custom().any(|known| known == name) {
        return Ok(());
    }
    let names: Vec<&str> = types::PII_TYPES.iter().map(|kind| kind.name()).chain(custom()).collect();
    Err(format!("must be one of {}", names.join(", ")))
}

/// Reports the entities of the selected types.
struct PiiInspector(Selection);

impl Inspector for PiiInspector {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        for (part, _) in evidence.evaluated_from(sources) {
            for found in evidence.pii.get(part).into_iter().flatten() {
                findings.extend(self.0.confidence(found, evidence.direction).map(|confidence| Finding {
                    confidence,
                    part,
                    span: Some(found.span),
                    evidence: with_encoding(found.kind.clone(), &found.transforms),
                    is_learned: false,
                }));
            }
        }
    }

    fn memory_usage(&self) -> usize {
        self.0.memory_usage()
    }
}

#[cfg(test)]
mod tests;
