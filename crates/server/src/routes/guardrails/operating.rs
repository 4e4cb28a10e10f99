//! What was measured of each guardrail, from the report that ships with the weights.

use std::{collections::HashMap, sync::LazyLock};

use guardengine_evaluation::{Point, Report};

/// What the figures are about.
pub const MEASURED: &str = "The learned score alone, without the phrases and patterns beside it, on all development \
     suites together (models/report.json).";

static POINTS: LazyLock<HashMap<String, Vec<Point>>> = LazyLock::new(|| {
    let report: Report = serde_json::from_str(include_str!("../../../../../models/report.json"))
        .expect("the report is the evaluation's own; a test reads it");
    let all = report.suites.into_iter().find(|suite| suite.suite == "all");
    let guardrails = all.into_iter().flat_map(|suite| suite.guardrails);
    guardrails.map(|measured| (measured.guardrail.clone(), measured.points())).collect()
});

/// Recall and false positives of a guardrail by threshold; none where no score is learned.
pub fn points(guardrail: &str) -> &'static [Point] {
    POINTS.get(guardrail).map_or(&[], Vec::as_slice)
}

#[cfg(test)]
mod tests {
    use guardengine_engine::scores::LABELS;

    use super::*;

    #[test]
    fn what_has_a_learned_score_was_measured() {
        for label in LABELS {
            let thresholds: Vec<_> = points(label).iter().map(|point| point.threshold).collect();
            assert_eq!(thresholds, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9], "{label}");
        }
        assert_eq!(points("pii"), []);
    }

    #[test]
    fn raising_a_threshold_finds_no_more_and_flags_no_more() {
        for label in LABELS {
            for pair in points(label).windows(2) {
                assert!(pair[0].recall >= pair[1].recall, "{label}");
                assert!(pair[0].false_positive_rate >= pair[1].false_positive_rate, "{label}");
            }
        }
    }
}
