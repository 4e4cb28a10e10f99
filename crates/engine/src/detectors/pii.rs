//! Detects PII.
//!
//! # What it looks for
//! Every kind of personal data under [`crate::pii::types`]: addresses, numbers, names, identifiers, secrets. What was
//! found is in the evidence already; here a policy says which kinds count.
//!
//! A kind that the policy names in `pii_kinds` counts with a confidence of at least [`SELECTED_CONFIDENCE`], so that it
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
use crate::{
    evidence::Evidence,
    fields::FieldError,
    finding::Finding,
    guardrail::{Action, Group, Guardrail, MaskSettings},
    pii::{Entity, mask::Strategy, types},
    rules::with_encoding,
    settings::{Default, Kind, Setting, Settings},
    sources::Sources,
};

/// Minimum confidence of an entity whose type the policy selects by name.
const SELECTED_CONFIDENCE: f32 = 0.7;

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
    help: "`full`, `partial`, `format_preserving`, `hash` or `token`.",
    is_drafted: true,
};

const TYPES: Setting = Setting {
    name: "pii_kinds",
    kind: Kind::Texts { max_items: 100, max_chars: 100 },
    default: Default::All,
    help: "PII types to detect; all if absent.",
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
    settings: &[MASKING_ENABLED, MASKING_STRATEGY, TYPES],
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
        let selection = Selection::of(settings);
        for (index, name) in selection.0.iter().flatten().enumerate() {
            check_type(index, name)?;
        }
        Ok(Box::new(PiiInspector(selection)))
    }
}

fn check_type(index: usize, name: &str) -> Result<(), FieldError> {
    if types::pii_type(name).is_some() {
        return Ok(());
    }
    let names: Vec<&str> = types::PII_TYPES.iter().map(|kind| kind.name()).collect();
    Err(FieldError::value(format!("{}.{index}", TYPES.name), format!("must be one of {}", names.join(", "))))
}

/// The PII types that a policy selects; `None` for all.
#[derive(Clone, Debug, PartialEq)]
pub struct Selection(Option<Vec<String>>);

impl Selection {
    /// Every PII type.
    pub const ALL: Self = Self(None);

    /// Reads the selection from the guardrail's settings.
    pub fn of(settings: &Settings) -> Self {
        Self(settings.texts(TYPES.name))
    }

    /// Returns the confidence of `found` under a policy with this selection; `None` if its type is not selected.
    pub fn confidence(&self, found: &Entity) -> Option<f32> {
        let Some(selected) = &self.0 else { return Some(found.confidence) };
        selected.iter().any(|name| name == found.kind).then(|| found.confidence.max(SELECTED_CONFIDENCE))
    }

    /// Returns settings that mask this selection by `strategy`.
    pub fn masked_by(&self, strategy: Strategy) -> Settings {
        let mut settings = Settings::defaults(GUARDRAIL.settings);
        settings.set(MASKING_ENABLED.name, true);
        settings.set(MASKING_STRATEGY.name, strategy.name());
        if let Some(selected) = &self.0 {
            settings.set(TYPES.name, selected.clone());
        }
        settings
    }
}

/// Reports the entities of the selected types.
struct PiiInspector(Selection);

impl Inspector for PiiInspector {
    fn inspect(&self, evidence: &Evidence<'_>, sources: Sources, findings: &mut Vec<Finding>) {
        for (part, _) in evidence.evaluated_from(sources) {
            for found in evidence.pii.get(part).into_iter().flatten() {
                findings.extend(self.0.confidence(found).map(|confidence| Finding {
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
        let found = |kind, confidence| Entity {
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
        PiiInspector(Selection(chosen)).inspect(&evidence(), Sources::ALL, &mut findings);
        findings.into_iter().map(|finding| (finding.evidence.into_owned(), finding.confidence)).collect()
    }

    #[test]
    fn without_a_selection_every_type_keeps_its_confidence() {
        assert_eq!(findings(None), [("url".into(), 0.6), ("email".into(), 0.95)]);
    }

    #[test]
    fn a_selected_type_triggers_and_others_do_not() {
        assert_eq!(findings(Some(vec!["url".into()])), [("url".into(), SELECTED_CONFIDENCE)]);
        assert_eq!(findings(Some(vec![])), []);
    }

    #[test]
    fn an_unknown_type_is_reported_with_its_index() {
        let fault = check_type(1, "shoe_size").unwrap_err();
        assert!(fault.to_string().starts_with("pii_kinds.1: must be one of"));
    }
}
