//! Recall and false positives at thresholds, from the counts of a reliability diagram.

use serde::{Deserialize, Serialize};

use crate::{
    calibration::{BINS, Bin},
    confusion_matrix::Counts,
};

/// Recall and false-positive rate at a threshold.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Point {
    /// Confidences at or above it trigger.
    pub threshold: f64,
    /// Share of the positives that trigger; `None` without positives.
    pub recall: Option<f64>,
    /// Share of the negatives that trigger; `None` without negatives.
    pub false_positive_rate: Option<f64>,
    /// Number of positives.
    pub positives: usize,
    /// Number of negatives.
    pub negatives: usize,
}

/// Returns a point for each threshold between two bins. A confidence equal to the threshold lies in the upper bin and
/// triggers.
pub fn points(bins: &[Bin; BINS]) -> Vec<Point> {
    (1..BINS).map(|at| point(at, bins)).collect()
}

fn point(at: usize, bins: &[Bin; BINS]) -> Point {
    let (below, above) = bins.split_at(at);
    let ((misses, passes), (hits, false_alarms)) = (sums(below), sums(above));
    let counts = Counts { hits, misses, false_alarms, passes };
    Point {
        threshold: at as f64 / BINS as f64,
        recall: counts.recall().map(short),
        false_positive_rate: counts.false_positive_rate().map(short),
        positives: hits + misses,
        negatives: false_alarms + passes,
    }
}

/// Returns the positives and negatives in `bins`.
fn sums(bins: &[Bin]) -> (usize, usize) {
    let positives = |bin: &Bin| (bin.positive * bin.count as f64).round() as usize;
    let held: usize = bins.iter().map(positives).sum();
    (held, bins.iter().map(|bin| bin.count).sum::<usize>() - held)
}

/// Rounds to five decimals: one text in a hundred thousand.
fn short(share: f64) -> f64 {
    (share * 1e5).round() / 1e5
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::bins;

    #[test]
    fn points_match_the_counts_at_their_threshold() {
        let positives = [0.05, 0.3, 0.34, 0.72, 0.9, 1.0];
        let negatives = [0.0, 0.0, 0.12, 0.3, 0.71];
        let bins = bins(&positives, &negatives);
        for point in points(&bins) {
            let counts = Counts::at(point.threshold as f32, &positives, &negatives);
            assert_eq!(point.recall, counts.recall().map(short), "{}", point.threshold);
            assert_eq!(point.false_positive_rate, counts.false_positive_rate().map(short));
            assert_eq!((point.positives, point.negatives), (6, 5));
        }
    }

    #[test]
    fn without_positives_there_is_no_recall() {
        let first = points(&bins(&[], &[0.5]))[0];
        assert_eq!((first.recall, first.false_positive_rate), (None, Some(1.0)));
    }
}
