//! Evaluation of suites: metrics per suite and guardrail.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::{
    auc::{auc, recall_at},
    bootstrap::{Interval, Ranked, Rates, intervals},
    buckets::{Buckets, buckets},
    calibration::{BINS, Bin, bins, expected_error},
    comparison::Comparison,
    confusion_matrix::Counts,
    dilution::DilutionReport,
    false_positive_cost::{Cost, costs},
    operating_points::{Point, points},
    pii::{KindReport, kinds},
    pii_buckets::{PiiBuckets, pii_buckets},
    suite::{Expect, LabeledText, Marked},
    text_result::TextResult,
};

/// Result of evaluating one row.
#[derive(Clone, Debug, Default)]
pub struct Prediction {
    /// Wire names of guardrails with their confidences; absent means zero.
    pub confidences: BTreeMap<String, f32>,
    /// Personal data found, in code points.
    pub pii: Vec<Marked>,
    /// True if anything triggered.
    pub flagged: bool,
    /// Evaluation time, in microseconds.
    pub micros: u32,
}

/// Guardrails to report on, with the thresholds they ship with.
pub type Thresholds = BTreeMap<String, f32>;

/// The shares of false positives at which recall is reported.
pub const SHARES: [f64; 3] = [0.005, 0.01, 0.05];

/// One guardrail on one suite.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuardrailReport {
    /// Wire name.
    pub guardrail: String,
    /// Number of positives.
    pub positives: usize,
    /// Number of known negatives.
    pub negatives: usize,
    /// True if the negatives are those of all suites because this one has too few for a rate.
    pub negatives_pooled: bool,
    /// Area under the curve.
    pub auc: Option<f64>,
    /// Recall where 0.5, 1 and 5 % of the negatives trigger.
    pub recall_at: [Option<f64>; SHARES.len()],
    /// The shipped threshold.
    pub threshold: f32,
    /// Decisions at the threshold.
    pub counts: Counts,
    /// Share of the positives that triggered.
    pub recall: Option<f64>,
    /// Share of the triggered texts that are positive.
    pub precision: Option<f64>,
    /// Share of the negatives that triggered.
    pub false_positive_rate: Option<f64>,
    /// Harmonic mean of precision and recall.
    pub f1: Option<f64>,
    /// Expected calibration error.
    pub calibration_error: Option<f64>,
    /// Reliability diagram.
    pub reliability: [Bin; BINS],
    /// 95 % intervals of the rates at the threshold and of the area under the curve.
    #[serde(default)]
    pub intervals: Rates<Interval>,
}

/// One suite.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SuiteReport {
    /// Its name.
    pub suite: String,
    /// Texts in it.
    pub rows: usize,
    /// Texts that should pass, and how many of them were flagged.
    pub should_pass: (usize, usize),
    /// Texts that should be flagged, and how many of them were.
    pub should_flag: (usize, usize),
    /// Evaluation time per text, in microseconds: the median and the 95th percentile.
    pub micros: (u32, u32),
    /// Per guardrail with at least one known label.
    pub guardrails: Vec<GuardrailReport>,
    /// Per PII type that is annotated in it.
    pub pii: Vec<KindReport>,
}

/// All suites, and a last one named `all` that holds every row.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Report {
    /// In the order of their names.
    pub suites: Vec<SuiteReport>,
    /// False-positive rates of each guardrail's thresholds on plain traffic: suites in which every text should pass.
    pub plain: BTreeMap<String, Vec<Cost>>,
    /// All texts by length, language and role.
    #[serde(default)]
    pub buckets: Buckets,
    /// Annotated texts by PII type, language and format.
    #[serde(default)]
    pub pii: PiiBuckets,
    /// Attacks set into harmless texts, if that was measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dilution: Option<DilutionReport>,
    /// Differences from an older report, if there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comparison: Option<Comparison>,
    /// Result of each text; empty in a summary.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub texts: Vec<TextResult>,
}

/// A text and its prediction.
pub(crate) type Evaluated<'r> = (&'r LabeledText, Prediction);

