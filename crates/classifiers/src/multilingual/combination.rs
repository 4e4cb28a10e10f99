//! The logit of a window as a function of what is known of it, fitted for each label. That of a text is the highest of its
//! windows.
//!
//! The factors are a file of their own, so that they can be fitted anew without other weights.

use std::{collections::HashMap, iter};

use serde::Deserialize;

use super::{config::require, weights::WeightsError};

/// The factors of each label.
#[derive(Clone, Debug)]
pub struct Combination {
    factors: Vec<Factors>,
    /// A window that has less than this for every label is read no further.
    exit_below: f32,
}

/// The factors of a label.
#[derive(Clone, Copy, Debug, Deserialize)]
struct Factors {
    /// For a window that leaves early: of the early logit and of the log-odds beside it, and an offset.
    early: [f32; 3],
    /// For another one: of the late logit, the early logit and the log-odds beside them, and an offset.
    late: [f32; 4],
}

impl Factors {
    /// The late logit as it is.
    const LATE: Self = Self { early: [1.0, 0.0, 0.0], late: [1.0, 0.0, 0.0, 0.0] };

    /// Bounds under which a higher input never lowers a score.
    fn check(&self) -> Result<(), WeightsError> {
        let ([early @ .., _], [late @ .., _]) = (&self.early, &self.late);
        let rises = early.iter().chain(late).all(|factor| *factor >= 0.0);
        require("combination", &"a negative one", rises, "factors of 0 or more")?;
        let is_finite = self.early.iter().chain(&self.late).all(|number| number.is_finite());
        require("combination", &"infinity", is_finite, "finite numbers")
    }
}

impl Combination {
    /// The late logits of so many labels as they are; no window leaves early.
    pub fn late_only(labels: usize) -> Self {
        Self { factors: vec![Factors::LATE; labels], exit_below: f32::NEG_INFINITY }
    }

    /// Reads the factors of those labels, as `training/multilingual/calibrate.py` writes them.
    pub fn parse(json: &str, labels: &[String]) -> Result<Self, WeightsError> {
        #[derive(Deserialize)]
        struct Written {
            exit_below: f32,
            labels: HashMap<String, Factors>,
        }
        let Written { exit_below, labels: written } =
            serde_json::from_str(json).map_err(WeightsError::Combination)?;
        let of = |label: &String| {
            let factors = written.get(label);
            require("combination.labels", label, factors.is_some(), "factors of every label")?;
            Ok(*factors.unwrap_or(&Factors::LATE))
        };
        let factors: Vec<Factors> = labels.iter().map(of).collect::<Result<_, WeightsError>>()?;
        factors.iter().try_for_each(Factors::check)?;
        require("combination.exit_below", &exit_below, exit_below.is_finite(), "a finite number")?;
        Ok(Self { factors, exit_below })
    }

    /// The logits of a window after the early exit. `beside` may be empty, which counts as even odds.
    pub fn early(&self, early: &[f32], beside: &[f32]) -> Vec<f32> {
        let beside = beside.iter().chain(iter::repeat(&0.0));
        let logit = |((factors, early), beside): ((&Factors, &f32), &f32)| {
            let [of_early, of_beside, offset] = factors.early;
            of_early * early + of_beside * beside + offset
        };
        self.factors.iter().zip(early).zip(beside).map(logit).collect()
    }

    /// The logits of a window that all layers have read.
    pub fn late(&self, late: &[f32], early: &[f32], beside: &[f32]) -> Vec<f32> {
        let beside = beside.iter().chain(iter::repeat(&0.0));
        let inputs = late.iter().zip(early).zip(beside);
        let logit = |(factors, ((late, early), beside)): (&Factors, _)| {
            let [of_late, of_early, of_beside, offset] = factors.late;
            of_late * late + of_early * early + of_beside * beside + offset
        };
        self.factors.iter().zip(inputs).map(logit).collect()
    }

    /// Returns whether a window with these early logits is read no further.
    pub fn leaves(&self, logits: &[f32], exit_below: Option<f32>) -> bool {
        let exit_below = exit_below.unwrap_or(self.exit_below);
        logits.iter().all(|logit| *logit < exit_below)
    }
}
