//! What the linear model and the encoder say together.

use guardengine_engine::scores::{LABELS, LabelScores};
use serde::{Deserialize, Serialize};

use crate::calibration::{DOUBT, log_odds, logistic};

/// How the two are weighed for one label: the sum of the linear model's log-odds, the encoder's, and a bias, each
/// times its weight, is the log-odds of both. Fitted by logistic regression on texts that neither model has seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weighed {
    /// Wire name of the guardrail.
    pub label: String,
    /// Weight of the linear model's calibrated log-odds.
    pub linear: f32,
    /// Weight of the encoder's log-odds.
    pub encoder: f32,
    /// What is added.
    pub bias: f32,
}

/// The file beside the encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Joint {
    /// Which encoder with which weights.
    pub version: String,
    /// The least score of the linear model, of any label, for which the encoder is asked.
    pub floor: f32,
    /// The least score of the linear model and the encoder's early exit together, of any label, for which the rest of
    /// the encoder reads on.
    pub read_on: f32,
    /// For English, in the order of [`LABELS`].
    pub labels: Vec<Weighed>,
    /// For glosses of other languages, in the same order.
    pub glossed: Vec<Weighed>,
}

/// The file cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unfit {
    /// It is no such JSON.
    #[error("the description of the encoder cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// It is about other labels.
    #[error("the encoder was made for other guardrails")]
    Labels,
}

impl Joint {
    /// Reads the file.
    pub fn from_json(file: &[u8]) -> Result<Self, Unfit> {
        let joint: Self = serde_json::from_slice(file)?;
        let fits = |weights: &[Weighed]| weights.iter().map(|one| one.label.as_str()).eq(LABELS);
        if fits(&joint.labels) && fits(&joint.glossed) { Ok(joint) } else { Err(Unfit::Labels) }
    }

    /// Calibrated probabilities of a stretch that both have read, the encoder as a gloss or as it stands.
    pub fn probabilities(&self, is_gloss: bool, linear: &LabelScores, encoder: &LabelScores) -> LabelScores {
        let weights = if is_gloss { &self.glossed } else { &self.labels };
        std::array::from_fn(|label| {
            let by = &weights[label];
            let odds = by.linear * log_odds(linear[label]) + by.encoder * encoder[label] + by.bias;
            logistic(odds).clamp(DOUBT, 1.0 - DOUBT)
        })
    }
}
