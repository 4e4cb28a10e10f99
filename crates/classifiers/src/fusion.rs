//! Combines the scores of the linear model and the encoder.

use guardengine_engine::scores::{LABELS, LabelScores};
use serde::{Deserialize, Serialize};

use crate::{
    CASCADE_LABELS,
    calibration::{EPSILON, log_odds, logistic},
    format::fnv1a,
};

/// Weights for one label. The combined log-odds are the weighted sum of the log-odds of both models and a bias. Fitted by
/// logistic regression on texts that neither model has seen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FusionWeights {
    /// Name of the guardrail in the API.
    pub label: String,
    /// Weight of the linear model's calibrated log-odds.
    pub linear: f32,
    /// Weight of the encoder's log-odds.
    pub encoder: f32,
    /// Bias.
    pub bias: f32,
    /// Minimum score of the linear model for which the encoder runs.
    pub floor: f32,
    /// Penalty for each unit by which the linear model's log-odds are below those of `UNHEARD`. Used for labels whose texts
    /// are mostly harmless if only the encoder suspects them. Chosen by hand.
    #[serde(default)]
    pub doubt: f32,
}

/// Kind of a window for the encoder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct WindowKind {
    /// Whether the encoder reads a gloss of it.
    pub is_gloss: bool,
    /// Whether it is untrusted content.
    pub is_given: bool,
}

/// Score below which the linear model does not recognize the text.
pub const UNHEARD: f32 = 0.1;

/// Weights of the combination, from the file beside the encoder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScoreFusion {
    /// Version of the encoder and its weights.
    pub version: String,
    /// Share of a linear score that counts if no score reaches its floor. The encoder lowers most of such scores.
    pub unread: f32,
    /// Score of the linear model and the encoder's early exit together from which the rest of the encoder runs, for any
    /// label.
    #[serde(rename = "read_on")]
    pub early_exit_threshold: f32,
    /// For English, in the order of [`CASCADE_LABELS`].
    pub labels: Vec<FusionWeights>,
    /// For glosses of other languages, in the same order.
    pub glossed: Vec<FusionWeights>,
    /// Different weights for untrusted content in English. The linear model does not tell orders there from those of users.
    pub given: Vec<FusionWeights>,
    /// The same for glosses.
    pub given_glossed: Vec<FusionWeights>,
}

/// Error in the file.
#[derive(Debug, thiserror::Error)]
pub enum FusionError {
    /// Not the expected JSON.
    #[error("the description of the encoder cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// Other labels than the guardrails.
    #[error("the encoder was made for other guardrails")]
    Labels,
}

impl ScoreFusion {
    /// Parses the file. The version names the encoder and, since scores depend on it, the file.
    pub fn from_json(file: &[u8]) -> Result<Self, FusionError> {
        let mut joint: Self = serde_json::from_slice(file)?;
        joint.version = format!("{}-{:016x}", joint.version, fnv1a(file));
        let fits =
            |weights: &[FusionWeights]| weights.iter().map(|one| one.label.as_str()).eq(CASCADE_LABELS);
        let is_known = |one: &FusionWeights| CASCADE_LABELS.contains(&one.label.as_str());
        let are_known = joint.given.iter().chain(&joint.given_glossed).all(is_known);
        if fits(&joint.labels) && fits(&joint.glossed) && are_known {
            Ok(joint)
        } else {
            Err(FusionError::Labels)
        }
    }

    /// Returns whether the encoder should score a window with these linear scores.
    pub fn is_suspicious(&self, kind: WindowKind, linear: &LabelScores) -> bool {
        self.weights(kind).zip(linear).any(|(by, score)| *score >= by.floor)
    }

    /// Returns the lowest floor of any label, in English and in glosses.
    pub fn least_floor(&self, is_given: bool) -> f32 {
        let kinds = [false, true].map(|is_gloss| WindowKind { is_gloss, is_given });
        kinds.iter().flat_map(|kind| self.weights(*kind)).map(|by| by.floor).fold(1.0, f32::min)
    }

    /// Returns the scores of a window that the encoder does not score.
    pub fn unread(&self, linear: &LabelScores) -> LabelScores {
        let share = if self.is_suspicious(WindowKind::default(), linear) { 1.0 } else { self.unread };
        linear.map(|score| (score * share).max(EPSILON))
    }

