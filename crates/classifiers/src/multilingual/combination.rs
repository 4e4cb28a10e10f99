//! The logits of a window: for each label a fitted, linear function of all that is known of the window. Those of a text are the
//! highest of its windows.
//!
//! The factors are a file of their own, so that they can be fitted anew without other weights.

use std::collections::HashMap;

use serde::Deserialize;

use super::{config::require, weights::WeightsError};

/// The factors of each label.
#[derive(Clone, Debug)]
pub struct Combination {
    factors: Vec<Factors>,
    /// A window that has less than this for every label that the upper layers concern is read no further.
    exit_below: f32,
}

/// The factors of a label.
#[derive(Clone, Debug, Deserialize)]
struct Factors {
    /// For a window that leaves early.
    early: EarlyFactors,
    /// For another one.
    late: LateFactors,
}

/// Factors of each label's early logit and of its log-odds beside it.
#[derive(Clone, Debug, Deserialize)]
struct EarlyFactors {
    early: Vec<f32>,
    beside: Vec<f32>,
    offset: f32,
}

/// Factors of each label's late logit, early logit and log-odds beside them.
#[derive(Clone, Debug, Deserialize)]
struct LateFactors {
    late: Vec<f32>,
    early: Vec<f32>,
    beside: Vec<f32>,
    offset: f32,
}

impl Factors {
    /// The late logit of a label as it is.
    fn late_only(label: usize, labels: usize) -> Self {
        let (none, mut own) = (vec![0.0; labels], vec![0.0; labels]);
        own[label] = 1.0;
        Self {
            early: EarlyFactors { early: own.clone(), beside: none.clone(), offset: 0.0 },
            late: LateFactors { late: own, early: none.clone(), beside: none, offset: 0.0 },
        }
    }

    fn check(&self, label: &str, labels: usize) -> Result<(), WeightsError> {
        let all =
            [&self.early.early, &self.early.beside, &self.late.late, &self.late.early, &self.late.beside];
        let fits = all.iter().all(|factors| factors.len() == labels);
        require("combination.labels", &label, fits, "as many factors of each kind as there are labels")?;
        let mut numbers = all.into_iter().flatten().chain([&self.early.offset, &self.late.offset]);
        let is_finite = numbers.all(|number| number.is_finite());
        require("combination.labels", &label, is_finite, "finite numbers")
    }

    /// Returns whether the upper layers change the logit.
    fn reads_on(&self) -> bool {
        self.late.late.iter().any(|factor| *factor != 0.0)
    }
}

impl Combination {
    /// The late logits of so many labels as they are; no window leaves early.
    pub fn late_only(labels: usize) -> Self {
        let factors = (0..labels).map(|label| Factors::late_only(label, labels)).collect();
        Self { factors, exit_below: f32::NEG_INFINITY }
    }

    /// Reads the factors of those labels, as `training/multilingual/calibrate.py` writes them.
    pub fn parse(json: &str, labels: &[String]) -> Result<Self, WeightsError> {
        #[derive(Deserialize)]
        struct Written {
            exit_below: f32,
            labels: HashMap<String, Factors>,
        }
        let Written { exit_below, labels: mut written } =
            serde_json::from_str(json).map_err(WeightsError::Combination)?;
        let mut factors = Vec::with_capacity(labels.len());
        for label in labels {
            let found = written.remove(label);
            require("combination.labels", label, found.is_some(), "factors of every label")?;
            factors.extend(found);
        }
        for (label, factors) in labels.iter().zip(&factors) {
            factors.check(label, labels.len())?;
        }
        require("combination.exit_below", &exit_below, exit_below.is_finite(), "a finite number")?;
        Ok(Self { factors, exit_below })
    }

    /// The logits of a window after the early exit. `beside` may be empty, which counts as even odds.
    pub fn early(&self, early: &[f32], beside: &[f32]) -> Vec<f32> {
        let logit = |Factors { early: by, .. }: &Factors| {
            product(&by.early, early) + product(&by.beside, beside) + by.offset
        };
        self.factors.iter().map(logit).collect()
    }

    /// The logits of a window that all layers have read.
    pub fn late(&self, late: &[f32], early: &[f32], beside: &[f32]) -> Vec<f32> {
        let logit = |Factors { late: by, .. }: &Factors| {
            product(&by.late, late) + product(&by.early, early) + product(&by.beside, beside) + by.offset
        };
        self.factors.iter().map(logit).collect()
    }

    /// Returns whether a window with these early logits is read no further.
    pub fn leaves(&self, logits: &[f32], exit_below: Option<f32>) -> bool {
        let exit_below = exit_below.unwrap_or(self.exit_below);
        let mut concerned = self.factors.iter().zip(logits).filter(|(factors, _)| factors.reads_on());
        concerned.all(|(_, logit)| *logit < exit_below)
    }
}

fn product(factors: &[f32], inputs: &[f32]) -> f32 {
    factors.iter().zip(inputs).map(|(factor, input)| factor * input).sum()
}
