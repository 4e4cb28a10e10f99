//! Comparison of two reports: differences of rates with 95 % intervals.
//!
//! Texts are paired by suite and identifier. If at least half of the texts of both sides match, the difference is
//! computed over the matched texts, and each resample draws the same texts on both sides. That makes the interval much
//! narrower: texts that are hard for both do not count. Otherwise both sides are resampled on their own. Each side is
//! evaluated at the thresholds of its own report.

use std::{collections::HashMap, fmt};

use serde::{Deserialize, Serialize};

use crate::{
    bootstrap::{Interval, Ranked, Rates, difference_intervals},
    report::{GuardrailReport, Report, SuiteReport},
    suite::Expect,
    table::percent,
    text_result::TextResult,
};

/// Name of the report of all suites together.
const ALL: &str = "all";

/// Differences of a report from an older one, for the suites and guardrails that both have.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Comparison {
    /// Number of texts that both reports have.
    pub matched_texts: usize,
    /// In the order of the new report.
    pub suites: Vec<SuiteComparison>,
}

/// One suite in both reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SuiteComparison {
    /// Its name.
    pub suite: String,
    /// Share of the texts to pass that were flagged.
    pub flagged_to_pass: Option<Difference>,
    /// Share of the texts to flag that were flagged.
    pub flagged_to_flag: Option<Difference>,
    /// Guardrails, in the order of their names.
    pub guardrails: Vec<GuardrailComparison>,
}

/// One guardrail on one suite in both reports.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GuardrailComparison {
    /// Wire name.
    pub guardrail: String,
    /// Recall, false-positive rate and AUC.
    #[serde(flatten)]
    pub rates: Rates<Difference>,
}

/// A rate in both reports.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// The rate in the old report.
    pub old: f64,
    /// The rate in the new report.
    pub new: f64,
    /// `new` − `old`.
    pub difference: f64,
    /// 95 % interval of the difference; `None` if the old report lacks what it needs.
    pub interval: Option<Interval>,
    /// True if both rates are over the same texts.
    pub paired: bool,
}

impl Difference {
    fn new(old: f64, new: f64, interval: Option<Interval>, paired: bool) -> Self {
        Self { old, new, difference: new - old, interval, paired }
    }

    /// True if the interval excludes zero.
    pub fn is_clear(&self) -> bool {
        self.interval.is_some_and(|interval| interval.low > 0.0 || interval.high < 0.0)
    }
}

/// Compares `new` with `old`.
pub fn compare(old: &Report, new: &Report) -> Comparison {
    let texts = Matched::new(old, new);
    let suite = |new: &SuiteReport| {
        let old = old.suites.iter().find(|old| old.suite == new.suite)?;
        Some(compare_suite(old, new, &texts))
    };
    Comparison { matched_texts: texts.pairs.len(), suites: new.suites.iter().filter_map(suite).collect() }
}

fn compare_suite(old: &SuiteReport, new: &SuiteReport, texts: &Matched<'_>) -> SuiteComparison {
    let guardrail = |new_one: &GuardrailReport| {
        let old_one = old.guardrails.iter().find(|one| one.guardrail == new_one.guardrail)?;
        let rates = compare_guardrail(&new.suite, old_one, new_one, texts);
        Some(GuardrailComparison { guardrail: new_one.guardrail.clone(), rates })
    };
    SuiteComparison {
        suite: new.suite.clone(),
        flagged_to_pass: flagged(&new.suite, Expect::Pass, old.should_pass, new.should_pass, texts),
        flagged_to_flag: flagged(&new.suite, Expect::Flag, old.should_flag, new.should_flag, texts),
        guardrails: new.guardrails.iter().filter_map(guardrail).collect(),
    }
}

/// Texts of both reports that have the same suite and identifier.
struct Matched<'r> {
    pairs: Vec<(&'r TextResult, &'r TextResult)>,
}

