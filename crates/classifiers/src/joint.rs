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
    /// What is taken off for each unit by which the linear model's log-odds lie below those of [`UNHEARD`]: what the
    /// encoder alone suspects is mostly harmless where this is more than nothing. Chosen by hand.
    #[serde(default)]
    pub doubt: f32,
}

/// The score of the linear model under which it has heard nothing of the kind.
pub const UNHEARD: f32 = 0.1;

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
            let (by, linear) = (&weights[label], log_odds(linear[label]));
            let unheard = (log_odds(UNHEARD) - linear).max(0.0);
            let odds = by.linear * linear + by.encoder * encoder[label] + by.bias - by.doubt * unheard;
            logistic(odds).clamp(DOUBT, 1.0 - DOUBT)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(doubt: f32) -> Joint {
        let weighed = |label: &&str| Weighed {
            label: (*label).to_owned(),
            linear: 0.5,
            encoder: 0.5,
            bias: 0.0,
            doubt,
        };
        let labels: Vec<_> = LABELS.iter().map(weighed).collect();
        Joint { version: String::new(), floor: 0.0, read_on: 0.0, glossed: labels.clone(), labels }
    }

    #[test]
    fn what_the_encoder_alone_suspects_is_doubted() {
        let said = |doubt, linear| {
            joint(doubt).probabilities(false, &[linear; LABELS.len()], &[6.0; LABELS.len()])[0]
        };
        assert_eq!(said(0.0, 0.5), said(2.0, 0.5));
        assert_eq!(said(0.0, UNHEARD), said(2.0, UNHEARD));
        assert!(said(0.0, 0.05) > 0.8 && said(2.0, 0.05) < 0.6);
    }
}
