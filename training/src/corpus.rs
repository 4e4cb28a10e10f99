//! Labelled texts and their folds.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_classifiers::CASCADE_LABELS;
use guardengine_evaluation::{LabeledText as Row, read};

use crate::{
    grammar::Drawn,
    presumed,
    weighing::{is_hard, is_ours},
};

/// Knowledge about a label of a text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Target {
    /// True if the label holds.
    pub holds: bool,
    /// Weight in the loss; 0 if nothing is known.
    pub weight: f32,
}

/// A training text.
#[derive(Clone, Debug)]
pub struct Labelled {
    /// The text.
    pub text: String,
    /// The file it comes from.
    pub source: String,
    /// Its language code.
    pub language: String,
    /// True for untrusted content: a document or a tool result.
    pub is_given: bool,
    /// Texts of one fold are left out together.
    pub fold: usize,
    /// In the order of [`CASCADE_LABELS`].
    pub targets: [Target; CASCADE_LABELS.len()],
}

/// Roles of untrusted content.
const GIVEN: [&str; 2] = ["document", "tool"];

/// Size of a block of neighboring rows that stay in one fold, because they are related (twins, one theme, one
/// document).
const KIN: usize = 40;

/// Sources that are spread over the folds, block by block: each has most of the texts of its labels or of its kind of
/// traffic, so a model without it could not learn them.
const SPREAD: [&str; 7] = [
    "t0_documents",
    "synthetic_injection",
    "bipia_train",
    "teleantifraud",
    "fabric_system",
    "synthetic_system_prompts",
    "technical",
];

/// Sources that the encoder is never trained on, so that it can be measured and joined to the linear model with them.
/// The first fold of [`SPREAD`] and of our own texts is held out too.
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
    /// Returns true if the encoder is never trained on the text.
    pub fn is_held_out(&self) -> bool {
        let spread = is_spread(&self.source) || is_hard(&self.source) || self.source.starts_with("made_");
        HELD_OUT.contains(&self.source.as_str()) || (spread && self.fold == 0)
    }
}

fn is_spread(source: &str) -> bool {
    is_ours(source) || SPREAD.contains(&source)
}

/// Reads the texts and assigns folds: a whole source to a fold, so that every source is scored by a model that has
/// never seen it, but blocks of [`KIN`] rows for [`SPREAD`] and for the texts that we wrote one by one.
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

/// Returns the texts of grammars. A family stays in one fold.
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
    let targets = CASCADE_LABELS.map(|label| match row.holds(label) {
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
