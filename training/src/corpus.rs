//! Labelled texts with the fold each belongs to.

use std::path::PathBuf;

use anyhow::Result;
use guardengine_engine::scores::LABELS;
use guardengine_evaluation::{Row, read};

use crate::presumed;

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
    /// Texts of one fold are left out together.
    pub fold: usize,
    /// In the order of [`LABELS`].
    pub targets: [Target; LABELS.len()],
}

/// Rows of a source that stand next to each other are kin (twins, one theme); they stay in one fold.
const KIN: usize = 40;

/// Reads the texts and gives each its fold: a whole source to a fold, but blocks of [`KIN`] rows for what we wrote
/// ourselves, since each of those files is nearly all there is of its labels.
pub fn read_all(paths: &[PathBuf], folds: usize) -> Result<Vec<Labelled>> {
    let mut texts = Vec::new();
    for path in paths {
        for (place, row) in read(path)?.into_iter().enumerate() {
            let family = if row.source.starts_with("written") { place / KIN } else { 0 };
            let fold = (hash(&row.suite) as usize).wrapping_add(family) % folds;
            texts.push(labelled(row, fold));
        }
    }
    Ok(texts)
}

fn labelled(row: Row, fold: usize) -> Labelled {
    let targets = LABELS.map(|label| match row.holds(label) {
        Some(holds) => Target { holds, weight: 1.0 },
        None => Target { holds: false, weight: presumed::absence(&row.suite, label) },
    });
    Labelled { text: row.text, source: row.suite, fold, targets }
}

fn hash(name: &str) -> u64 {
    name.bytes()
        .fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
        >> 20
}