/// Evaluates every row with `evaluate_row` and sums up.
pub fn evaluate(
    rows: &[LabeledText],
    thresholds: &Thresholds,
    evaluate_row: impl Fn(&LabeledText) -> Prediction,
) -> Report {
    let results: Vec<Evaluated<'_>> = rows.iter().map(|row| (row, evaluate_row(row))).collect();
    let all: Vec<&Evaluated<'_>> = results.iter().collect();
    let mut by_suite: BTreeMap<&str, Vec<&Evaluated<'_>>> = BTreeMap::new();
    for one in &results {
        by_suite.entry(&one.0.suite).or_default().push(one);
    }
    let mut suites: Vec<_> =
        by_suite.iter().map(|(name, some)| suite(name, some, &all, thresholds)).collect();
    suites.push(suite("all", &all, &all, thresholds));
    let plain = plain(&by_suite, thresholds);
    let texts = results.iter().map(|(text, prediction)| TextResult::new(text, prediction)).collect();
    let (buckets, pii) = (buckets(&all, thresholds), pii_buckets(&all));
    Report { suites, plain, buckets, pii, dilution: None, comparison: None, texts }
}

fn plain(
    by_suite: &BTreeMap<&str, Vec<&Evaluated<'_>>>,
    thresholds: &Thresholds,
) -> BTreeMap<String, Vec<Cost>> {
    let passes = |result: &&Evaluated<'_>| result.0.expect == Some(Expect::Pass);
    let plain: Vec<_> = by_suite.values().filter(|some| some.iter().all(passes)).flatten().collect();
    let confidence =
        |result: &Evaluated<'_>, name: &str| result.1.confidences.get(name).copied().unwrap_or(0.0);
    let of =
        |name: &String| (name.clone(), costs(plain.iter().map(|result| confidence(result, name)).collect()));
    thresholds.keys().map(of).collect()
}