impl<'r> Matched<'r> {
    fn new(old: &'r Report, new: &'r Report) -> Self {
        let key = |text: &'r TextResult| (text.suite.as_str(), text.id.as_str());
        let mut by_key: HashMap<_, _> = old.texts.iter().map(|text| (key(text), text)).collect();
        // Removed when it is found: a text that occurs twice is paired once.
        let pair = |text| Some((by_key.remove(&key(text))?, text));
        Self { pairs: new.texts.iter().filter_map(pair).collect() }
    }

    fn of<'s>(&'s self, suite: &'s str) -> impl Iterator<Item = &'s (&'r TextResult, &'r TextResult)> {
        self.pairs.iter().filter(move |(_, new)| suite == ALL || new.suite == suite)
    }
}

/// True if enough texts of both sides match.
const fn is_enough(matched: usize, old: usize, new: usize) -> bool {
    matched > 0 && matched * 2 >= old && matched * 2 >= new
}

fn flagged(
    suite: &str,
    expect: Expect,
    old: (usize, usize),
    new: (usize, usize),
    texts: &Matched<'_>,
) -> Option<Difference> {
    let matched: Vec<_> = texts.of(suite).filter(|(_, new)| new.expect == Some(expect)).collect();
    let paired = is_enough(matched.len(), old.0, new.0);
    let ranked = |flags: Vec<f32>| Ranked::new(0.5, &flags, &[]);
    let (old, new) = if paired {
        let flag = |text: &TextResult| f32::from(u8::from(text.flagged));
        (
            matched.iter().map(|(old, _)| flag(old)).collect(),
            matched.iter().map(|(_, new)| flag(new)).collect(),
        )
    } else {
        (flags(old.1, old.0), flags(new.1, new.0))
    };
    let (old, new) = (ranked(old), ranked(new));
    let interval = difference_intervals(&old, &new, paired).recall;
    Some(Difference::new(old.rates().recall?, new.rates().recall?, interval, paired))
}

/// Returns `flagged` ones among `texts` numbers, the rest zeros.
fn flags(flagged: usize, texts: usize) -> Vec<f32> {
    (0..texts).map(|at| f32::from(u8::from(at < flagged))).collect()
}

fn compare_guardrail(
    suite: &str,
    old: &GuardrailReport,
    new: &GuardrailReport,
    texts: &Matched<'_>,
) -> Rates<Difference> {
    paired_guardrail(suite, old, new, texts).unwrap_or_else(|| unpaired_guardrail(old, new))
}

/// Returns the differences over the matched texts; `None` if too few match.
fn paired_guardrail(
    suite: &str,
    old: &GuardrailReport,
    new: &GuardrailReport,
    texts: &Matched<'_>,
) -> Option<Rates<Difference>> {
    let name = &new.guardrail;
    let confidences = |suite: &str, holds: bool| -> (Vec<f32>, Vec<f32>) {
        let those = texts.of(suite).filter(|(_, new)| new.holds(name) == Some(holds));
        those.map(|(old, new)| (old.confidence(name), new.confidence(name))).unzip()
    };
    let positives = confidences(suite, true);
    let negatives = confidences(if new.negatives_pooled { ALL } else { suite }, false);
    let enough = |matched: usize, old, new| (old == 0 && new == 0) || is_enough(matched, old, new);
    if !enough(positives.0.len(), old.positives, new.positives)
        || !enough(negatives.0.len(), old.negatives, new.negatives)
    {
        return None;
    }
    let (old, new) = (
        Ranked::new(old.threshold, &positives.0, &negatives.0),
        Ranked::new(new.threshold, &positives.1, &negatives.1),
    );
    Some(differences(old.rates(), new.rates(), difference_intervals(&old, &new, true), true))
}

