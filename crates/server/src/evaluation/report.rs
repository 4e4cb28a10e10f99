//! The report of a run: confusion of each guardrail and of the decision, and decisions by direction.

use std::collections::BTreeMap;

use guardengine_evaluation::{
    bootstrap::{Interval, Ranked, intervals},
    confusion_matrix::Counts,
};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::result::{CaseResult, least};

/// Share of an interval's error at either end.
const TAIL: f64 = 0.025;

/// Decisions counted by what was expected, with the rates that follow from them.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct Confusion {
    /// Positives that triggered.
    pub true_positives: usize,
    /// Negatives that triggered.
    pub false_positives: usize,
    /// Negatives that did not trigger.
    pub true_negatives: usize,
    /// Positives that did not trigger.
    pub false_negatives: usize,
    /// Share of the triggered cases that are positive.
    pub precision: Option<f64>,
    /// Share of the positives that triggered.
    pub recall: Option<f64>,
    /// Harmonic mean of precision and recall.
    pub f1: Option<f64>,
    /// Share of the negatives that triggered.
    pub false_positive_rate: Option<f64>,
}

impl From<Counts> for Confusion {
    fn from(counts: Counts) -> Self {
        Self {
            true_positives: counts.hits,
            false_positives: counts.false_alarms,
            true_negatives: counts.passes,
            false_negatives: counts.misses,
            precision: counts.precision(),
            recall: counts.recall(),
            f1: counts.f(1.0),
            false_positive_rate: counts.false_positive_rate(),
        }
    }
}

/// A 95 % interval.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, ToSchema)]
pub struct RateInterval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl From<Interval> for RateInterval {
    fn from(interval: Interval) -> Self {
        Self { low: interval.low, high: interval.high }
    }
}

impl RateInterval {
    /// Returns the interval of a rate over a number of cases. Where all cases agree, resampling finds no other rate, and
    /// the exact interval of Clopper and Pearson (1934) takes its place.
    fn of(resampled: Option<Interval>, cases: usize) -> Option<Self> {
        let Interval { low, high } = resampled?;
        let least = TAIL.powf(1.0 / cases as f64);
        Some(match (low, high) {
            (1.0, 1.0) => Self { low: least, high },
            (0.0, 0.0) => Self { low, high: 1.0 - least },
            _ => Self { low, high },
        })
    }
}

/// Confusion of a guardrail.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GuardrailConfusion {
    /// Name in the API.
    #[schema(value_type = crate::schemas::GuardrailName)]
    pub guardrail: String,
    /// Threshold in the policy version.
    pub threshold: f32,
    #[serde(flatten)]
    pub confusion: Confusion,
    /// 95 % interval of the recall.
    pub recall_interval: Option<RateInterval>,
    /// 95 % interval of the false positive rate.
    pub false_positive_rate_interval: Option<RateInterval>,
}

/// Number of decisions.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct DecisionCount {
    #[schema(value_type = guardengine_api_types::choices::Direction)]
    pub direction: String,
    #[schema(value_type = guardengine_api_types::choices::Decision)]
    pub decision: String,
    /// Number of cases.
    pub cases: usize,
}

/// Report of a run.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct EvaluationReport {
    /// Guardrails of the policy version, in its order.
    pub guardrails: Vec<GuardrailConfusion>,
    /// Confusion of the decision: a case is flagged unless the decision is `allow`.
    pub decision: Confusion,
    /// Decisions by direction.
    pub decisions: Vec<DecisionCount>,
    /// Version of the models that scored the cases.
    pub model_version: String,
}

/// Confidences of the positives and the negatives of a guardrail, in the order of the cases.
pub fn split(results: &[CaseResult], guardrail: &str) -> (Vec<f32>, Vec<f32>) {
    let those = |holds: bool| {
        let held = results.iter().filter(|result| result.text.holds(guardrail) == Some(holds));
        held.map(|result| result.text.confidence(guardrail)).collect()
    };
    (those(true), those(false))
}

/// Builds the report of a run from its results, with the thresholds of the policy version.
pub fn report(
    results: &[CaseResult],
    thresholds: &[(String, f32)],
    model_version: String,
) -> EvaluationReport {
    EvaluationReport {
        guardrails: thresholds.iter().map(|one| guardrail(results, one)).collect(),
        decision: decision(results).into(),
        decisions: decisions(results),
        model_version,
    }
}

