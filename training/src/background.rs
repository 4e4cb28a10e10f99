//! Makes the background of topics: the encoder's vectors of harmless texts.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Context, Result, ensure};
use clap::Args;
use guardengine_classifiers::{Cascade, MultilingualClassifier, MultilingualEncoder, write_background};
use guardengine_engine::topics::TextVector;
use guardengine_evaluation::{LabeledText, read};
use rand::{SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

use crate::readings::{in_parallel, origin};

/// Characters up to which a text is short, and of middle length.
const LENGTHS: [usize; 2] = [60, 200];

/// English texts that are drawn: most topics are in English.
const ENGLISH: usize = 300;
/// Texts of another language, of which there are [`FEW`] or more.
const OTHERS: usize = 35;
const FEW: usize = 400;
/// Texts of a language of which there are fewer, and at least as many.
const RARE: usize = 20;

/// Least number of texts, for vectors of 384 numbers.
const LEAST: usize = 800;

/// Texts of which the background is drawn.
#[derive(Args)]
pub struct MakeBackground {
    /// The weights file that `training/multilingual/export.py` wrote.
    #[arg(long)]
    weights: PathBuf,
    /// Directories or files of labeled texts. Those without a label are drawn.
    #[arg(long, required = true)]
    data: Vec<PathBuf>,
    /// The file that is written.
    #[arg(long)]
    out: PathBuf,
    /// Seed of the draw.
    #[arg(long, default_value_t = 7)]
    seed: u64,
}

impl MakeBackground {
    /// Draws the texts, reads them and writes the file.
    pub fn run(&self) -> Result<()> {
        let rows = self.data.iter().map(|path| read(path)).collect::<Result<Vec<_>, _>>()?.concat();
        let harmless: Vec<_> = rows.into_iter().filter(|row| row.labels.is_empty()).collect();
        let chosen = spread(harmless, self.seed);
        ensure!(chosen.len() >= LEAST, "{} texts without a label are too few", chosen.len());
        let (classifier, checksum) = classifier(&self.weights)?;
        let cores = thread::available_parallelism()?.get();
        let vectors = in_parallel(&chosen, cores, |row| vector(&classifier, row));
        let vectors = vectors.into_iter().collect::<Result<Vec<_>>>()?;
        fs::write(&self.out, write_background(&vectors, checksum)).context("writing the background")
    }
}

/// Returns the classifier of a weights file, with the checksum of the file.
fn classifier(weights: &Path) -> Result<(MultilingualClassifier, u64)> {
    let weights = fs::read(weights).with_context(|| format!("reading {}", weights.display()))?;
    // The program ends after this command.
    let encoder = MultilingualEncoder::from_static(weights.leak())?;
    let checksum = encoder.checksum();
    Ok((MultilingualClassifier::new(encoder, Cascade::embedded()), checksum))
}

/// Draws rows of each language that has enough: so many English ones, and fewer of the others, those with few texts least.
fn spread(mut rows: Vec<LabeledText>, seed: u64) -> Vec<LabeledText> {
    rows.sort_by(|one, other| (&one.lang, &one.text).cmp(&(&other.lang, &other.text)));
    rows.dedup_by(|one, other| one.text == other.text);
    rows.shuffle(&mut StdRng::seed_from_u64(seed));
    let mut languages: BTreeMap<String, Vec<LabeledText>> = BTreeMap::new();
    for row in rows {
        languages.entry(row.lang.clone()).or_default().push(row);
    }
    let drawn = languages.into_iter().flat_map(|(language, rows)| {
        let count = match rows.len() {
            _ if language == "en" => ENGLISH,
            FEW.. => OTHERS,
            RARE.. => RARE,
            _ => 0,
        };
        lengths_in_turn(rows, count)
    });
    drawn.collect()
}

/// Draws so many rows, from each length in turn.
fn lengths_in_turn(rows: Vec<LabeledText>, count: usize) -> Vec<LabeledText> {
    let mut classes = [const { Vec::new() }; LENGTHS.len() + 1];
    for row in rows {
        let length = row.text.chars().count();
        classes[LENGTHS.iter().filter(|longest| length > **longest).count()].push(row);
    }
    let mut chosen = Vec::with_capacity(count);
    while chosen.len() < count && classes.iter().any(|class| !class.is_empty()) {
        let left = count - chosen.len();
        chosen.extend(classes.iter_mut().filter_map(Vec::pop).take(left));
    }
    chosen
}

/// Returns the vector of a text in its role, in the language that the row names.
fn vector(classifier: &MultilingualClassifier, row: &LabeledText) -> Result<TextVector> {
    let vector = classifier.text_vector(origin(&row.role), &row.text)?;
    let language = classifier.language(&row.lang).unwrap_or(vector.language);
    Ok(TextVector { language, ..vector })
}
