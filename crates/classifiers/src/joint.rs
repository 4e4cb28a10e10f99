//! What the linear model and the encoder say together.

use guardengine_engine::scores::{LABELS, LabelScores};
use serde::{Deserialize, Serialize};

use crate::{
    calibration::{DOUBT, log_odds, logistic},
    format::fnv1a,
};

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
    /// The least score of the linear model for which the encoder is asked.
    pub floor: f32,
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
    /// What a score of the linear model is worth where none reaches its floor, as a share of it: of texts that little is
    /// suspected of, the encoder takes most of that back.
    pub unread: f32,
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
    /// Reads the file. The version says with which encoder it is used and, as scores depend on it too, which file it is.
    pub fn from_json(file: &[u8]) -> Result<Self, Unfit> {
        let mut joint: Self = serde_json::from_slice(file)?;
        joint.version = format!("{}-{:016x}", joint.version, fnv1a(file));
        let fits = |weights: &[Weighed]| weights.iter().map(|one| one.label.as_str()).eq(LABELS);
        if fits(&joint.labels) && fits(&joint.glossed) { Ok(joint) } else { Err(Unfit::Labels) }
    }

    /// Whether the encoder is to be asked about a stretch of which the linear model says `linear`.
    pub fn is_suspicious(&self, is_gloss: bool, linear: &LabelScores) -> bool {
        self.weights(is_gloss).iter().zip(linear).any(|(by, score)| *score >= by.floor)
    }

    /// The least floor of any label.
    pub fn least_floor(&self) -> f32 {
        self.labels.iter().chain(&self.glossed).map(|by| by.floor).fold(1.0, f32::min)
    }

    /// What a stretch is worth that the encoder was not asked about.
    pub fn unread(&self, linear: &LabelScores) -> LabelScores {
        let share = if self.is_suspicious(false, linear) { 1.0 } else { self.unread };
        linear.map(|score| (score * share).max(DOUBT))
    }

    fn weights(&self, is_gloss: bool) -> &[Weighed] {
        if is_gloss { &self.glossed } else { &self.labels }
    }

    /// Calibrated probabilities of a stretch that both have read, the encoder as a gloss or as it stands.
    pub fn probabilities(&self, is_gloss: bool, linear: &LabelScores, encoder: &LabelScores) -> LabelScores {
        let weights = self.weights(is_gloss);
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
            floor: 0.0,
            doubt,
        };
        let labels: Vec<_> = LABELS.iter().map(weighed).collect();
        Joint { version: String::new(), unread: 0.5, read_on: 0.0, glossed: labels.clone(), labels }
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

    #[test]
    fn where_no_score_reaches_its_floor_all_are_worth_less() {
        let mut joint = joint(0.0);
        for (label, by) in joint.labels.iter_mut().enumerate() {
            by.floor = if label == 0 { 0.2 } else { 0.1 };
        }
        let mut linear = [0.05; LABELS.len()];
        linear[0] = 0.15;
        assert!(!joint.is_suspicious(false, &linear) && joint.is_suspicious(true, &linear));
        assert_eq!(joint.unread(&linear)[..2], [0.075, 0.025]);
        linear[1] = 0.1;
        assert!(joint.is_suspicious(false, &linear));
        assert_eq!(joint.unread(&linear), linear);
    }
}