fn guardrail(results: &[CaseResult], (name, threshold): &(String, f32)) -> GuardrailConfusion {
    let (positives, negatives) = split(results, name);
    let intervals = intervals(&Ranked::new(least(*threshold), &positives, &negatives));
    GuardrailConfusion {
        guardrail: name.clone(),
        threshold: *threshold,
        confusion: Counts::at(least(*threshold), &positives, &negatives).into(),
        recall_interval: RateInterval::of(intervals.recall, positives.len()),
        false_positive_rate_interval: RateInterval::of(intervals.false_positive_rate, negatives.len()),
    }
}

fn decision(results: &[CaseResult]) -> Counts {
    let mut counts = Counts::default();
    for result in results {
        match (result.should_flag, result.text.flagged) {
            (Some(true), true) => counts.hits += 1,
            (Some(true), false) => counts.misses += 1,
            (Some(false), true) => counts.false_alarms += 1,
            (Some(false), false) => counts.passes += 1,
            (None, _) => {}
        }
    }
    counts
}

fn decisions(results: &[CaseResult]) -> Vec<DecisionCount> {
    let mut counts = BTreeMap::<_, usize>::new();
    for result in results {
        *counts.entry((&result.direction, &result.decision)).or_default() += 1;
    }
    let count = |((direction, decision), cases): ((&String, &String), usize)| DecisionCount {
        direction: direction.clone(),
        decision: decision.clone(),
        cases,
    };
    counts.into_iter().map(count).collect()
}

#[cfg(test)]
pub mod tests {
    use super::*;

    /// A result with labels, negatives, the confidence of `spam`, and whether it was flagged.
    pub fn result(labels: &[&str], negatives: &[&str], spam: f32, flagged: bool) -> CaseResult {
        let text = serde_json::json!({
            "id": "", "suite": "", "characters": 1, "labels": labels, "negatives": negatives,
            "flagged": flagged, "confidences": { "spam": spam },
        });
        CaseResult {
            decision: if flagged { "block" } else { "allow" }.to_owned(),
            direction: "input".to_owned(),
            should_flag: Some(!labels.is_empty()),
            text: serde_json::from_value(text).unwrap(),
        }
    }

    #[test]
    fn cases_are_counted_by_guardrail_and_by_decision() {
        let results = [
            result(&["spam"], &[], 0.9, true),
            result(&["spam"], &[], 0.2, false),
            result(&[], &["spam"], 0.8, true),
            result(&[], &["spam"], 0.0, false),
            result(&["fraud"], &[], 0.7, true),
        ];
        let report = report(&results, &[("spam".to_owned(), 0.5), ("fraud".to_owned(), 0.0)], "m".to_owned());
        let spam = &report.guardrails[0].confusion;
        assert_eq!(
            [spam.true_positives, spam.false_negatives, spam.false_positives, spam.true_negatives],
            [1; 4],
            "the case of another guardrail is unknown"
        );
        assert_eq!((spam.recall, spam.precision, spam.f1), (Some(0.5), Some(0.5), Some(0.5)));
        assert!(report.guardrails[0].recall_interval.is_some());
        let fraud = &report.guardrails[1].confusion;
        assert_eq!((fraud.true_positives, fraud.false_negatives), (0, 1), "a confidence of 0 never triggers");
        assert_eq!((report.decision.true_positives, report.decision.false_negatives), (2, 1));
        let counts: Vec<_> = report.decisions.iter().map(|one| (&*one.decision, one.cases)).collect();
        assert_eq!(counts, [("allow", 2), ("block", 3)]);
    }

    #[test]
    fn the_interval_of_cases_that_agree_is_exact() {
        let all = RateInterval::of(Some(Interval { low: 1.0, high: 1.0 }), 8).unwrap();
        assert!((all.low - 0.6306).abs() < 1e-4 && all.high == 1.0, "{all:?}");
        let none = RateInterval::of(Some(Interval { low: 0.0, high: 0.0 }), 8).unwrap();
        assert!(none.low == 0.0 && (none.high - 0.3694).abs() < 1e-4, "{none:?}");
        assert!(RateInterval::of(None, 0).is_none());
    }
}
