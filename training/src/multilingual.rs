//! The multilingual encoder on labelled suites, as the service will run it.

use std::{
    cell::RefCell,
    fmt,
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::PathBuf,
    time::{Duration, Instant},
};

use anyhow::{Context, Result};
use clap::Args;
use guardengine_classifiers::{
    MultilingualEncoder, Piece, ScoreOptions, TextScores, WindowLogits, probability,
};
use guardengine_engine::{
    evidence::Origin,
    span::{CodePoints, Span},
};
use guardengine_evaluation::{LabeledText as Row, Prediction, Thresholds, evaluate, read, suite::Marked};
use serde::Serialize;

/// The threshold at which decisions are counted.
const THRESHOLD: f32 = 0.5;

/// The weights and suites to measure.
#[derive(Args)]
pub struct Measure {
    /// The weights file that `training/multilingual/export.py` wrote.
    #[arg(long)]
    weights: PathBuf,
    /// Directories or files of labelled suites.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// Rows of a suite at most, evenly spread; 0 for all.
    #[arg(long, default_value_t = 0)]
    each: usize,
    /// A window whose early logits are all below this one is read no further; without it none is left early.
    #[arg(long, allow_negative_numbers = true)]
    exit_below: Option<f32>,
    /// A file that is written: a line of JSON with the scores of each text, for `compare.py`.
    #[arg(long)]
    scores: Option<PathBuf>,
}

/// The scores of a text.
#[derive(Serialize)]
struct Line<'l> {
    suite: &'l str,
    text: &'l str,
    role: &'l str,
    ids: Vec<u32>,
    /// Of each window.
    logits: Vec<&'l [f32]>,
    language: &'l str,
}

/// The amount that was read, and the time that it took.
#[derive(Default)]
struct Totals {
    bytes: usize,
    windows: usize,
    early: usize,
    tokenizing: Duration,
    scoring: Duration,
}

impl Measure {
    /// Prints a report, and how fast the texts were read.
    pub fn run(&self) -> Result<()> {
        let file = fs::read(&self.weights).with_context(|| format!("reading {}", self.weights.display()))?;
        let start = Instant::now();
        let encoder = MultilingualEncoder::from_bytes(&file)?;
        eprintln!("loaded {:.1} MB in {:.0?}", file.len() as f64 / 1e6, start.elapsed());
        let rows = self.rows()?;
        let mut lines =
            self.scores.as_ref().map(|path| File::create(path).map(BufWriter::new)).transpose()?;
        let mut totals = Totals::default();
        let answers = rows.iter().map(|row| self.score(&encoder, row, &mut totals, lines.as_mut()));
        // They are taken in the order of the rows.
        let answers = RefCell::new(answers.collect::<Result<Vec<_>>>()?.into_iter());
        let thresholds: Thresholds =
            encoder.labels().iter().map(|label| (label.clone(), THRESHOLD)).collect();
        println!("{}", evaluate(&rows, &thresholds, |_| answers.borrow_mut().next().unwrap_or_default()));
        eprintln!("{totals}");
        Ok(())
    }

    fn rows(&self) -> Result<Vec<Row>> {
        let mut rows = Vec::new();
        for path in &self.data {
            rows.extend(read(path)?);
        }
        let mut spread = Vec::new();
        for suite in rows.chunk_by(|one, other| one.suite == other.suite) {
            let most = if self.each == 0 { suite.len() } else { self.each };
            let step = (suite.len() / most).max(1);
            spread.extend(suite.iter().step_by(step).take(most).cloned());
        }
        Ok(spread)
    }

    fn score(
        &self,
        encoder: &MultilingualEncoder,
        row: &Row,
        totals: &mut Totals,
        lines: Option<&mut BufWriter<File>>,
    ) -> Result<Prediction> {
        let role = if row.role.is_empty() { "user" } else { &row.role };
        let number =
            encoder.role(role).with_context(|| format!("role: expected one of the model, got {role}"))?;
        let options = ScoreOptions { exit_below: self.exit_below, ..ScoreOptions::default() };
        let start = Instant::now();
        let pieces = encoder.encode(&row.text);
        let tokenizing = start.elapsed();
        let scores = encoder.score(&pieces, number, options)?;
        let whole = start.elapsed();
        totals.add(row, &scores, tokenizing, whole);
        if let Some(lines) = lines {
            let line = Line {
                suite: &row.suite,
                text: &row.text,
                role,
                ids: pieces.iter().map(|piece| piece.id).collect(),
                logits: scores.windows.iter().map(WindowLogits::logits).collect(),
                language: encoder.language(&scores),
            };
            serde_json::to_writer(&mut *lines, &line)?;
            lines.write_all(b"\n")?;
        }
        let logits = (0..encoder.labels().len()).map(|label| scores.logit(label));
        let probabilities = logits.map(probability);
        Ok(Prediction {
            confidences: encoder.labels().iter().cloned().zip(probabilities).collect(),
            pii: marked(encoder, row, &pieces, &scores),
            micros: whole.as_micros() as u32,
            ..Default::default()
        })
    }
}

/// The entities of a row, in code points.
fn marked(encoder: &MultilingualEncoder, row: &Row, pieces: &[Piece], scores: &TextScores) -> Vec<Marked> {
    let mut points = CodePoints::new(&row.text);
    let entities = encoder.entities(&row.text, pieces, scores).into_iter();
    let marked = entities.map(|entity| {
        let span = points.span(Span::new(entity.range.start, entity.range.end), Origin::Subject);
        Marked { start: span.start, end: span.end, kind: entity.kind.to_owned() }
    });
    marked.collect()
}

impl Totals {
    fn add(&mut self, row: &Row, scores: &TextScores, tokenizing: Duration, whole: Duration) {
        self.bytes += row.text.len();
        self.windows += scores.windows.len();
        self.early += scores.windows.iter().filter(|window| window.left_early()).count();
        self.tokenizing += tokenizing;
        self.scoring += whole.saturating_sub(tokenizing);
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let kilobytes = self.bytes as f64 / 1e3;
        write!(
            out,
            "{kilobytes:.0} kB in {} windows, of which {} left early: {:.3} ms a kB to cut, {:.2} ms a kB to score",
            self.windows,
            self.early,
            self.tokenizing.as_secs_f64() * 1e3 / kilobytes,
            self.scoring.as_secs_f64() * 1e3 / kilobytes
        )
    }
}
