//! `eval`: detection measured over labelled suites.

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
use guardengine_evaluation::{Judgement, Row, Thresholds, read, row::Marked};

use crate::guard::{
    evaluate::{EvaluationOptions, LogContent, evaluate},
    submission::{Role, Submission, Turn},
};

/// Finds that are more likely than not count as found.
const FOUND: f32 = 0.5;

/// The arguments of `eval`.
#[derive(Debug, Args)]
pub struct Eval {
    /// Folder of labelled suites (*.jsonl, *.jsonl.gz), or one suite
    dir: PathBuf,
    /// Print the whole report as JSON: with reliability diagrams, and what thresholds cost on plain traffic
    #[arg(long)]
    json: bool,
}

impl Eval {
    /// Prints the report. Texts are judged by the built-in policy, without its length rule.
    pub fn run(&self) -> Result<()> {
        let rows = read(&self.dir)?;
        ensure!(!rows.is_empty(), "no rows in {}", self.dir.display());
        let judges = Judges::new()?;
        let progress = Progress::new(rows.len());
        let report = guardengine_evaluation::evaluate(&rows, &judges.thresholds, |row| {
            progress.step();
            judges.evaluate(row)
        });
        let json = || serde_json::to_string_pretty(&report);
        super::say(&if self.json { json()? + "\n" } else { report.to_string() })
    }
}

struct Judges {
    policy: Compiled,
    thresholds: Thresholds,
    keys: MaskKeys,
}

impl Judges {
    fn new() -> Result<Self> {
        let policy = Policy { max_prompt_length: 1_000_000, ..Policy::built_in() };
        let threshold = |item: &Item| (item.guardrail.clone(), item.threshold);
        Ok(Self {
            thresholds: policy.guardrails.iter().map(threshold).collect(),
            policy: Compiled::compile(&policy)?,
            keys: MaskKeys::new(&[0; 32]),
        })
    }

    fn evaluate(&self, row: &Row) -> Judgement {
        let submission = submission(row);
        let terms = EvaluationOptions {
            policy: &self.policy,
            shadow: None,
            asked: Asked::default(),
            keys: &self.keys,
            log_content: LogContent::None,
        };
        let began = Instant::now();
        // The embedded model always answers.
        let Ok(judged) = evaluate(Cascade::embedded(), &submission, &terms) else {
            return Judgement::default();
        };
        let micros = u32::try_from(began.elapsed().as_micros()).unwrap_or(u32::MAX);
        let standing =
            |one: &guardengine_engine::policy::verdict::Standing| (one.name.to_owned(), one.confidence);
        Judgement {
            confidences: judged.verdict.standings.iter().map(standing).collect(),
            pii: if row.spans.is_some() { marked(&row.text) } else { Vec::new() },
            flagged: !judged.verdict.outcome.allows(),
            micros,
        }
    }
}

/// A text in its role: system text is trusted, a document is not, a model's words go to the user.
fn submission(row: &Row) -> Submission {
    let text = row.text.clone();
    let empty = || Submission::of(Direction::Input, String::new());
    match row.role.as_str() {
        "system" => Submission { history: vec![Turn { role: Role::System, content: text }], ..empty() },
        "document" => Submission { documents: vec![text], ..empty() },
        "model" => Submission::of(Direction::Output, text),
        _ => Submission::of(Direction::Input, text),
    }
}

fn marked(text: &str) -> Vec<Marked> {
    let mut points = CodePoints::new(text);
    let mark = |found: Found| {
        let span = points.span(found.span, Origin::Subject);
        Marked { start: span.start, end: span.end, kind: found.kind.to_owned() }
    };
    find_all(&Text::new(text)).into_iter().filter(|found| found.confidence >= FOUND).map(mark).collect()
}

/// How far it is, for somebody who watches.
struct Progress {
    total: usize,
    done: AtomicUsize,
    is_watched: bool,
}

impl Progress {
    fn new(total: usize) -> Self {
        Self { total, done: AtomicUsize::new(0), is_watched: std::io::stderr().is_terminal() }
    }

    fn step(&self) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        if self.is_watched && (done.is_multiple_of(500) || done == self.total) {
            let end = if done == self.total { "\n" } else { "" };
            eprint!("\r{done} of {} texts judged{end}", self.total);
            // Nobody misses a progress line that could not be written.
            let _shown = std::io::stderr().flush();
        }
    }
}
