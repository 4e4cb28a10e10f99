//! `attack`: changes attacks until they pass a policy.

use std::{
    fmt::Write as _,
    path::{Path, PathBuf},
    process::ExitCode,
};

use anyhow::{Context as _, Result, ensure};
use clap::{Args, value_parser};
use guardengine_evaluation::{
    LabeledText,
    attack::{Options, Passed, search},
    read,
    suite::Expect,
};

use super::{policy_file, progress::Progress, text_evaluator::TextEvaluator};

/// Exit code for errors; 1 means that some attack passed.
const EXIT_ERROR: u8 = 2;

/// Suite of the variants in `--out`.
const SUITE: &str = "attack";

/// Arguments of `attack`.
#[derive(Debug, Args)]
pub struct Attack {
    /// Policy as JSON; the built-in policy if omitted
    #[arg(long, value_name = "FILE.json")]
    policy: Option<PathBuf>,
    /// Labeled suite with the attacks (*.jsonl, *.jsonl.gz), or a folder of suites; texts that should pass are skipped
    #[arg(long, value_name = "SUITES")]
    texts: PathBuf,
    /// Variants to try for each attack
    #[arg(long, value_name = "N", default_value = "100", value_parser = value_parser!(u32).range(1..=10_000))]
    budget: u32,
    /// Seed of all choices
    #[arg(long, default_value = "1")]
    seed: u64,
    /// Write the variants that passed to a labeled suite
    #[arg(long, value_name = "FILE.jsonl")]
    out: Option<PathBuf>,
    /// Print the report as JSON, with the result of each attack
    #[arg(long)]
    json: bool,
}

impl Attack {
    /// Prints the report. Exits with 0 if every attack was stopped, 1 if some passed, 2 for errors.
    pub fn run(&self) -> ExitCode {
        match self.search() {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::FAILURE,
            Err(error) => {
                super::print_note(super::one_line(&error));
                ExitCode::from(EXIT_ERROR)
            }
        }
    }

    /// Returns true if every attack was stopped.
    fn search(&self) -> Result<bool> {
        let texts = read(&self.texts)?;
        let attacks: Vec<&LabeledText> = texts.iter().filter(|text| text.is_attack()).collect();
        ensure!(
            !attacks.is_empty(),
            "{}: expected texts with labels, or with \"expect\": \"flag\"",
            self.texts.display()
        );
        let evaluator = TextEvaluator::new(&policy_file::read(self.policy.as_deref())?)?;
        let budget = self.budget as usize;
        let progress = Progress::new(attacks.len() * (1 + budget));
        let (report, passed) = search(&attacks, Options { seed: self.seed, budget }, |attack, variant| {
            progress.step();
            evaluator.assess(attack, variant)
        })?;
        if let Some(path) = &self.out {
            write_variants(path, &passed)?;
        }
        let text = if self.json { serde_json::to_string_pretty(&report)? + "\n" } else { report.to_string() };
        super::print_text(&text)?;
        Ok(report.passed == 0)
    }
}

fn write_variants(path: &Path, passed: &[Passed<'_>]) -> Result<()> {
    let mut lines = String::new();
    for one in passed {
        // Writing to a string cannot fail.
        let _written = writeln!(lines, "{}", serde_json::to_string(&labeled(one))?);
    }
    std::fs::write(path, lines).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns a variant as a labeled text; turns become lines. Personal data is no longer annotated, because it moved.
fn labeled(passed: &Passed<'_>) -> LabeledText {
    let techniques =
        if passed.techniques.is_empty() { "unchanged".to_owned() } else { passed.techniques.join("+") };
    LabeledText {
        id: format!("{}:{techniques}", passed.attack.key()),
        text: passed.variant.joined(),
        suite: SUITE.to_owned(),
        source: format!("{} of {} {}", techniques, passed.attack.suite, passed.attack.key()),
        expect: Some(Expect::Flag),
        spans: None,
        ..passed.attack.clone()
    }
}

#[cfg(test)]
mod tests {
    use guardengine_evaluation::{ForAll, Negatives, attack::Variant};

    use super::*;

    #[test]
    fn a_variant_keeps_labels_and_role_and_names_its_origin() {
        let attack = LabeledText {
            id: "7".to_owned(),
            text: "one two".to_owned(),
            labels: vec!["spam".to_owned()],
            negatives: Negatives::Every(ForAll::All),
            role: "user".to_owned(),
            suite: "mine".to_owned(),
            spans: Some(Vec::new()),
            ..LabeledText::default()
        };
        let variant = Variant { text: "two".to_owned(), turns: vec!["one".to_owned()] };
        let labeled = labeled(&Passed { attack: &attack, variant, techniques: vec!["rot13", "turns"] });
        assert_eq!((labeled.id.as_str(), labeled.text.as_str()), ("7:rot13+turns", "one\ntwo"));
        assert_eq!(labeled.source, "rot13+turns of mine 7");
        assert_eq!((labeled.labels, labeled.negatives), (attack.labels.clone(), attack.negatives.clone()));
        assert_eq!((labeled.expect, labeled.spans), (Some(Expect::Flag), None));
    }
}
