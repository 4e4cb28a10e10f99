//! `eval`: measures detection on labeled suites.

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::Args;
use guardengine_engine::policy::document::Policy;
use guardengine_evaluation::{
    LabeledText, Prediction, Report,
    comparison::compare,
    default_thresholds::{Budgets, derive},
    dilution::Dilution,
    read,
};

use super::{progress::Progress, text_evaluator::TextEvaluator};

/// Longest text that is evaluated, in Unicode characters.
const MAX_PROMPT_LENGTH: u32 = 1_000_000;

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct Eval {
    /// Folder of labeled suites (*.jsonl, *.jsonl.gz), or one suite, or a report (*.json) of an earlier run
    #[arg(value_name = "SUITES")]
    dir: PathBuf,
    /// Print the full report as JSON, with reliability diagrams, the false positives of each threshold and the result of
    /// each text
    #[arg(long)]
    json: bool,
    /// Leave the results of single texts out of the JSON; a later --compare cannot pair texts then
    #[arg(long, requires = "json")]
    summary: bool,
    /// Also set attacks into harmless text of 150 to 60,000 characters and report recall by length
    #[arg(long)]
    dilute: bool,
    /// Attacks to set into harmless text, evenly over the guardrails
    #[arg(long, value_name = "N", default_value = "200", requires = "dilute")]
    dilute_attacks: usize,
    /// Seed of the choice of attacks and harmless text
    #[arg(long, default_value = "1", requires = "dilute")]
    seed: u64,
    /// Compare with an older report, text by text where identifiers match
    #[arg(long, value_name = "OLD.json")]
    compare: Option<PathBuf>,
    /// Derive default thresholds from budgets for false positives (0.3 % of plain texts per guardrail, 1 % together) and
    /// write them to a file
    #[arg(long, value_name = "FILE.json")]
    thresholds: Option<PathBuf>,
    /// Least threshold to derive, even if the budget allows a lower one
    #[arg(long, value_name = "THRESHOLD", default_value = "0", requires = "thresholds", value_parser = parse_share)]
    min_threshold: f64,
}

impl Eval {
    /// Prints the report. Texts are evaluated by the built-in policy with a raised length limit.
    pub fn run(&self) -> Result<()> {
        let mut report = self.report()?;
        if let Some(old) = &self.compare {
            report.comparison = Some(compare(&read_report(old)?, &report));
        }
        let derived = match &self.thresholds {
            Some(path) => Some(self.write_thresholds(&report, path)?),
            None => None,
        };
        if self.json {
            if self.summary {
                report.texts.clear();
            }
            return super::print_text(&(serde_json::to_string_pretty(&report)? + "\n"));
        }
        super::print_text(&report.to_string())?;
        derived.map_or(Ok(()), |table| super::print_text(&format!("\n{table}")))
    }

    /// Evaluates the suites, or reads the report of an earlier run.
    fn report(&self) -> Result<Report> {
        if self.dir.extension().is_some_and(|extension| extension == "json") {
            ensure!(!self.dilute, "--dilute needs suites, and {} is a report", self.dir.display());
            return read_report(&self.dir);
        }
        let texts = read(&self.dir)?;
        ensure!(!texts.is_empty(), "no labeled texts in {}", self.dir.display());
        let policy = Policy { max_prompt_length: MAX_PROMPT_LENGTH, ..Policy::built_in() };
        let evaluator = TextEvaluator::new(&policy)?;
        let dilution = self.dilute.then(|| Dilution::new(&texts, self.seed, self.dilute_attacks));
        let progress = Progress::new(texts.len() + dilution.as_ref().map_or(0, Dilution::evaluations));
        let predict = |text: &LabeledText| {
            progress.step();
            // The embedded models never fail.
            evaluator.predict(text).unwrap_or_else(|_| Prediction::default())
        };
        let mut report = guardengine_evaluation::evaluate(&texts, &evaluator.thresholds, predict);
        report.dilution = dilution.map(|dilution| dilution.run(&evaluator.thresholds, predict));
        Ok(report)
    }

    /// Writes the derived thresholds to a file and returns them as a table.
    fn write_thresholds(&self, report: &Report, path: &Path) -> Result<String> {
        let derived = derive(report, Budgets { min_threshold: self.min_threshold, ..Budgets::default() })?;
        let json = serde_json::to_string_pretty(&derived)? + "\n";
        std::fs::write(path, json).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(derived.to_string())
    }
}

/// Parses a number from 0 to 1.
fn parse_share(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

fn read_report(path: &Path) -> Result<Report> {
    let name = path.display();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{name}: expected a report of guardengine eval --json"))
}
