//! Results of single texts, by which two reports are compared text by text.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    report::Prediction,
    suite::{Expect, LabeledText, Negatives},
};

/// Labels and prediction of one text, without the text.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct TextResult {
    /// See [`LabeledText::key`].
    pub id: String,
    /// The suite it belongs to.
    pub suite: String,
    /// Length in Unicode characters.
    pub characters: usize,
    /// Guardrails that it belongs to.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// Guardrails that it is known not to belong to.
    pub negatives: Negatives,
    /// Expected decision, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expect: Option<Expect>,
    /// True if anything triggered.
    pub flagged: bool,
    /// Confidences above zero.
    pub confidences: BTreeMap<String, f32>,
}

impl TextResult {
    /// Creates the result of a text.
    pub fn new(text: &LabeledText, prediction: &Prediction) -> Self {
        let above_zero = prediction.confidences.iter().filter(|(_, confidence)| **confidence > 0.0);
        Self {
            id: text.key(),
            suite: text.suite.clone(),
            characters: text.text.chars().count(),
            labels: text.labels.clone(),
            negatives: text.negatives.clone(),
            expect: text.expect,
            flagged: prediction.flagged,
            confidences: above_zero.map(|(name, confidence)| (name.clone(), *confidence)).collect(),
        }
    }

    /// Returns true if `label` holds; `None` if that is unknown.
    pub fn holds(&self, label: &str) -> Option<bool> {
        self.negatives.holds(&self.labels, label)
    }

    /// Returns the confidence of a guardrail.
    pub fn confidence(&self, guardrail: &str) -> f32 {
        self.confidences.get(guardrail).copied().unwrap_or(0.0)
    }
}
