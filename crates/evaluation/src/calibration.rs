//! Calibration: a comparison of confidences with the observed share of positives.

use serde::{Deserialize, Serialize};

/// Bins of equal width in the diagram.
pub const BINS: usize = 10;

/// One column of a reliability diagram.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Bin {
    /// Number of texts whose confidence lies in the bin.
    pub count: usize,
    /// Mean of their confidences.
    pub confidence: f64,
    /// Share of them that are positive.
    pub positive: f64,
}

/// Returns the reliability diagram: ten bins of equal width.
pub fn bins(positives: &[f32], negatives: &[f32]) -> [Bin; BINS] {
    let mut sums = [(0_usize, 0.0_f64, 0_usize); BINS];
    let labelled = positives.iter().map(|one| (one, 1)).chain(negatives.iter().map(|one| (one, 0)));
    for (confidence, holds) in labelled {
        let sum = &mut sums[((confidence * BINS as f32) as usize).min(BINS - 1)];
        *sum = (sum.0 + 1, sum.1 + f64::from(*confidence), sum.2 + holds);
    }
    sums.map(|(count, confidence, held)| {
        let whole = count.max(1) as f64;
        Bin { count, confidence: confidence / whole, positive: held as f64 / whole }
    })
}

/// Returns the expected calibration error: the mean distance between confidence and share of positives over the bins,
/// weighted by their number of texts (Naeini, Cooper, Hauskrecht 2015). `None` without texts.
pub fn expected_error(bins: &[Bin]) -> Option<f64> {
    let total: usize = bins.iter().map(|bin| bin.count).sum();
    let distance: f64 = bins.iter().map(|bin| bin.count as f64 * (bin.confidence - bin.positive).abs()).sum();
    (total > 0).then(|| distance / total as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_in_ten_at_nine_tenths_is_no_error() {
        let bins = bins(&[0.9; 9], &[0.9; 1]);
        assert_eq!(bins[9].count, 10);
        assert!(expected_error(&bins).unwrap() < 1e-6);
    }

    #[test]
    fn the_error_is_the_mean_distance_weighted_by_texts() {
        // Three texts at 0.25 of which one is positive (distance 1/12), one at 1.0 that is negative (distance 1).
        let bins = bins(&[0.25], &[0.25, 0.25, 1.0]);
        let expected = (3.0 * (1.0 / 3.0 - 0.25) + 1.0) / 4.0;
        assert!((expected_error(&bins).unwrap() - expected).abs() < 1e-9);
    }

    #[test]
    fn no_texts_no_error() {
        assert_eq!(expected_error(&bins(&[], &[])), None);
    }
}
