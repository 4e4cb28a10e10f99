//! Default thresholds from budgets for false positives.
//!
//! A guardrail gets the lowest threshold, in thousandths, at which no more than its budget of the plain texts triggers:
//! of all plain texts, and of those of each length bucket. A bucket counts if it has at least [`Budgets::min_texts`]
//! plain texts, because one text in fewer would already exceed the budget. If all guardrails together then trigger on
//! more than the common budget, the budgets of all guardrails are scaled down alike, as little as possible.
//!
//! Plain texts are those of suites in which every text should pass. Thresholds follow from a [`Report`] with its texts
//! alone, so the same report gives the same thresholds.

use std::{collections::BTreeMap, fmt};

use guardengine_engine::scores::LABELS;
use serde::{Deserialize, Serialize};

use crate::{
    buckets::{LENGTHS, length_bucket},
    confusion_matrix::Counts,
    false_positive_cost::lowest_threshold,
    report::Report,
    suite::Expect,
    table::percent,
    text_result::TextResult,
};

/// Steps in which the budgets of the guardrails are scaled.
const STEPS: usize = 1000;

/// Shares of plain texts that may trigger.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Budgets {
    /// For each guardrail.
    pub per_guardrail: f64,
    /// For all guardrails together.
    pub together: f64,
    /// Number of plain texts from which a length bucket counts.
    pub min_texts: usize,
    /// No threshold is lower, even if the budget allows it.
    pub min_threshold: f64,
}

impl Default for Budgets {
    /// 0.3 % for each guardrail, 1 % together; buckets of 334 texts or more, in which one text is within 0.3 %; no least
    /// threshold.
    fn default() -> Self {
        Self { per_guardrail: 0.003, together: 0.01, min_texts: 334, min_threshold: 0.0 }
    }
}

/// Thresholds, and the rates that they were derived from.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DefaultThresholds {
    /// Budgets that the thresholds keep.
    pub budgets: Budgets,
    /// Share of the budget per guardrail that the common budget left, 0 to 1.
    pub scale: f64,
    /// Number of plain texts.
    pub plain_texts: usize,
    /// Suites of the plain texts.
    pub plain_suites: Vec<String>,
    /// Plain texts by length.
    pub length: Vec<LengthBucket>,
    /// Share of the plain texts on which a guardrail triggers.
    pub together: Share,
    /// By wire name: each guardrail with a learned score.
    pub guardrails: BTreeMap<String, DerivedThreshold>,
}

/// Plain texts of one length.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct LengthBucket {
    /// Its name.
    pub bucket: String,
    /// Number of plain texts.
    pub texts: usize,
    /// True if it has enough texts to count.
    pub counts: bool,
}

/// False positives among all plain texts, and among those of each length bucket.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Share {
    /// False-positive rate.
    pub false_positive_rate: Option<f64>,
    /// False-positive rate of each bucket, in the order of [`DefaultThresholds::length`]; `None` without texts.
    pub by_length: Vec<Option<f64>>,
    /// True if the rate, and that of each bucket that counts, is within the budget.
    pub within_budget: bool,
}

/// The threshold of one guardrail.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DerivedThreshold {
    /// The threshold, in thousandths.
    pub threshold: f64,
    /// False positives at the threshold.
    #[serde(flatten)]
    pub share: Share,
    /// Number of positives in all suites.
    pub positives: usize,
    /// Share of the positives that trigger at the threshold.
    pub recall: Option<f64>,
    /// The threshold of the report; `None` if no text of its suites has a known label for the guardrail.
    pub report_threshold: Option<f64>,
    /// Share of the positives that trigger at the threshold of the report.
    pub report_recall: Option<f64>,
}

/// Error of deriving thresholds.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
pub enum NotDerivable {
    /// The report has no results of single texts.
    #[error("the report has no results of single texts; write it without --summary")]
    Summary,
    /// No suite holds plain texts only.
    #[error("no plain texts: thresholds need a suite in which every text has \"expect\": \"pass\"")]
    NoPlainTexts,
}

