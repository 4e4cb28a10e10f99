//! `check`: one text judged with no server and no database.

use std::{
    io::{IsTerminal as _, Read as _},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use guardengine_classifiers::{Cascade, Classifier as _};
use guardengine_engine::{
    Asked,
    guardrail::Direction,
    pii::mask::MaskKeys,
    policy::{Compiled, written::Policy},
};
use serde_json::{Value, json};

use crate::{
    guard::{
        decision::GuardDecision,
        evaluate::{Evaluation, EvaluationOptions, LogContent, evaluate},
        submission::Submission,
    },
    measured_thresholds::false_positive_budget,
};

/// What is found wrong exits with 1, so that failing has to differ.
const FAILED: u8 = 2;

/// The arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// A policy as JSON; the built-in one without
    #[arg(long, value_name = "FILE.json")]
    policy: Option<PathBuf>,
    /// Which way the text goes
    #[arg(long, value_enum, default_value = "input")]
    mode: Mode,
    /// The text; standard input without, or with -
    text: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// A prompt, to the model
    Input,
    /// A response, to the user
    Output,
}

impl Check {
    /// Prints the decision: exit 0 for allow, 1 for block, 2 when nothing was judged.
    pub fn run(self) -> ExitCode {
        match self.decide() {
            Ok(code) => code,
            Err(fault) => {
                eprintln!("guardengine: {}", super::one_line(&fault));
                ExitCode::from(FAILED)
            }
        }
    }

    fn decide(self) -> Result<ExitCode> {
        let began = Instant::now();
        let policy = self.compiled()?;
        let mode = self.mode;
        let submission = Submission::of(mode.direction(), self.text()?);
        // There is no organisation here: hashes and tokens of a mask are this run's own.
        let keys = MaskKeys::new(&rand::random());
        let (asked, log_content) = (Asked::default(), LogContent::None);
        let terms = EvaluationOptions { policy: &policy, shadow: None, asked, keys: &keys, log_content };
        let judged = evaluate(Cascade::embedded(), &submission, &terms)?;
        let allows = judged.verdict.outcome.allows();
        super::say(&format!("{:#}\n", answer(&judged, mode, began)?))?;
        Ok(if allows { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn compiled(&self) -> Result<Compiled> {
        let Some(path) = &self.policy else { return Ok(Compiled::compile(&Policy::built_in())?) };
        let place = path.display();
        let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {place}"))?;
        let mut json: Value =
            serde_json::from_str(&text).with_context(|| format!("{place}: invalid JSON"))?;
        false_positive_budget::pick(&mut json);
        let policy = Policy::parse(&json).with_context(|| place.to_string())?;
        Ok(Compiled::compile(&policy)?)
    }

    fn text(self) -> Result<String> {
        match self.text {
            Some(text) if text != "-" => Ok(text),
            None if std::io::stdin().is_terminal() => bail!("give a text, or - to read standard input"),
            _ => {
                let mut bytes = Vec::new();
                std::io::stdin().read_to_end(&mut bytes)?;
                String::from_utf8(bytes).context("standard input is not UTF-8")
            }
        }
    }
}

impl Mode {
    const fn direction(self) -> Direction {
        match self {
            Self::Input => Direction::Input,
            Self::Output => Direction::Output,
        }
    }

    const fn masked_field(self) -> &'static str {
        match self {
            Self::Input => "masked_prompt",
            Self::Output => "masked_response",
        }
    }
}

fn answer(judged: &Evaluation, mode: Mode, began: Instant) -> Result<Value> {
    let took = began.elapsed().as_millis() as u64;
    let mut answer =
        serde_json::to_value(GuardDecision::of(&judged.verdict, took, Cascade::embedded().version()))?;
    answer[mode.masked_field()] = json!(judged.masked);
    Ok(answer)
}
