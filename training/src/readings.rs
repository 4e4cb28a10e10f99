//! Writes what an encoder and the built-in models say of the windows of texts, for `training/multilingual/calibrate.py`.

use std::{
    fs::{self, File},
    io::{BufWriter, Write as _},
    path::PathBuf,
    thread,
};

use anyhow::{Context, Result};
use clap::Args;
use guardengine_classifiers::{Cascade, MultilingualClassifier, MultilingualEncoder, WindowLogits};
use guardengine_engine::{
    evidence::{Author, Origin, Part},
    text::Text,
};
use serde::{Deserialize, Serialize};

/// Texts whose windows are read.
#[derive(Args)]
pub struct WriteReadings {
    /// The weights file that `training/multilingual/export.py` wrote.
    #[arg(long)]
    weights: PathBuf,
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

/// A window, of which the network has read every layer.
#[derive(Serialize)]
struct Window<'w> {
    late: &'w [f32],
    early: &'w [f32],
    beside: &'w [f32],
}

impl WriteReadings {
    /// Writes the readings.
    pub fn run(&self) -> Result<()> {
        let weights =
            fs::read(&self.weights).with_context(|| format!("reading {}", self.weights.display()))?;
        // The program ends after this command.
        let encoder = MultilingualEncoder::from_static(weights.leak())?;
        let classifier = MultilingualClassifier::new(encoder, Cascade::embedded());
        let texts =
            fs::read_to_string(&self.texts).with_context(|| format!("reading {}", self.texts.display()))?;
        let lines = texts.lines().map(serde_json::from_str).collect::<Result<Vec<Line>, _>>()?;
        let mut out = BufWriter::new(File::create(&self.out)?);
        let cores = thread::available_parallelism()?.get();
        for chunk in lines.chunks(64 * cores) {
            for read in in_parallel(chunk, cores, |line| read(&classifier, line)) {
                out.write_all(&read?)?;
            }
        }
        Ok(())
    }
}

/// Applies `read` to each item, on so many threads.
pub fn in_parallel<'i, I: Sync, O: Send>(
    items: &'i [I],
    threads: usize,
    read: impl Fn(&'i I) -> O + Sync,
) -> Vec<O> {
    thread::scope(|scope| {
        let parts = items.chunks(items.len().div_ceil(threads).max(1));
        let read = &read;
        let running: Vec<_> =
            parts.map(|part| scope.spawn(move || part.iter().map(read).collect::<Vec<_>>())).collect();
        running.into_iter().flat_map(|thread| thread.join().expect("a reading does not panic")).collect()
    })
}

/// Returns the source of a text in a role.
pub fn origin(role: &str) -> Origin {
    match role {
        "document" => Origin::Document(0),
        "tool" => Origin::Turn(0, Author::Tool),
        "model" => Origin::Turn(0, Author::Model),
        _ => Origin::Subject,
    }
}

/// The line for a text.
fn read(classifier: &MultilingualClassifier, line: &Line) -> Result<Vec<u8>> {
    let scores = classifier.read_whole(Part::new(origin(&line.role), Text::new(&line.text)))?;
    let windows: Vec<_> = scores.windows.iter().map(window).collect();
    let mut written = serde_json::to_vec(&windows)?;
    written.push(b'\n');
    Ok(written)
}

fn window(window: &WindowLogits) -> Window<'_> {
    let (beside, outputs) = (&window.reading.beside, &window.reading.outputs);
    Window { late: outputs.late.as_deref().unwrap_or_default(), early: &outputs.early, beside }
}