/// Derives thresholds for each guardrail with a learned score.
pub fn derive(report: &Report, budgets: Budgets) -> Result<DefaultThresholds, NotDerivable> {
    if report.texts.is_empty() {
        return Err(NotDerivable::Summary);
    }
    let plain = Plain::new(report, budgets);
    if plain.texts.is_empty() {
        return Err(NotDerivable::NoPlainTexts);
    }
    let scale = plain.largest_scale();
    let thresholds = plain.thresholds(scale);
    let guardrails =
        thresholds.iter().map(|(name, threshold)| (name.clone(), derived(report, &plain, name, *threshold)));
    Ok(DefaultThresholds {
        budgets,
        scale: scale as f64 / STEPS as f64,
        plain_texts: plain.texts.len(),
        plain_suites: plain.suites.clone(),
        length: plain.buckets(),
        together: plain.share(budgets.together, |text| triggers(text, &thresholds)),
        guardrails: guardrails.collect(),
    })
}

fn derived(report: &Report, plain: &Plain<'_>, name: &str, threshold: f64) -> DerivedThreshold {
    let positives: Vec<f32> = report
        .texts
        .iter()
        .filter(|text| text.holds(name) == Some(true))
        .map(|text| text.confidence(name))
        .collect();
    let report_threshold = report_threshold(report, name);
    let recall = |threshold: f32| Counts::at(threshold, &positives, &[]).recall();
    DerivedThreshold {
        threshold,
        share: plain.share(plain.budgets.per_guardrail, |text| reaches(text.confidence(name), threshold)),
        positives: positives.len(),
        recall: recall(threshold as f32),
        report_threshold: report_threshold.map(|threshold| (f64::from(threshold) * 1e3).round() / 1e3),
        report_recall: report_threshold.and_then(recall),
    }
}

/// Returns the threshold of a guardrail in the report.
fn report_threshold(report: &Report, guardrail: &str) -> Option<f32> {
    let mut guardrails = report.suites.iter().flat_map(|suite| &suite.guardrails);
    guardrails.find(|one| one.guardrail == guardrail).map(|one| one.threshold)
}

/// True if a confidence triggers at a threshold, which the policy keeps with 32 bits.
fn reaches(confidence: f32, threshold: f64) -> bool {
    confidence > 0.0 && confidence >= threshold as f32
}

fn triggers(text: &TextResult, thresholds: &BTreeMap<String, f64>) -> bool {
    thresholds.iter().any(|(name, threshold)| reaches(text.confidence(name), *threshold))
}

/// Texts of suites in which every text should pass.
struct Plain<'r> {
    budgets: Budgets,
    suites: Vec<String>,
    texts: Vec<&'r TextResult>,
    by_length: Vec<Vec<&'r TextResult>>,
    /// Confidences of each guardrail, the highest first: of all texts, then of each bucket that counts.
    confidences: BTreeMap<String, Vec<Vec<f32>>>,
}

impl<'r> Plain<'r> {
    fn new(report: &'r Report, budgets: Budgets) -> Self {
        let mut by_suite: BTreeMap<&str, Vec<&TextResult>> = BTreeMap::new();
        for text in &report.texts {
            by_suite.entry(&text.suite).or_default().push(text);
        }
        by_suite.retain(|_, texts| texts.iter().all(|text| text.expect == Some(Expect::Pass)));
        let suites = by_suite.keys().map(|suite| (*suite).to_owned()).collect();
        let texts: Vec<&TextResult> = by_suite.into_values().flatten().collect();
        let mut by_length = vec![Vec::new(); LENGTHS.len()];
        for text in &texts {
            by_length[length_bucket(text.characters)].push(*text);
        }
        let groups: Vec<&Vec<&TextResult>> = std::iter::once(&texts)
            .chain(by_length.iter().filter(|bucket| bucket.len() >= budgets.min_texts))
            .collect();
        let sorted = |name: &str, group: &[&TextResult]| {
            let mut confidences: Vec<f32> = group.iter().map(|text| text.confidence(name)).collect();
            confidences.sort_unstable_by(|one, other| other.total_cmp(one));
            confidences
        };
        let confidences = LABELS
            .iter()
            .map(|name| ((*name).to_owned(), groups.iter().map(|group| sorted(name, group)).collect()))
            .collect();
        Self { budgets, suites, texts, by_length, confidences }
    }

