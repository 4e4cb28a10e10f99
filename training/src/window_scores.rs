//! Writes the scores of the built-in models for the windows of texts, for fits that build on them.

use std::{
    fs::File,
    io::{BufRead as _, BufReader, BufWriter, Write as _},
    path::PathBuf,
};

use anyhow::{Context, Result};
use clap::Args;
use guardengine_classifiers::{Cascade, Classifier, Linear};
use guardengine_engine::{
    evidence::{Origin, Part},
    scores::{LabelScores, WindowScores},
    text::Text,
};
use serde::{Deserialize, Serialize};

/// Texts whose windows are scored.
#[derive(Args)]
pub struct WriteScores {
    /// Lines of JSON with `text` and `role`.
    #[arg(long)]
    texts: PathBuf,
    /// The file that is written: a line of JSON for each text.
    #[arg(long)]
    out: PathBuf,
}

#[derive(Deserialize)]
struct Line {
    text: String,
    role: String,
}

/// The windows of a text: beginning and end in code points of its clean view, and the log-odds of each label.
#[derive(Serialize)]
struct Scored {
    linear: Vec<(usize, usize, Vec<f32>)>,
    cascade: Vec<(usize, usize, Vec<f32>)>,
}

impl WriteScores {
    /// Writes the scores.
    pub fn run(&self) -> Result<()> {
        let open = || File::open(&self.texts).with_context(|| format!("reading {}", self.texts.display()));
        let mut out = BufWriter::new(File::create(&self.out)?);
        for line in BufReader::new(open()?).lines() {
            let Line { text, role } = serde_json::from_str(&line?)?;
            let origin = if matches!(role.as_str(), "document" | "tool") {
                Origin::Document(0)
            } else {
                Origin::Subject
            };
            let parts = [Part::new(origin, Text::new(&text))];
            let of = |classifier: &dyn Classifier| -> Result<_> {
                let view = &parts[0].text.views()[0].text;
                let scored = classifier.score(&parts)?.scored;
                Ok(scored.iter().filter(|one| one.view == 0).map(|one| window(view, one)).collect())
            };
            let scored = Scored { linear: of(Linear::embedded())?, cascade: of(Cascade::embedded())? };
            serde_json::to_writer(&mut out, &scored)?;
            out.write_all(b"\n")?;
        }
        Ok(())
    }
}

fn window(view: &str, one: &WindowScores) -> (usize, usize, Vec<f32>) {
    let point = |byte: usize| view[..byte].chars().count();
    (point(one.span.start), point(one.span.end), log_odds(&one.scores))
}

fn log_odds(scores: &LabelScores) -> Vec<f32> {
    scores.iter().map(|score| (score / (1.0 - score)).ln()).collect()
}
