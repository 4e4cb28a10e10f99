//! Training windows of the encoder: of each text the window that the encoder will read, with its labels.
//!
//! An encoder reads a window, not a document. Which one, the fast tier decides in the service, so it decides here too:
//! the window that it suspects most, of what holds where anything does, of everything else.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    path::Path,
};

use anyhow::Result;
use guardengine_classifiers::{CASCADE_LABELS, Classifier as _, Linear, MAX_WINDOW_BYTES, in_english};
use guardengine_engine::{
    evidence::{Origin, Part},
    scores::LabelScores,
    text::Text,
};
use serde::Serialize;

use crate::{
    corpus::{Labelled, Target},
    weighing,
};

/// The view that shows a text as it was written.
const CLEAN: usize = 0;

/// Folds of sources; the first is held out.
pub const FOLDS: usize = 10;

/// Score of a window that is taken to hold what its text holds.
const SHOWS: f32 = 0.3;

/// A line of the file.
#[derive(Serialize)]
struct Line<'a> {
    text: &'a str,
    source: &'a str,
    lang: &'a str,
    /// True for untrusted content.
    given: bool,
    /// True if the text is excluded from training.
    held_out: bool,
    /// Sampling rate; 1 is one draw per text.
    share: f32,
    /// 1 for each label that holds, else 0.
    holds: [u8; CASCADE_LABELS.len()],
    /// For each label its weight in the loss; 0 where nothing is known.
    weights: [f32; CASCADE_LABELS.len()],
}

/// Writes a line for each text.
pub fn write(texts: &[Labelled], out: &Path) -> Result<()> {
    let shares = weighing::shares(texts.iter().map(|text| text.source.as_str()));
    let mut file = BufWriter::new(File::create(out)?);
    for (text, share) in texts.iter().zip(shares) {
        let Some(window) = window(text) else { continue };
        let Some(window) = in_english(&window) else { continue };
        let line = Line {
            text: &window,
            source: &text.source,
            lang: &text.language,
            given: text.is_given,
            held_out: text.is_held_out(),
            share,
            holds: text.targets.map(|target| u8::from(target.holds)),
            weights: std::array::from_fn(|label| weighing::known(text, label)),
        };
        serde_json::to_writer(&mut file, &line)?;
        file.write_all(b"\n")?;
    }
    Ok(file.flush()?)
}

/// Returns the window of a text that the encoder would read; `None` if a label holds and no window shows it.
pub fn window(text: &Labelled) -> Option<String> {
    let part = [Part::new(Origin::Subject, Text::new(&text.text))];
    let clean = &part[0].text.clean().text;
    if clean.len() <= MAX_WINDOW_BYTES {
        return Some(clean.clone().into_owned());
    }
    let scored = Linear::embedded().score(&part).map(|scores| scores.scored).unwrap_or_default();
    let windows = scored.iter().filter(|one| one.view == CLEAN && one.span.len() <= MAX_WINDOW_BYTES);
    let (most, suspicion) = windows
        .map(|one| (one, suspicion(&one.scores, &text.targets)))
        .max_by(|(_, one), (_, other)| one.total_cmp(other))?;
    let shows = text.targets.iter().all(|target| !target.holds) || suspicion >= SHOWS;
    shows.then(|| most.span.of(clean).to_owned())
}

fn suspicion(scores: &LabelScores, targets: &[Target; CASCADE_LABELS.len()]) -> f32 {
    let anything = targets.iter().any(|target| target.holds);
    let those = scores.iter().zip(targets).filter(|(_, target)| !anything || target.holds);
    those.map(|(score, _)| *score).fold(0.0, f32::max)
}