/// Returns the median and the 95th percentile of the evaluation time.
fn typical(some: &[&Evaluated<'_>]) -> (u32, u32) {
    let mut micros: Vec<u32> = some.iter().map(|(_, result)| result.micros).collect();
    micros.sort_unstable();
    let at = |percent: usize| micros.get(micros.len() * percent / 100).copied().unwrap_or(0);
    (at(50), at(95))
}

fn suite(
    name: &str,
    some: &[&Evaluated<'_>],
    all: &[&Evaluated<'_>],
    thresholds: &Thresholds,
) -> SuiteReport {
    SuiteReport {
        suite: name.to_owned(),
        rows: some.len(),
        should_pass: expected(some, Expect::Pass),
        should_flag: expected(some, Expect::Flag),
        micros: typical(some),
        guardrails: thresholds.iter().filter_map(|(name, at)| guardrail(name, *at, some, all)).collect(),
        pii: kinds(&marked(some)),
    }
}

/// Returns the texts with this expected decision, and how many of them were flagged.
pub(crate) fn expected(some: &[&Evaluated<'_>], expect: Expect) -> (usize, usize) {
    let those = some.iter().filter(|(row, _)| row.expect == Some(expect));
    let flagged = those.clone().filter(|(_, result)| result.flagged).count();
    (those.count(), flagged)
}

fn marked<'r>(some: &[&'r Evaluated<'r>]) -> Vec<(&'r [Marked], &'r [Marked])> {
    some.iter().filter_map(|(row, result)| Some((result.pii.as_slice(), row.spans.as_deref()?))).collect()
}

/// Returns the confidences of a guardrail's positives, or of its known negatives.
pub(crate) fn confidences(name: &str, some: &[&Evaluated<'_>], holds: bool) -> Vec<f32> {
    let those = some.iter().filter(|(row, _)| row.holds(name) == Some(holds));
    those.map(|(_, result)| result.confidences.get(name).copied().unwrap_or(0.0)).collect()
}

/// Number of negatives below which a rate means nothing.
pub(crate) const FEW: usize = 20;

fn guardrail(
    name: &str,
    threshold: f32,
    some: &[&Evaluated<'_>],
    all: &[&Evaluated<'_>],
) -> Option<GuardrailReport> {
    let (positives, own) = (confidences(name, some, true), confidences(name, some, false));
    if positives.is_empty() && own.is_empty() {
        return None;
    }
    let negatives_pooled = own.len() < FEW;
    let negatives = if negatives_pooled { confidences(name, all, false) } else { own };
    let counts = Counts::at(threshold, &positives, &negatives);
    let reliability = bins(&positives, &negatives);
    Some(GuardrailReport {
        guardrail: name.to_owned(),
        positives: positives.len(),
        negatives: negatives.len(),
        negatives_pooled,
        auc: auc(&positives, &negatives),
        recall_at: SHARES.map(|share| recall_at(&positives, &negatives, share)),
        threshold,
        counts,
        recall: counts.recall(),
        precision: counts.precision(),
        false_positive_rate: counts.false_positive_rate(),
        f1: counts.f(1.0),
        calibration_error: expected_error(&reliability),
        reliability,
        intervals: intervals(&Ranked::new(threshold, &positives, &negatives)),
    })
}

impl GuardrailReport {
    /// Recall and false positives at the thresholds between the bins of the reliability diagram, from its counts.
    pub fn points(&self) -> Vec<Point> {
        points(&self.reliability)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(text: &str, suite: &str, labels: &[&str]) -> LabeledText {
        let labels: Vec<_> = labels.iter().map(|label| (*label).to_owned()).collect();
        let expect = Some(if labels.is_empty() { Expect::Pass } else { Expect::Flag });
        let negatives = serde_json::from_str("\"all\"").unwrap();
        LabeledText {
            text: text.to_owned(),
            suite: suite.to_owned(),
            labels,
            negatives,
            expect,
            ..LabeledText::default()
        }
    }

    /// Reads each text as its confidence of spam.
    fn parse_confidence(row: &LabeledText) -> Prediction {
        let confidence: f32 = row.text.parse().unwrap();
        Prediction {
            confidences: [("spam".to_owned(), confidence)].into(),
            flagged: confidence >= 0.5,
            ..Prediction::default()
        }
    }

    fn report() -> Report {
        let rows = [
            row("0.9", "a", &["spam"]),
            row("0.2", "a", &["spam"]),
            row("0.6", "b", &[]),
            row("0.1", "b", &[]),
        ];
        evaluate(&rows, &[("spam".to_owned(), 0.5)].into(), parse_confidence)
    }

    #[test]
    fn a_suite_of_positives_is_compared_with_the_negatives_of_all_suites() {
        let report = report();
        let spam = &report.suites[0].guardrails[0];
        assert!(spam.negatives_pooled);
        assert_eq!((spam.positives, spam.negatives), (2, 2));
        // 0.9 beats both negatives, 0.2 one of two.
        assert_eq!(spam.auc, Some(0.75));
        assert_eq!((spam.recall, spam.false_positive_rate), (Some(0.5), Some(0.5)));
    }

    #[test]
    fn a_report_survives_serialization() {
        let report = report();
        let text = serde_json::to_string(&report).unwrap();
        let read: Report = serde_json::from_str(&text).unwrap();
        assert_eq!(read.to_string(), report.to_string());
    }

    #[test]
    fn flags_are_counted_by_expected_decision() {
        let report = report();
        let all = report.suites.last().unwrap();
        assert_eq!((all.should_pass, all.should_flag), ((2, 1), (2, 1)));
    }

    #[test]
    fn only_plain_suites_determine_the_cost_of_thresholds() {
        // Suite b alone has nothing to flag: of its two texts none may trigger, and 0.6 is the greatest.
        assert_eq!(report().plain["spam"].last(), Some(&Cost { share: 0.1, threshold: 0.601 }));
    }

    #[test]
    fn rates_have_intervals() {
        let report = report();
        let all = &report.suites.last().unwrap().guardrails[0];
        let recall = all.intervals.recall.unwrap();
        assert!(recall.low <= 0.5 && 0.5 <= recall.high && recall.low < recall.high, "{recall:?}");
        assert!(all.intervals.auc.is_some() && all.intervals.false_positive_rate.is_some());
    }

    #[test]
    fn a_report_without_the_newer_fields_is_read() {
        let mut json = serde_json::to_value(report()).unwrap();
        for field in ["buckets", "pii", "texts"] {
            json.as_object_mut().unwrap().remove(field);
        }
        for suite in json["suites"].as_array_mut().unwrap() {
            for guardrail in suite["guardrails"].as_array_mut().unwrap() {
                guardrail.as_object_mut().unwrap().remove("intervals");
            }
        }
        let read: Report = serde_json::from_value(json).unwrap();
        assert!(read.texts.is_empty() && read.suites[0].guardrails[0].intervals.recall.is_none());
    }

    #[test]
    fn the_table_has_a_line_for_each_suite_guardrail_and_bucket() {
        let table = report().to_string();
        let (suites, _) = table.split_once("\n\n").unwrap();
        assert_eq!(suites.lines().count(), 1 + 3 * 2);
        assert!(table.contains("flagged 1 of 2 to pass, 1 of 2 to flag"), "{table}");
        assert!(table.contains("length <150"), "{table}");
    }
}
