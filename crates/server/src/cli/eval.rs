//! `eval`: measures detection on labelled suites.

use std::{
    io::{IsTerminal as _, Write as _},
    path::PathBuf,
    sync::atomic::{AtomicUsize, Ordering},
    time::Instant,
};

use anyhow::{Result, ensure};
use clap::Args;
use guardengine_classifiers::Cascade;
use guardengine_engine::{
    Asked,
    evidence::Origin,
    guardrail::Direction,
    pii::{Found, find_all, mask::MaskKeys},
    policy::{
        Compiled,
        written::{Item, Policy},
    },
    span::CodePoints,
    text::Text,
};
use guardengine_evaluation::{LabeledText, Prediction, Thresholds, read, suite::Marked};
use guardengine_guard::{
    evaluate::{EvaluationOptions, LogContent, evaluate},
    submission::{Role, Submission, Turn},
};

/// Confidence from which an entity counts as found.
const MIN_CONFIDENCE: f32 = 0.5;

/// Arguments of `eval`.
#[derive(Debug, Args)]
pub struct Eval {
    /// Folder of labeled suites (*.jsonl, *.jsonl.gz), or one suite
    dir: PathBuf,
    /// Print the full report as JSON, with reliability diagrams and the false positives of each threshold
    #[arg(long)]
    json: bool,
}

impl Eval {
    /// Prints the report. Texts are evaluated by the built-in policy with a raised length limit.
    pub fn run(&self) -> Result<()> {
        let rows = read(&self.dir)?;
        ensure!(!rows.is_empty(), "no labelled texts in {}", self.dir.display());
        let evaluator = Evaluator::new()?;
        let progress = Progress::new(rows.len());
        let report = guardengine_evaluation::evaluate(&rows, &evaluator.thresholds, |row| {
            progress.step();
            evaluator.evaluate(row)
        });
        let json = || serde_json::to_string_pretty(&report);
        super::print_text(&if self.json { json()? + "\n" } else { report.to_string() })
    }
}

struct Evaluator {
    policy: Compiled,
    thresholds: Thresholds,
    keys: MaskKeys,
}

impl Evaluator {
    fn new() -> Result<Self> {
        let policy = Policy { max_prompt_length: 1_000_000, ..Policy::built_in() };
        let threshold = |item: &Item| (item.guardrail.clone(), item.threshold);
        Ok(Self {
            thresholds: policy.guardrails.iter().map(threshold).collect(),
            policy: Compiled::compile(&policy)?,
            keys: MaskKeys::new(&[0; 32]),
        })
    }

    fn evaluate(&self, row: &LabeledText) -> Prediction {
        let submission = submission(row);
        let options = EvaluationOptions {
            policy: &self.policy,
            shadow: None,
            asked: Asked::default(),
            keys: &self.keys,
            log_content: LogContent::None,
        };
        let began = Instant::now();
        // The embedded model never fails.
        let Ok(evaluation) = evaluate(Cascade::embedded(), &submission, &options) else {
            return Prediction::default();
        };
        let micros = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
        let confidence =
            |one: &guardengine_engine::policy::verdict::Standing| (one.name.to_owned(), one.confidence);
        Prediction {
            confidences: evaluation.verdict.standings.iter().map(confidence).collect(),
            pii: if row.spans.is_some() { find_entities(&row.text) } else { Vec::new() },
            flagged: !evaluation.verdict.outcome.allows(),
            micros,
        }
    }
}

/// Builds the submission for a text in its role: system text is trusted, a document is not, a model's output goes to the
/// user.
fn submission(row: &LabeledText) -> Submission {
    let text = row.text.clone();
    let empty = || Submission::of(Direction::Input, String::new());
    match row.role.as_str() {
        "system" => Submission { history: vec![Turn { role: Role::System, content: text }], ..empty() },
        "document" => Submission { documents: vec![text], ..empty() },
        "model" => Submission::of(Direction::Output, text),
        _ => Submission::of(Direction::Input, text),
    }
}

fn find_entities(text: &str) -> Vec<Marked> {
    let mut points = CodePoints::new(text);
    let label = |found: Found| {
        let span = points.span(found.span, Origin::Subject);
        Marked { start: span.start, end: span.end, kind: found.kind.to_owned() }
    };
    find_all(&Text::new(text))
        .into_iter()
        .filter(|found| found.confidence >= MIN_CONFIDENCE)
        .map(label)
        .collect()
}

/// Progress line on a terminal.
struct Progress {
    total: usize,
    done: AtomicUsize,
    is_terminal: bool,
}

impl Progress {
    fn new(total: usize) -> Self {
        Self { total, done: AtomicUsize::new(0), is_terminal: std::io::stderr().is_terminal() }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_terminal && (done.is_multiple_of(500) || done == self.total) {
            let end = if done == self.total { "\n" } else { "" };
            eprint!("\r{done} of {} texts evaluated{end}", self.total);
            // A lost progress line does no harm.
            let _flushed = std::io::stderr().flush();
        }
    }
}
