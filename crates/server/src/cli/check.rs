//! `check`: evaluates one text without a server or a database.

use std::{
    io::{IsTerminal as _, Read as _},
    path::PathBuf,
    process::ExitCode,
    time::Instant,
};

use anyhow::{Context as _, Result, bail};
use clap::{Args, ValueEnum};
use guardengine_api_types::GuardDecision;
use guardengine_classifiers::{Classifier as _, fit_topics};
use guardengine_engine::{RequestOptions, guardrail::Direction, pii::mask::MaskKeys, policy::CompiledPolicy};
use guardengine_guard::{
    evaluate::{Evaluation, EvaluationOptions, LogContent, evaluate},
    submission::Submission,
};
use serde_json::{Value, json};

use super::policy_file;

/// Exit code for errors; 1 means that the text is blocked.
const EXIT_ERROR: u8 = 2;

/// Arguments of `check`.
#[derive(Debug, Args)]
pub struct Check {
    /// Policy as JSON; the built-in policy if omitted
    #[arg(long, value_name = "FILE.json")]
    policy: Option<PathBuf>,
    /// Direction of the text
    #[arg(long, value_enum, default_value = "input")]
    mode: Mode,
    /// Text to evaluate; standard input if omitted or -
    text: Option<String>,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Mode {
    /// A prompt to the model
    Input,
    /// A response to the user
    Output,
}

impl Check {
    /// Prints the decision. Exits with 0 for allow, 1 for block, 2 if the text was not evaluated.
    pub fn run(self) -> ExitCode {
        match self.decide() {
            Ok(code) => code,
            Err(error) => {
                super::print_note(super::one_line(&error));
                ExitCode::from(EXIT_ERROR)
            }
        }
    }

    fn decide(self) -> Result<ExitCode> {
        let began = Instant::now();
        let mut policy = CompiledPolicy::compile(&policy_file::read(self.policy.as_deref())?)?;
        fit_topics(&mut policy, guardengine_classifiers::embedded())?;
        let mode = self.mode;
        let submission = Submission::of(mode.direction(), self.text()?);
        // Without an organization, masking hashes and tokens use a key of this run only.
        let keys = MaskKeys::new(&rand::random());
        let (options, log_content) = (RequestOptions::default(), LogContent::None);
        let options = EvaluationOptions {
            policy: &policy,
            shadow: None,
            asked: options,
            keys: &keys,
            log_content,
            labels: None,
            deadline: None,
        };
        let evaluation = evaluate(guardengine_classifiers::embedded(), &submission, &options)?;
        let allows = evaluation.verdict.outcome.allows();
        super::print_text(&format!("{:#}\n", response(&evaluation, mode, began)?))?;
        Ok(if allows { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }

    fn text(self) -> Result<String> {
        match self.text {
            Some(text) if text != "-" => Ok(text),
            None if std::io::stdin().is_terminal() => bail!("pass a text, or - to read standard input"),
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

fn response(evaluation: &Evaluation, mode: Mode, began: Instant) -> Result<Value> {
    let elapsed = began.elapsed().as_millis() as u64;
    let mut response = serde_json::to_value(GuardDecision::of(
        &evaluation.verdict,
        elapsed,
        guardengine_classifiers::embedded().version(),
    ))?;
    response[mode.masked_field()] = json!(evaluation.masked);
    Ok(response)
}