/// Returns the differences of the reports' own rates. The intervals of recall and false positives follow from the counts.
/// The interval of the AUC follows from the intervals of both, as for independent normal errors.
fn unpaired_guardrail(old: &GuardrailReport, new: &GuardrailReport) -> Rates<Difference> {
    let ranked = |one: &GuardrailReport| {
        let counts = one.counts;
        let positives = flags(counts.hits, counts.hits + counts.misses);
        Ranked::new(0.5, &positives, &flags(counts.false_alarms, counts.false_alarms + counts.passes))
    };
    let mut intervals = difference_intervals(&ranked(old), &ranked(new), false);
    intervals.auc = auc_interval(old, new);
    let rates = |one: &GuardrailReport| Rates {
        recall: one.recall,
        false_positive_rate: one.false_positive_rate,
        auc: one.auc,
    };
    differences(rates(old), rates(new), intervals, false)
}

fn auc_interval(old: &GuardrailReport, new: &GuardrailReport) -> Option<Interval> {
    let (before, after) = (old.intervals.auc?, new.intervals.auc?);
    let difference = new.auc? - old.auc?;
    let half = ((after.high - after.low) / 2.0).hypot((before.high - before.low) / 2.0);
    Some(Interval { low: difference - half, high: difference + half })
}

fn differences(
    old: Rates<f64>,
    new: Rates<f64>,
    intervals: Rates<Interval>,
    paired: bool,
) -> Rates<Difference> {
    let of =
        |old: Option<f64>, new: Option<f64>, interval| Some(Difference::new(old?, new?, interval, paired));
    Rates {
        recall: of(old.recall, new.recall, intervals.recall),
        false_positive_rate: of(
            old.false_positive_rate,
            new.false_positive_rate,
            intervals.false_positive_rate,
        ),
        auc: of(old.auc, new.auc, intervals.auc),
    }
}

impl fmt::Display for Comparison {
    /// Writes a line for each rate that changed, in percent. A star marks differences whose interval excludes zero.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rates: Vec<Line<'_>> = self.suites.iter().flat_map(SuiteComparison::lines).collect();
        let changed: Vec<&Line<'_>> = rates.iter().filter(|(.., one)| one.old != one.new).collect();
        writeln!(
            out,
            "compared with the old report: {} texts are in both; {} of {} rates changed",
            self.matched_texts,
            changed.len(),
            rates.len()
        )?;
        if changed.is_empty() {
            return Ok(());
        }
        writeln!(
            out,
            "{:<28} {:<22} {:<15} {:>6} {:>6} {:>7}  {:<15} texts",
            "suite", "guardrail", "rate", "old", "new", "change", "95 %"
        )?;
        changed.into_iter().try_for_each(|line| fmt_line(out, line))
    }
}

/// A line of the table: suite, guardrail, rate and difference.
type Line<'c> = (&'c str, &'c str, &'static str, Difference);

impl SuiteComparison {
    fn lines(&self) -> Vec<Line<'_>> {
        let flagged = [("flagged to pass", self.flagged_to_pass), ("flagged to flag", self.flagged_to_flag)];
        let flagged = flagged.map(|(rate, difference)| ("-", rate, difference));
        let rates = self.guardrails.iter().flat_map(|one| {
            let Rates { recall, false_positive_rate, auc } = one.rates;
            [("AUC", auc), ("recall", recall), ("false positives", false_positive_rate)]
                .map(|(rate, difference)| (one.guardrail.as_str(), rate, difference))
        });
        let line = |(guardrail, rate, difference): (_, _, Option<Difference>)| {
            Some((self.suite.as_str(), guardrail, rate, difference?))
        };
        flagged.into_iter().chain(rates).filter_map(line).collect()
    }
}

