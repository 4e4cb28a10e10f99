//! Measured recall and false positives by threshold, from the report that ships with the weights.

pub mod false_positive_budget;

use std::{collections::HashMap, sync::LazyLock};

use guardengine_evaluation::{Cost, Point, Report};

/// Description of the measurement, for the API.
pub const MEASURED: &str = "Measured with the whole engine on all development suites together. The cost of a threshold \
     is measured on the suites in which every text should pass (models/report.json).";

/// Measurements of a guardrail.
#[derive(Debug, Default)]
struct Measured {
    points: Vec<Point>,
    costs: Vec<Cost>,
}

/// The report of the shipped models, a summary without the results of single texts.
const REPORT: &str = include_str!("../../../../../models/report.json");

static MEASUREMENTS: LazyLock<HashMap<String, Measured>> = LazyLock::new(|| {
    let report: Report = serde_json::from_str(REPORT).expect("the report is compiled in; a test reads it");
    let Report { suites, mut plain, .. } = report;
    let all = suites.into_iter().find(|suite| suite.suite == "all");
    let guardrails = all.into_iter().flat_map(|suite| suite.guardrails);
    let measured = guardrails.map(|one| {
        let costs = plain.remove(&one.guardrail).unwrap_or_default();
        (one.guardrail.clone(), Measured { points: one.points(), costs })
    });
    measured.collect()
});

/// Returns recall and false positives of a guardrail by threshold; empty if none of its texts were evaluated.
pub fn points(guardrail: &str) -> &'static [Point] {
    MEASUREMENTS.get(guardrail).map_or(&[], |measured| &measured.points)
}

/// Returns the lowest thresholds of a guardrail for increasing shares of harmless texts that trigger.
pub fn costs(guardrail: &str) -> &'static [Cost] {
    MEASUREMENTS.get(guardrail).map_or(&[], |measured| &measured.costs)
}

#[cfg(test)]
mod tests {
    use guardengine_engine::scores::LABELS;

    use super::*;

    #[test]
    fn the_report_holds_no_results_of_single_texts() {
        let report: Report = serde_json::from_str(REPORT).unwrap();
        assert!(report.texts.is_empty(), "write it with guardengine eval SUITES --json --summary");
    }

    #[test]
    fn every_guardrail_with_a_learned_score_was_measured() {
        for label in LABELS {
            let thresholds: Vec<_> = points(label).iter().map(|point| point.threshold).collect();
            assert_eq!(thresholds, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], "{label}");
        }
    }

    #[test]
    fn a_higher_threshold_never_triggers_more() {
        for label in LABELS {
            for pair in points(label).windows(2) {
                assert!(pair[0].recall >= pair[1].recall, "{label}");
                assert!(pair[0].false_positive_rate >= pair[1].false_positive_rate, "{label}");
            }
            for pair in costs(label).windows(2) {
                assert!(pair[0].share < pair[1].share && pair[0].threshold >= pair[1].threshold, "{label}");
            }
            assert!(!costs(label).is_empty(), "{label}");
        }
    }
}
