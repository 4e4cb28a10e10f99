//! Recall, false positives and the cost on an organization's own traffic at each threshold of a guardrail, from scores
//! that are kept.

use guardengine_evaluation::confusion_matrix::Counts;
use serde::Serialize;
use utoipa::ToSchema;

use super::result::{CaseResult, least, triggers};
use crate::evaluation::report::split;

/// Steps between the thresholds 0 and 1.
const STEPS: u16 = 50;

/// Log entries whose scores a sweep counts.
pub const TRAFFIC: i64 = 1_000;
/// Newest log entries of the organization among which they are.
pub const WINDOW: i64 = 20_000;

/// Confidence and threshold of a guardrail in a log entry.
#[derive(Clone, Copy, Debug)]
pub struct Logged {
    confidence: f32,
    threshold: f32,
}

impl Logged {
    /// Reads the score of a guardrail from the stored scores of a log entry; `None` if it did not run.
    pub fn of(confidences: &str, guardrail: &str) -> Option<Self> {
        let scores: Vec<(String, f32, f32)> = serde_json::from_str(confidences).ok()?;
        let (_, confidence, threshold) = scores.into_iter().find(|(name, ..)| name == guardrail)?;
        Some(Self { confidence, threshold })
    }
}

/// Rates at a threshold.
#[derive(Debug, Serialize, ToSchema)]
pub struct SweepPoint {
    /// Confidences at or above it trigger.
    threshold: f64,
    /// Share of the positives that trigger; null without positives.
    recall: Option<f64>,
    /// Share of the negatives that trigger; null without negatives.
    false_positive_rate: Option<f64>,
    /// Share of the triggering cases that are positive.
    precision: Option<f64>,
    /// Log entries in which the guardrail would trigger.
    traffic_triggered: usize,
    /// Log entries in which it would trigger and did not.
    traffic_added: usize,
    /// Log entries in which it triggered and would not.
    traffic_removed: usize,
}

/// Returns a point for each threshold.
pub fn points(results: &[CaseResult], guardrail: &str, traffic: &[Logged]) -> Vec<SweepPoint> {
    let (positives, negatives) = split(results, guardrail);
    let point = |step: u16| {
        let threshold = f32::from(step) / f32::from(STEPS);
        let counts = Counts::at(least(threshold), &positives, &negatives);
        let logged = |would: bool, did: Option<bool>| {
            let counts = |one: &&Logged| {
                let now = triggers(one.confidence, threshold);
                now == would && did.is_none_or(|did| did == triggers(one.confidence, one.threshold))
            };
            traffic.iter().filter(counts).count()
        };
        SweepPoint {
            threshold: f64::from(step) / f64::from(STEPS),
            recall: counts.recall(),
            false_positive_rate: counts.false_positive_rate(),
            precision: counts.precision(),
            traffic_triggered: logged(true, None),
            traffic_added: logged(true, Some(false)),
            traffic_removed: logged(false, Some(true)),
        }
    };
    (1..STEPS).map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::report::tests::result;

    #[test]
    fn a_higher_threshold_loses_recall_and_removes_traffic() {
        let results = [result(&["spam"], &[], 0.6, true), result(&[], &["spam"], 0.3, false)];
        let logged = [r#"[["spam",0.7,0.5],["pii",1,0.5]]"#, r#"[["spam",0.2,0.5]]"#, "[]"];
        let traffic: Vec<_> = logged.iter().filter_map(|one| Logged::of(one, "spam")).collect();
        assert_eq!(traffic.len(), 2);
        let points = points(&results, "spam", &traffic);
        let at = |threshold: f64| points.iter().find(|one| (one.threshold - threshold).abs() < 1e-9).unwrap();
        let low = at(0.2);
        assert_eq!((low.recall, low.false_positive_rate), (Some(1.0), Some(1.0)));
        assert_eq!((low.traffic_triggered, low.traffic_added, low.traffic_removed), (2, 1, 0));
        let middle = at(0.5);
        assert_eq!((middle.recall, middle.false_positive_rate), (Some(1.0), Some(0.0)));
        assert_eq!((middle.traffic_triggered, middle.traffic_added, middle.traffic_removed), (1, 0, 0));
        let high = at(0.8);
        assert_eq!((high.recall, high.traffic_triggered, high.traffic_removed), (Some(0.0), 0, 1));
    }
}
