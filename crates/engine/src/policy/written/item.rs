//! A guardrail in a written policy.

use serde::{Deserialize, Serialize};

use crate::{guardrail::Guardrail, pii::mask::Strategy, policy::Action};

/// A named pattern of `custom_regex`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// What a finding is called.
    pub name: String,
    /// The regular expression (syntax of the Rust `regex` crate).
    pub pattern: String,
}

/// A guardrail in a policy. Settings that a guardrail does not read are absent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Wire name.
    pub guardrail: String,
    /// The author's words.
    pub description: String,
    /// Confidence from which it triggers, 0 to 1.
    #[serde(serialize_with = "short_decimal")]
    pub threshold: f32,
    /// Whether it runs.
    pub enabled: bool,
    /// What happens when it triggers.
    pub action: Action,
    /// Ticket to raise, with its `connector_id`.
    pub ticket: Option<serde_json::Value>,
    /// Words with which a text passes this guardrail, and this one alone. `pii` has none: they would be kept in clear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// `pii`: mask instead of block.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pii_masking_enabled: Option<bool>,
    /// `pii`: how.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pii_masking_strategy: Option<Strategy>,
    /// `pii`: which kinds; all where absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pii_kinds: Option<Vec<String>>,
    /// `custom_regex`: the patterns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub patterns: Vec<Pattern>,
    /// `confidential_terms`: the terms.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub terms: Vec<String>,
    /// `confidential_terms`, `copyright_infringement`: texts recognised when they reappear.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub documents: Vec<String>,
}

impl Item {
    /// Default threshold of `pii` where it masks: a mask too many costs less than a blocked text.
    pub const MASKING_THRESHOLD: f32 = 0.5;

    /// `guardrail` with its defaults.
    pub fn of(guardrail: &Guardrail) -> Self {
        let is_pii = guardrail.name == "pii";
        Self {
            guardrail: guardrail.name.to_owned(),
            description: String::new(),
            threshold: guardrail.default_threshold,
            enabled: true,
            action: Action::Block,
            ticket: None,
            exceptions: Vec::new(),
            pii_masking_enabled: is_pii.then_some(false),
            pii_masking_strategy: is_pii.then_some(Strategy::Partial),
            pii_kinds: None,
            patterns: Vec::new(),
            terms: Vec::new(),
            documents: Vec::new(),
        }
    }
}

// An f32 of 0.7 widened to f64 would be sent as 0.699999988079071.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) fn short_decimal<S: serde::Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((f64::from(*number) * 1e6).round() / 1e6)
}