fn fmt_line(out: &mut fmt::Formatter<'_>, (suite, guardrail, rate, one): &Line<'_>) -> fmt::Result {
    let range = |interval: Interval| format!("{:+.1} to {:+.1}", 100.0 * interval.low, 100.0 * interval.high);
    let interval = one.interval.map_or_else(|| "-".to_owned(), range);
    writeln!(
        out,
        "{suite:<28} {guardrail:<22} {rate:<15} {:>6} {:>6} {:>+7.1}{} {interval:<15} {}",
        percent(Some(one.old)),
        percent(Some(one.new)),
        100.0 * one.difference,
        if one.is_clear() { "*" } else { " " },
        if one.paired { "paired" } else { "unpaired" }
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        report::{Prediction, evaluate},
        suite::LabeledText,
    };

    /// Hundred texts to flag and hundred to pass. `shift` raises every confidence of the texts to flag.
    fn report(shift: f32, suffix: &str) -> Report {
        let text = |at: usize| LabeledText {
            text: format!("{at}{suffix}"),
            suite: "a".to_owned(),
            labels: if at < 100 { vec!["spam".to_owned()] } else { Vec::new() },
            negatives: serde_json::from_str("\"all\"").unwrap(),
            expect: Some(if at < 100 { Expect::Flag } else { Expect::Pass }),
            ..LabeledText::default()
        };
        let texts: Vec<_> = (0..200).map(text).collect();
        let evaluate_text = |text: &LabeledText| {
            let at: usize = text.text.trim_end_matches('x').parse().unwrap();
            let confidence = (at % 100) as f32 / 100.0 + if at < 100 { shift } else { -0.2 };
            Prediction {
                confidences: [("spam".to_owned(), confidence.clamp(0.0, 1.0))].into(),
                flagged: confidence >= 0.5,
                ..Prediction::default()
            }
        };
        evaluate(&texts, &[("spam".to_owned(), 0.5)].into(), evaluate_text)
    }

    fn recall(comparison: &Comparison) -> Difference {
        comparison.suites[0].guardrails[0].rates.recall.unwrap()
    }

    #[test]
    fn the_same_texts_are_paired_and_a_small_change_is_clear() {
        let comparison = compare(&report(0.0, ""), &report(0.1, ""));
        assert_eq!(comparison.matched_texts, 200);
        let recall = recall(&comparison);
        assert!(recall.paired && recall.is_clear(), "{recall:?}");
        assert!((recall.difference - 0.1).abs() < 1e-9, "{recall:?}");
        let flagged = comparison.suites[0].flagged_to_flag.unwrap();
        assert!(flagged.paired && (flagged.difference - 0.1).abs() < 1e-9, "{flagged:?}");
    }

    #[test]
    fn other_texts_are_not_paired_and_the_interval_is_wider() {
        let (paired, unpaired) = (
            recall(&compare(&report(0.0, ""), &report(0.1, ""))),
            recall(&compare(&report(0.0, "x"), &report(0.1, ""))),
        );
        assert!(!unpaired.paired && !unpaired.is_clear(), "{unpaired:?}");
        let width = |one: Difference| one.interval.map(|interval| interval.high - interval.low).unwrap();
        assert!(width(unpaired) > 1.5 * width(paired));
    }

    #[test]
    fn a_summary_is_compared_without_pairs() {
        let old = Report { texts: Vec::new(), ..report(0.0, "") };
        let comparison = compare(&old, &report(0.4, ""));
        assert_eq!(comparison.matched_texts, 0);
        let recall = recall(&comparison);
        assert!(!recall.paired && recall.is_clear(), "{recall:?}");
        assert!(comparison.suites[0].guardrails[0].rates.auc.unwrap().interval.is_some());
    }

    #[test]
    fn a_report_compared_with_itself_has_no_difference() {
        let comparison = compare(&report(0.1, ""), &report(0.1, ""));
        let lines: Vec<_> = comparison.suites.iter().flat_map(SuiteComparison::lines).collect();
        assert!(lines.iter().all(|(.., one)| one.difference == 0.0 && one.paired));
        let table = comparison.to_string();
        assert_eq!(
            table,
            format!(
                "compared with the old report: 200 texts are in both; 0 of {} rates changed\n",
                lines.len()
            )
        );
    }

    #[test]
    fn the_table_marks_clear_differences() {
        let table = compare(&report(0.0, ""), &report(0.1, "")).to_string();
        let line = table.lines().find(|line| line.contains("recall")).unwrap();
        assert!(line.contains("50.0   60.0   +10.0*") && line.ends_with("paired"), "{line}");
    }
}
