//! Comparison of two runs over the same dataset: rates by guardrail, and the cases whose result flipped.

use guardengine_evaluation::bootstrap::{Ranked, difference_intervals};
use serde::Serialize;
use utoipa::ToSchema;

use super::{
    report::{EvaluationReport, GuardrailConfusion, RateInterval, split},
    result::{CaseResult, least},
};

/// A guardrail in both runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct GuardrailDifference {
    #[schema(value_type = crate::schemas::GuardrailName)]
    guardrail: String,
    /// In the older run; null if its policy version does not have it.
    base: Option<GuardrailConfusion>,
    /// In the newer run; null if its policy version does not have it.
    run: Option<GuardrailConfusion>,
    /// 95 % interval of the difference of the recall; null unless both have the guardrail.
    recall_difference: Option<RateInterval>,
    /// 95 % interval of the difference of the false positive rate.
    false_positive_rate_difference: Option<RateInterval>,
    /// Cases that were wrong and are right.
    fixed: usize,
    /// Cases that were right and are wrong.
    broken: usize,
}

/// One side of a comparison.
#[derive(Clone, Copy)]
pub struct Side<'a> {
    /// Results, in the order of the cases.
    pub results: &'a [CaseResult],
    /// Report.
    pub report: &'a EvaluationReport,
}

impl Side<'_> {
    fn guardrail(&self, name: &str) -> Option<&GuardrailConfusion> {
        self.report.guardrails.iter().find(|one| one.guardrail == name)
    }
}

/// Compares the guardrails of two runs: those of the newer one, and those that only the older one has.
pub fn guardrails(base: Side<'_>, run: Side<'_>) -> Vec<GuardrailDifference> {
    let names = run.report.guardrails.iter().map(|one| one.guardrail.as_str());
    let further = base.report.guardrails.iter().map(|one| one.guardrail.as_str());
    let further = further.filter(|name| run.guardrail(name).is_none());
    names.chain(further).map(|name| guardrail(name, base, run)).collect()
}

fn guardrail(name: &str, base: Side<'_>, run: Side<'_>) -> GuardrailDifference {
    let (old, new) = (base.guardrail(name), run.guardrail(name));
    let mut difference = GuardrailDifference {
        guardrail: name.to_owned(),
        base: old.cloned(),
        run: new.cloned(),
        recall_difference: None,
        false_positive_rate_difference: None,
        fixed: 0,
        broken: 0,
    };
    let (Some(old), Some(new)) = (old, new) else { return difference };
    let ranked = |side: Side<'_>, threshold| {
        let (positives, negatives) = split(side.results, name);
        Ranked::new(least(threshold), &positives, &negatives)
    };
    let intervals = difference_intervals(&ranked(base, old.threshold), &ranked(run, new.threshold), true);
    difference.recall_difference = intervals.recall.map(RateInterval::from);
    difference.false_positive_rate_difference = intervals.false_positive_rate.map(RateInterval::from);
    for (before, after) in base.results.iter().zip(run.results) {
        let was_wrong = before.mistake_of(name, old.threshold).is_some();
        let is_wrong = after.mistake_of(name, new.threshold).is_some();
        difference.fixed += usize::from(was_wrong && !is_wrong);
        difference.broken += usize::from(!was_wrong && is_wrong);
    }
    difference
}

/// Returns the positions of the cases whose decision differs.
pub fn flipped(base: &[CaseResult], run: &[CaseResult]) -> Vec<usize> {
    let pairs = base.iter().zip(run).enumerate();
    pairs.filter(|(_, (before, after))| before.decision != after.decision).map(|(at, _)| at).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::evaluation::report::{report, tests::result};

    #[test]
    fn a_comparison_counts_what_was_fixed_and_broken() {
        let base = [
            result(&["spam"], &[], 0.6, false),
            result(&["spam"], &[], 0.9, true),
            result(&[], &["spam"], 0.6, false),
        ];
        let mut run = base.clone();
        for at in [0, 2] {
            run[at].decision = "block".to_owned();
            run[at].text.flagged = true;
        }
        let reports =
            [0.8, 0.5].map(|threshold| report(&base, &[("spam".to_owned(), threshold)], String::new()));
        let side = |results, report| Side { results, report };
        let found = guardrails(side(&base, &reports[0]), side(&run, &reports[1]));
        assert_eq!((found.len(), found[0].fixed, found[0].broken), (1, 1, 1));
        assert!(found[0].recall_difference.is_some_and(|interval| interval.high > 0.0));
        assert_eq!(flipped(&base, &run), [0, 2]);
    }
}
