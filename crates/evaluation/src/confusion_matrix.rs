//! Decisions at a threshold: hits, misses, false alarms and the rates that follow from them.

use serde::{Deserialize, Serialize};

/// Decisions, counted by the expected decision.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Positives that triggered.
    pub hits: usize,
    /// Positives that did not.
    pub misses: usize,
    /// Negatives that triggered.
    pub false_alarms: usize,
    /// Negatives that did not.
    pub passes: usize,
}

impl Counts {
    /// Counts confidences at or above `threshold` as triggered.
    pub fn at(threshold: f32, positives: &[f32], negatives: &[f32]) -> Self {
        let triggered = |values: &[f32]| values.iter().filter(|value| **value >= threshold).count();
        let (hits, false_alarms) = (triggered(positives), triggered(negatives));
        Self { hits, misses: positives.len() - hits, false_alarms, passes: negatives.len() - false_alarms }
    }

    /// Adds the decisions of other texts.
    pub const fn add(&mut self, other: Self) {
        self.hits += other.hits;
        self.misses += other.misses;
        self.false_alarms += other.false_alarms;
        self.passes += other.passes;
    }

    /// Share of the positives that triggered.
    pub fn recall(&self) -> Option<f64> {
        share(self.hits, self.hits + self.misses)
    }

    /// Share of the triggered texts that are positive.
    pub fn precision(&self) -> Option<f64> {
        share(self.hits, self.hits + self.false_alarms)
    }

    /// Share of the negatives that triggered.
    pub fn false_positive_rate(&self) -> Option<f64> {
        share(self.false_alarms, self.false_alarms + self.passes)
    }

    /// The weighted harmonic mean of precision and recall, recall counting `beta` times as much (van Rijsbergen 1979).
    pub fn f(&self, beta: f64) -> Option<f64> {
        let squared = beta * beta;
        let weighted = (1.0 + squared) * self.hits as f64;
        let total = weighted + squared * self.misses as f64 + self.false_alarms as f64;
        (total > 0.0).then(|| weighted / total)
    }
}

fn share(part: usize, whole: usize) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_confidence_at_the_threshold_triggers() {
        let counts = Counts::at(0.5, &[0.5, 0.4, 0.9], &[0.5, 0.1]);
        assert_eq!(counts, Counts { hits: 2, misses: 1, false_alarms: 1, passes: 1 });
    }

    #[test]
    fn rates_have_the_right_denominators() {
        let counts = Counts { hits: 6, misses: 2, false_alarms: 3, passes: 9 };
        assert_eq!(counts.recall(), Some(0.75));
        assert_eq!(counts.precision(), Some(6.0 / 9.0));
        assert_eq!(counts.false_positive_rate(), Some(0.25));
        // F1 = 2·6 / (2·6 + 2 + 3); F2 = 5·6 / (5·6 + 4·2 + 3).
        assert_eq!(counts.f(1.0), Some(12.0 / 17.0));
        assert_eq!(counts.f(2.0), Some(30.0 / 41.0));
    }

    #[test]
    fn empty_counts_have_no_rates() {
        let counts = Counts::default();
        assert_eq!((counts.recall(), counts.precision(), counts.f(1.0)), (None, None, None));
    }
}
