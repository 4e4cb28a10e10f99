//! Labelled texts with the fold each belongs to.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_engine::scores::LABELS;
use guardengine_evaluation::{Row, read};

use crate::{
    grammar::Drawn,
    presumed,
    weighing::{is_hard, is_ours},
};

/// How much is known about a label of a text: `Some(true)` and its weight in the loss, and so on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// Whether the label holds.
    pub holds: bool,
    /// Its weight in the loss; 0 where nothing is known.
    pub weight: f32,
}

/// One text to learn from.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The text.
    pub text: String,
    /// The file it comes from.
    pub source: String,
    /// Its language code.
    pub language: String,
    /// Whether a model is given it to read, and nobody says it.
    pub is_given: bool,
    /// Texts of one fold are left out together.
    pub fold: usize,
    /// In the order of [`LABELS`].
    pub targets: [Target; LABELS.len()],
}

/// Roles of what a model is given to read.
const GIVEN: [&str; 2] = ["document", "tool"];

/// Rows of a source that stand next to each other are kin (twins, one theme, one document); they stay in one fold.
const KIN: usize = 40;

/// Sources that are spread over the folds, block by block: each is most of what there is of its labels or of its kind
/// of traffic, so without it nothing could be learnt that is to be measured.
const SPREAD: [&str; 7] = [
    "t0_documents",
    "synthetic_injection",
    "bipia_train",
    "teleantifraud",
    "fabric_system",
    "synthetic_system_prompts",
    "technical",
];

/// Sources that the encoder never meets, so that it can be judged, and joined to the linear model, on them; with them
/// the first fold of [`SPREAD`] and of what we wrote.
const HELD_OUT: [&str; 16] = [
    "surge_toxicity",
    "wiki_comments",
    "toxigen",
    "spikee",
    "hinglish",
    "synthetic_violence",
    "spam_or_not",
    "sexting",
    "gpteacher",
    "gsm8k",
    "taskmaster4",
    "piguard_wildguard_benign",
    "decodingtrust_stereotypes",
    "selfinstruct_seed",
    "purple_frr",
    "langkit_themes",
];

impl Labelled {
    /// Whether the encoder never meets the text.
    pub fn is_held_out(&self) -> bool {
        let spread = is_spread(&self.source) || is_hard(&self.source) || self.source.starts_with("made_");
        HELD_OUT.contains(&self.source.as_str()) || (spread && self.fold == 0)
    }
}

fn is_spread(source: &str) -> bool {
    is_ours(source) || SPREAD.contains(&source)
}

/// Reads the texts and gives each its fold: a whole source to a fold, so that every source is judged by a model that
/// has never met it, but blocks of [`KIN`] rows for [`SPREAD`] and for what we wrote text by text.
pub fn read_all(paths: &[PathBuf], folds: usize) -> Result<Vec<Labelled>> {
    let mut texts = Vec::new();
    for path in paths {
        for (place, row) in read(path)?.into_iter().enumerate() {
            let family = if is_spread(&row.suite) { place / KIN } else { 0 };
            let fold = ((hash(row.suite.as_bytes()) >> 20) as usize).wrapping_add(family) % folds.max(1);
            texts.push(labelled(row, fold));
        }
    }
    Ok(texts)
}

/// The texts of grammars: a family stays in one fold.
pub fn of_grammars(families: Vec<Drawn>, folds: usize) -> Vec<Labelled> {
    let of_family = |(place, family): (usize, Drawn)| {
        let Drawn { source, lang, role, labels, negatives, texts } = family;
        let row = move |text| Row {
            text,
            labels: labels.clone(),
            negatives: negatives.clone(),
            lang: lang.clone(),
            role: role.clone(),
            suite: source.clone(),
            ..Row::default()
        };
        texts.into_iter().map(row).map(move |row| labelled(row, place % folds.max(1)))
    };
    families.into_iter().enumerate().flat_map(of_family).collect()
}

fn labelled(row: Row, fold: usize) -> Labelled {
    let targets = LABELS.map(|label| match row.holds(label) {
        Some(holds) => Target { holds, weight: 1.0 },
        None => Target { holds: false, weight: presumed::absence(&row.suite, label) },
    });
    let is_given = GIVEN.contains(&row.role.as_str());
    Labelled { text: row.text, source: row.suite, language: row.lang, is_given, fold, targets }
}

/// FNV-1a.
pub fn hash(bytes: &[u8]) -> u64 {
    bytes
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}