    fn weights(&self, kind: WindowKind) -> impl Iterator<Item = &FusionWeights> {
        let (all, given) =
            if kind.is_gloss { (&self.glossed, &self.given_glossed) } else { (&self.labels, &self.given) };
        let given: &[FusionWeights] = if kind.is_given { given } else { &[] };
        all.iter().map(move |by| given.iter().find(|other| other.label == by.label).unwrap_or(by))
    }

    /// Returns the calibrated probabilities of a window that both models scored.
    pub fn probabilities(
        &self,
        kind: WindowKind,
        linear: &LabelScores,
        encoder: &LabelScores,
    ) -> LabelScores {
        let mut both = [EPSILON; LABELS.len()];
        for (((both, by), linear), encoder) in
            both.iter_mut().zip(self.weights(kind)).zip(linear).zip(encoder)
        {
            let linear = log_odds(*linear);
            let unheard = (log_odds(UNHEARD) - linear).max(0.0);
            let odds = by.linear * linear + by.encoder * encoder + by.bias - by.doubt * unheard;
            *both = logistic(odds).clamp(EPSILON, 1.0 - EPSILON);
        }
        both
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn joint(doubt: f32) -> ScoreFusion {
        let weighed = |label: &&str| FusionWeights {
            label: (*label).to_owned(),
            linear: 0.5,
            encoder: 0.5,
            bias: 0.0,
            floor: 0.0,
            doubt,
        };
        let labels: Vec<_> = CASCADE_LABELS.iter().map(weighed).collect();
        ScoreFusion {
            version: String::new(),
            unread: 0.5,
            early_exit_threshold: 0.0,
            glossed: labels.clone(),
            labels,
            given: Vec::new(),
            given_glossed: Vec::new(),
        }
    }

    #[test]
    fn what_the_encoder_alone_suspects_is_doubted() {
        let said = |doubt, linear| {
            joint(doubt).probabilities(WindowKind::default(), &[linear; LABELS.len()], &[6.0; LABELS.len()])
                [0]
        };
        assert_eq!(said(0.0, 0.5), said(2.0, 0.5));
        assert_eq!(said(0.0, UNHEARD), said(2.0, UNHEARD));
        assert!(said(0.0, 0.05) > 0.8 && said(2.0, 0.05) < 0.6);
    }

    #[test]
    fn what_the_model_is_given_is_weighed_by_what_is_told_of_that() {
        let mut joint = joint(0.0);
        for by in &mut joint.labels {
            by.floor = 0.2;
        }
        joint.given = vec![FusionWeights {
            label: LABELS[1].to_owned(),
            bias: 9.0,
            floor: 0.1,
            ..joint.labels[1].clone()
        }];
        let given = WindowKind { is_gloss: false, is_given: true };
        let said = |kind| joint.probabilities(kind, &[0.5; LABELS.len()], &[0.0; LABELS.len()]);
        assert!(said(WindowKind::default())[..CASCADE_LABELS.len()].iter().all(|score| *score == 0.5));
        assert!(said(given)[0] < 0.51 && said(given)[1] > 0.9);
        assert!(joint.is_suspicious(given, &[0.15; LABELS.len()]));
        assert!(!joint.is_suspicious(WindowKind::default(), &[0.15; LABELS.len()]));
    }

    #[test]
    fn where_no_score_reaches_its_floor_all_are_worth_less() {
        let mut joint = joint(0.0);
        for (label, by) in joint.labels.iter_mut().enumerate() {
            by.floor = if label == 0 { 0.2 } else { 0.1 };
        }
        let mut linear = [0.05; LABELS.len()];
        linear[0] = 0.15;
        let gloss = WindowKind { is_gloss: true, is_given: false };
        assert!(!joint.is_suspicious(WindowKind::default(), &linear) && joint.is_suspicious(gloss, &linear));
        assert_eq!(joint.unread(&linear)[..2], [0.075, 0.025]);
        linear[1] = 0.1;
        assert!(joint.is_suspicious(WindowKind::default(), &linear));
        assert_eq!(joint.unread(&linear), linear);
    }
}
