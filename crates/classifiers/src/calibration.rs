//! Calibration: converts raw values of a model to probabilities.
//!
//! A [`Curve`] is a monotone line through a few knots on the log-odds scale: two knots are Platt's scaling (Platt 1999,
//! "Probabilistic outputs for support vector machines"), more of them a smoothed isotonic regression.

use serde::{Deserialize, Serialize};

/// Minimum distance of probabilities from 0 and 1.
pub const EPSILON: f32 = 0.001;

/// Returns the natural logarithm of the odds of `probability`.
pub fn log_odds(probability: f32) -> f32 {
    let probability = probability.clamp(EPSILON, 1.0 - EPSILON);
    (probability / (1.0 - probability)).ln()
}

/// Returns the probability whose log-odds are `value`.
pub fn logistic(value: f32) -> f32 {
    1.0 / (1.0 + (-value).exp())
}

/// A monotone map from raw values to probabilities.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Curve {
    /// Raw values with their log-odds; both ascend strictly, and there are at least two.
    knots: Vec<(f32, f32)>,
}

impl Curve {
    /// Creates the curve through `knots`; `None` if they are fewer than two, not finite or not ascending in both.
    pub fn new(knots: Vec<(f32, f32)>) -> Option<Self> {
        let finite = knots.iter().all(|(raw, odds)| raw.is_finite() && odds.is_finite());
        let ascending = knots.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1);
        (knots.len() >= 2 && finite && ascending).then_some(Self { knots })
    }

    /// Returns the knots: raw values and log-odds.
    pub fn knots(&self) -> &[(f32, f32)] {
        &self.knots
    }

    /// Returns the probability of a raw value. The first and the last line continue beyond their knots.
    pub fn probability(&self, raw: f32) -> f32 {
        let inner = &self.knots[1..self.knots.len() - 1];
        let after = 1 + inner.partition_point(|knot| knot.0 <= raw);
        let ((x0, y0), (x1, y1)) = (self.knots[after - 1], self.knots[after]);
        logistic(y0 + (raw - x0) * (y1 - y0) / (x1 - x0)).clamp(EPSILON, 1.0 - EPSILON)
    }
}

/// A raw value with the label of its text.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Highest raw value of the whole text and its windows.
    pub raw: f32,
    /// Whether the label holds.
    pub holds: bool,
    /// Weight: the share of traffic that it represents.
    pub weight: f32,
}

/// Platt's scaling: the line on the log-odds scale that makes `samples` likeliest, found by Newton's method with a
/// faint pull of the slope towards one. `None` when the samples leave it open (one class alone) or speak against a
/// rising line.
pub fn platt(samples: &[Sample]) -> Option<Curve> {
    let (mut slope, mut offset) = (1.0_f64, 0.0_f64);
    for _ in 0..50 {
        let (slope_step, offset_step) = newton_step(samples, slope, offset);
        slope -= slope_step.clamp(-2.0, 2.0);
        offset -= offset_step.clamp(-2.0, 2.0);
    }
    let line = |raw: f64| (slope * raw + offset) as f32;
    let mixed = samples.iter().any(|sample| sample.holds) && samples.iter().any(|sample| !sample.holds);
    mixed.then(|| Curve::new(vec![(-1.0, line(-1.0)), (1.0, line(1.0))])).flatten()
}

/// Newton's step for the slope and the offset of a logistic regression on one variable.
fn newton_step(samples: &[Sample], slope: f64, offset: f64) -> (f64, f64) {
    const PULL: f64 = 1e-3;
    let (mut gs, mut go) = (PULL * (slope - 1.0), 0.0);
    let (mut ss, mut so, mut oo) = (PULL, 0.0, PULL);
    for sample in samples {
        let (raw, weight) = (f64::from(sample.raw), f64::from(sample.weight));
        let probability = 1.0 / (1.0 + (-(slope * raw + offset)).exp());
        let error = weight * (probability - f64::from(u8::from(sample.holds)));
        let curvature = weight * probability * (1.0 - probability);
        (gs, go) = (gs + error * raw, go + error);
        (ss, so, oo) = (ss + curvature * raw * raw, so + curvature * raw, oo + curvature);
    }
    let determinant = (ss * oo - so * so).max(1e-12);
    ((oo * gs - so * go) / determinant, (ss * go - so * gs) / determinant)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_curve_passes_through_its_knots() {
        let curve = Curve::new(vec![(0.0, -2.0), (1.0, 0.0), (3.0, 1.0)]).unwrap();
        assert!((curve.probability(1.0) - 0.5).abs() < 1e-6);
        assert!((curve.probability(0.5) - logistic(-1.0)).abs() < 1e-6);
        assert!((curve.probability(5.0) - logistic(2.0)).abs() < 1e-6);
    }

    #[test]
    fn knots_that_do_not_ascend_are_no_curve() {
        assert_eq!(Curve::new(vec![(0.0, 1.0), (1.0, 1.0)]), None);
        assert_eq!(Curve::new(vec![(0.0, 1.0)]), None);
        assert_eq!(Curve::new(vec![(0.0, 0.0), (1.0, f32::NAN)]), None);
    }

    #[test]
    fn platt_finds_the_odds_of_two_groups() {
        // One in four holds at -1, three in four at 1: log-odds of -ln 3 and ln 3.
        let group = |raw, held: usize| (0..400).map(move |at| Sample { raw, holds: at < held, weight: 1.0 });
        let samples: Vec<_> = group(-1.0, 100).chain(group(1.0, 300)).collect();
        let curve = platt(&samples).unwrap();
        assert!((curve.probability(-1.0) - 0.25).abs() < 0.005);
        assert!((curve.probability(1.0) - 0.75).abs() < 0.005);
    }

    #[test]
    fn one_class_alone_cannot_be_calibrated() {
        assert_eq!(platt(&[Sample { raw: 1.0, holds: true, weight: 1.0 }]), None);
    }

    proptest! {
        #[test]
        fn a_greater_value_is_never_less_probable(a in -9.0_f32..9.0, b in -9.0_f32..9.0) {
            let curve = Curve::new(vec![(-1.0, -3.0), (0.0, -2.5), (2.0, 4.0)]).unwrap();
            prop_assert!(curve.probability(a.max(b)) >= curve.probability(a.min(b)));
        }
    }
}
