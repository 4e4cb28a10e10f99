//! Bootstrap intervals: how far a rate would move with other texts of the same kind.
//!
//! Positives and negatives are drawn again with replacement, each as many times as there are. The interval holds the
//! middle 95 % of the resampled values (percentile bootstrap, Efron 1979). Draws are seeded, so equal texts have equal
//! intervals. A rate of 0 or 1 has an interval of no width: no draw can differ from texts that all agree.

use serde::{Deserialize, Serialize};

use crate::random::Random;

/// Number of resamples.
pub const RESAMPLES: usize = 1000;

/// Seed of the draws.
const SEED: u64 = 0x6775_6172_6465_6e67;

/// Share of the resamples below the interval, and above it.
const TAIL: f64 = 0.025;

/// A 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

/// Recall, false-positive rate and AUC; `None` where texts are missing.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rates<T> {
    /// Share of the positives that triggered.
    pub recall: Option<T>,
    /// Share of the negatives that triggered.
    pub false_positive_rate: Option<T>,
    /// Area under the ROC curve.
    pub auc: Option<T>,
}

impl<T> Default for Rates<T> {
    fn default() -> Self {
        Self { recall: None, false_positive_rate: None, auc: None }
    }
}

/// Confidences of positives and negatives, prepared for resampling: equal confidences share a rank.
#[derive(Debug)]
pub struct Ranked {
    positives: Vec<u32>,
    negatives: Vec<u32>,
    ranks: usize,
    /// The lowest rank that triggers.
    triggering: usize,
}

impl Ranked {
    /// Ranks confidences; those at or above `threshold` trigger.
    pub fn new(threshold: f32, positives: &[f32], negatives: &[f32]) -> Self {
        let mut values: Vec<f32> = positives.iter().chain(negatives).copied().collect();
        values.sort_unstable_by(f32::total_cmp);
        values.dedup();
        let rank = |one: &f32| values.partition_point(|value| value < one) as u32;
        Self {
            positives: positives.iter().map(rank).collect(),
            negatives: negatives.iter().map(rank).collect(),
            ranks: values.len(),
            triggering: values.partition_point(|value| *value < threshold),
        }
    }

    /// Returns the rates of the texts themselves.
    pub fn rates(&self) -> Rates<f64> {
        let every = |ranks: &[u32]| (0..ranks.len() as u32).collect::<Vec<_>>();
        self.drawn(&every(&self.positives), &every(&self.negatives))
    }

    /// Returns the rates of the drawn positives and negatives.
    fn drawn(&self, positives: &[u32], negatives: &[u32]) -> Rates<f64> {
        let count = |drawn: &[u32], ranks: &[u32]| {
            let mut counts = vec![0_u32; self.ranks];
            for index in drawn {
                counts[ranks[*index as usize] as usize] += 1;
            }
            counts
        };
        let (held, absent) = (count(positives, &self.positives), count(negatives, &self.negatives));
        let share = |counts: &[u32], whole: usize| {
            let triggered: u32 = counts[self.triggering..].iter().sum();
            (whole > 0).then(|| f64::from(triggered) / whole as f64)
        };
        Rates {
            recall: share(&held, positives.len()),
            false_positive_rate: share(&absent, negatives.len()),
            auc: auc(&held, &absent, positives.len(), negatives.len()),
        }
    }

    /// True if no draw can change a rate: only one kind of text, and all of it triggers or none does.
    fn is_settled(&self) -> bool {
        let triggers = |rank: &u32| *rank as usize >= self.triggering;
        let agree = |ranks: &[u32]| ranks.iter().all(triggers) || !ranks.iter().any(triggers);
        (self.positives.is_empty() || self.negatives.is_empty())
            && agree(&self.positives)
            && agree(&self.negatives)
    }
}

/// Returns the area under the curve from the number of texts at each rank; see [`crate::auc::auc`].
fn auc(held: &[u32], absent: &[u32], positives: usize, negatives: usize) -> Option<f64> {
    if positives == 0 || negatives == 0 {
        return None;
    }
    let (mut won, mut below) = (0.0, 0.0);
    for (held, absent) in held.iter().zip(absent) {
        let absent = f64::from(*absent);
        won += f64::from(*held) * (below + absent / 2.0);
        below += absent;
    }
    Some(won / (positives as f64 * negatives as f64))
}

/// Returns the intervals of recall, false-positive rate and AUC.
pub fn intervals(ranked: &Ranked) -> Rates<Interval> {
    if ranked.is_settled() {
        return percentiles(std::iter::once(ranked.rates()));
    }
    let mut draws = Draws::new(ranked.positives.len(), ranked.negatives.len());
    percentiles((0..RESAMPLES).map(|_| {
        draws.again();
        ranked.drawn(&draws.positives, &draws.negatives)
    }))
}