    /// Returns the largest scale, in [`STEPS`], at which all guardrails together stay within the common budget. More
    /// texts trigger at a larger scale, so it is found by halving.
    fn largest_scale(&self) -> usize {
        let fits = |scale: usize| {
            let thresholds = self.thresholds(scale);
            self.share(self.budgets.together, |text| triggers(text, &thresholds)).within_budget
        };
        let (mut fitting, mut exceeding) = (0, STEPS + 1);
        while exceeding - fitting > 1 {
            let middle = usize::midpoint(fitting, exceeding);
            if fits(middle) {
                fitting = middle;
            } else {
                exceeding = middle;
            }
        }
        fitting
    }

    /// Returns the lowest thresholds within the scaled budget; 1 if none is.
    fn thresholds(&self, scale: usize) -> BTreeMap<String, f64> {
        let budget = self.budgets.per_guardrail * scale as f64 / STEPS as f64;
        let lowest = |groups: &Vec<Vec<f32>>| {
            let thresholds = groups.iter().filter_map(|group| lowest_threshold(group, budget));
            thresholds.fold(self.budgets.min_threshold, f64::max).min(1.0)
        };
        self.confidences.iter().map(|(name, groups)| (name.clone(), lowest(groups))).collect()
    }

    fn share(&self, budget: f64, triggers: impl Fn(&TextResult) -> bool) -> Share {
        let rate = |texts: &[&TextResult]| {
            let triggered = texts.iter().filter(|text| triggers(text)).count();
            (!texts.is_empty()).then(|| triggered as f64 / texts.len() as f64)
        };
        let by_length: Vec<_> = self.by_length.iter().map(|bucket| rate(bucket)).collect();
        let false_positive_rate = rate(&self.texts);
        let counted = self.by_length.iter().zip(&by_length).filter(|(bucket, _)| self.counts(bucket));
        let within_budget =
            counted.map(|(_, rate)| *rate).chain([false_positive_rate]).flatten().all(|rate| rate <= budget);
        Share { false_positive_rate, by_length, within_budget }
    }

    fn counts(&self, bucket: &[&TextResult]) -> bool {
        bucket.len() >= self.budgets.min_texts
    }

    fn buckets(&self) -> Vec<LengthBucket> {
        let bucket = |((name, _), texts): (&(&str, usize), &Vec<&TextResult>)| LengthBucket {
            bucket: (*name).to_owned(),
            texts: texts.len(),
            counts: self.counts(texts),
        };
        LENGTHS.iter().zip(&self.by_length).map(bucket).collect()
    }
}

impl fmt::Display for DefaultThresholds {
    /// Writes a line for each guardrail; shares in percent.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            out,
            "thresholds from {} plain texts: {} % for each guardrail, {} % together; budget scaled to {}",
            self.plain_texts,
            percent(Some(self.budgets.per_guardrail)),
            percent(Some(self.budgets.together)),
            self.scale
        )?;
        for one in &self.length {
            let use_of = if one.counts { "counts" } else { "too few to count" };
            writeln!(out, "length {:<21} {:>6} plain texts; {use_of}", one.bucket, one.texts)?;
        }
        writeln!(
            out,
            "{:<28} {:>6} {:>6} {:>6} {:>7} {:>6} {:>6}",
            "guardrail", "old", "new", "FP", "pos", "R old", "R new"
        )?;
        for (name, one) in &self.guardrails {
            writeln!(
                out,
                "{name:<28} {:>6} {:>6.3} {:>6} {:>7} {:>6} {:>6}",
                one.report_threshold.map_or_else(|| "-".to_owned(), |threshold| format!("{threshold:.3}")),
                one.threshold,
                rate(one.share.false_positive_rate),
                one.positives,
                percent(one.report_recall),
                percent(one.recall)
            )?;
        }
        let within = if self.together.within_budget { "within the budget" } else { "over the budget" };
        writeln!(out, "{:<28} {:>20}   {within}", "together", rate(self.together.false_positive_rate))
    }
}

/// Returns a false-positive rate in percent with two decimals.
fn rate(share: Option<f64>) -> String {
    share.map_or_else(|| "-".to_owned(), |share| format!("{:.2}", 100.0 * share))
}

#[cfg(test)]
mod tests;
