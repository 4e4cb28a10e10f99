//! From a score to a confidence.

/// Confidence of a score that the examples of a topic have.
const TYPICAL: f32 = 0.9;
/// Least distance of [`TYPICAL`] from the middle. Examples that are nearer to harmless texts are less certain.
const LEAST_GAP: f32 = 0.1;

/// A logistic curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    middle: f32,
    slope: f32,
}

impl Curve {
    /// Returns the curve on which `middle` has 0.5 and `typical` has [`TYPICAL`], or less where it is hardly higher.
    pub fn through(middle: f32, typical: f32) -> Self {
        let gap = (typical - middle).max(LEAST_GAP);
        Self { middle, slope: log_odds(TYPICAL) / gap }
    }

    /// Returns the score that has this confidence; infinite for a confidence of 0 or 1.
    pub fn score(self, confidence: f32) -> f32 {
        self.middle + log_odds(confidence) / self.slope
    }

    /// Returns the confidence, 0 to 1.
    pub fn confidence(self, score: f32) -> f32 {
        (1.0 + (self.slope * (self.middle - score)).exp()).recip()
    }
}

fn log_odds(confidence: f32) -> f32 {
    (confidence / (1.0 - confidence)).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_goes_through_its_two_points() {
        let curve = Curve::through(0.1, 0.3);
        for (score, confidence) in [(0.1, 0.5), (0.3, 0.9), (-0.1, 0.1)] {
            assert!((curve.confidence(score) - confidence).abs() < 1e-5, "{score}");
            assert!((curve.score(confidence) - score).abs() < 1e-5, "{score}");
        }
        assert_eq!([0.0, 1.0].map(|end| curve.score(end)), [f32::NEG_INFINITY, f32::INFINITY]);
    }

    #[test]
    fn examples_hardly_above_the_middle_are_less_certain() {
        for (typical, confidence) in [(0.15, 0.75), (0.1, 0.5), (0.0, 0.1)] {
            let curve = Curve::through(0.1, typical);
            assert!((curve.confidence(typical) - confidence).abs() < 1e-3, "{typical}");
        }
    }
}