/// Returns the intervals of the differences `new` − `old`. Both rank the same texts in the same order if `paired`; then
/// each draw counts the same texts on both sides.
pub fn difference_intervals(old: &Ranked, new: &Ranked, paired: bool) -> Rates<Interval> {
    if old.is_settled() && new.is_settled() {
        return percentiles(std::iter::once(minus(new.rates(), old.rates())));
    }
    let mut draws = Draws::new(new.positives.len(), new.negatives.len());
    let mut others = Draws::new(old.positives.len(), old.negatives.len());
    // A generator of its own, or equal numbers of texts would be drawn alike.
    others.random = Random::new(!SEED);
    percentiles((0..RESAMPLES).map(|_| {
        draws.again();
        let before = if paired {
            old.drawn(&draws.positives, &draws.negatives)
        } else {
            others.again();
            old.drawn(&others.positives, &others.negatives)
        };
        minus(new.drawn(&draws.positives, &draws.negatives), before)
    }))
}

/// Returns the differences of the rates that both have.
fn minus(new: Rates<f64>, old: Rates<f64>) -> Rates<f64> {
    let minus = |new: Option<f64>, old: Option<f64>| Some(new? - old?);
    Rates {
        recall: minus(new.recall, old.recall),
        false_positive_rate: minus(new.false_positive_rate, old.false_positive_rate),
        auc: minus(new.auc, old.auc),
    }
}

/// Returns the interval of a share, such as the recall of a list of hits and misses.
pub fn share_interval(hits: usize, texts: usize) -> Option<Interval> {
    let confidences: Vec<f32> = (0..texts).map(|at| f32::from(u8::from(at < hits))).collect();
    intervals(&Ranked::new(0.5, &confidences, &[])).recall
}

/// Indices of texts drawn with replacement.
struct Draws {
    random: Random,
    positives: Vec<u32>,
    negatives: Vec<u32>,
}

impl Draws {
    fn new(positives: usize, negatives: usize) -> Self {
        Self { random: Random::new(SEED), positives: vec![0; positives], negatives: vec![0; negatives] }
    }

    fn again(&mut self) {
        for list in [&mut self.positives, &mut self.negatives] {
            let texts = list.len();
            for index in list {
                *index = self.random.below(texts) as u32;
            }
        }
    }
}

fn percentiles(resampled: impl Iterator<Item = Rates<f64>>) -> Rates<Interval> {
    let (mut recall, mut false_positive_rate, mut auc) = (Vec::new(), Vec::new(), Vec::new());
    for rates in resampled {
        recall.extend(rates.recall);
        false_positive_rate.extend(rates.false_positive_rate);
        auc.extend(rates.auc);
    }
    Rates { recall: middle(recall), false_positive_rate: middle(false_positive_rate), auc: middle(auc) }
}

/// Returns the middle 95 % of `values`; `None` without values.
fn middle(mut values: Vec<f64>) -> Option<Interval> {
    values.sort_unstable_by(f64::total_cmp);
    let cut = (TAIL * values.len() as f64) as usize;
    Some(Interval { low: *values.get(cut)?, high: *values.get(values.len() - 1 - cut)? })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ranked() -> Ranked {
        let positives: Vec<f32> =
            (0..100_u8).map(|at| if at < 80 { 0.9 } else { f32::from(at) / 200.0 }).collect();
        let negatives: Vec<f32> = (0..200_u8).map(|at| f32::from(at) / 210.0).collect();
        Ranked::new(0.5, &positives, &negatives)
    }

    #[test]
    fn the_rates_of_all_texts_are_those_of_the_metrics() {
        let (positives, negatives) = ([0.9, 0.4, 0.5], [0.1, 0.4, 0.6, 0.5]);
        let rates = Ranked::new(0.5, &positives, &negatives).rates();
        let counts = crate::confusion_matrix::Counts::at(0.5, &positives, &negatives);
        assert_eq!(rates.recall, counts.recall());
        assert_eq!(rates.false_positive_rate, counts.false_positive_rate());
        assert_eq!(rates.auc, crate::auc::auc(&positives, &negatives));
    }

    #[test]
    fn an_interval_is_as_wide_as_theory_says() {
        // The standard error of 80 of 100 is 4 points, so the interval is about 80 ± 7.8.
        let recall = intervals(&ranked()).recall.unwrap();
        assert!((recall.low - 0.722).abs() < 0.015 && (recall.high - 0.878).abs() < 0.015, "{recall:?}");
        let auc = intervals(&ranked()).auc.unwrap();
        let whole = ranked().rates().auc.unwrap();
        assert!(auc.low < whole && whole < auc.high, "{auc:?} {whole}");
    }

    #[test]
    fn the_same_texts_have_the_same_intervals() {
        assert_eq!(intervals(&ranked()), intervals(&ranked()));
    }

    #[test]
    fn texts_that_agree_have_an_interval_without_width() {
        assert_eq!(share_interval(5, 5), Some(Interval { low: 1.0, high: 1.0 }));
        assert_eq!(share_interval(0, 0), None);
    }

    #[test]
    fn a_paired_difference_of_equal_confidences_is_zero_and_an_unpaired_one_is_not() {
        let zero = Some(Interval { low: 0.0, high: 0.0 });
        let paired = difference_intervals(&ranked(), &ranked(), true);
        assert_eq!((paired.recall, paired.false_positive_rate, paired.auc), (zero, zero, zero));
        let unpaired = difference_intervals(&ranked(), &ranked(), false).recall.unwrap();
        assert!(unpaired.low < -0.05 && unpaired.high > 0.05, "{unpaired:?}");
    }
}
