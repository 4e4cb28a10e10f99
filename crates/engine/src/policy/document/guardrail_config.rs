//! A guardrail in a policy document.

use serde::{Deserialize, Serialize};

use crate::{
    detectors::detector,
    guardrail::{Action, Guardrail, MaskSettings},
    settings::Settings,
    sources::Sources,
};

/// A guardrail in a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GuardrailConfig {
    /// Name of the guardrail in the API.
    pub guardrail: String,
    /// Description by the author.
    pub description: String,
    /// Confidence from which findings trigger, 0 to 1.
    #[serde(serialize_with = "short_decimal")]
    pub threshold: f32,
    /// Whether it runs.
    pub enabled: bool,
    /// Action when it triggers.
    pub action: Action,
    /// Ticket to create, with its `connector_id`.
    pub ticket: Option<serde_json::Value>,
    /// Sources that it applies to; those of the guardrail if absent.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub applies_to: Option<Sources>,
    /// Keywords that exempt a text from this guardrail only. Not available for guardrails that mask.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub exceptions: Vec<String>,
    /// Settings that only this guardrail has.
    #[serde(flatten)]
    pub settings: Settings,
}

impl GuardrailConfig {
    /// Returns `guardrail` with its defaults.
    pub fn of(guardrail: &Guardrail) -> Self {
        Self {
            guardrail: guardrail.name.to_owned(),
            description: String::new(),
            threshold: guardrail.default_threshold,
            enabled: true,
            action: guardrail.default_action,
            ticket: None,
            applies_to: None,
            exceptions: Vec::new(),
            settings: Settings::defaults(guardrail.settings),
        }
    }

    /// Returns whether the guardrail masks what it finds instead of acting.
    pub fn masks(&self) -> bool {
        self.mask_settings().is_some_and(|masking| self.settings.is_on(masking.switch))
    }

    /// Returns how the guardrail masks; `None` if it cannot.
    pub(in crate::policy) fn mask_settings(&self) -> Option<MaskSettings> {
        detector(&self.guardrail)?.guardrail().masks
    }
}

// An f32 of 0.7 widened to f64 would be sent as 0.699999988079071.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
pub(super) fn short_decimal<S: serde::Serializer>(number: &f32, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_f64((f64::from(*number) * 1e6).round() / 1e6)
}
