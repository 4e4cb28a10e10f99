//! Texts as the model sees them: rows of features, chunk by chunk.

use guardengine_classifiers::CASCADE_LABELS;
use guardengine_classifiers::features::features;
use guardengine_engine::text::Text;

use crate::{
    augment,
    corpus::{Labelled, Target},
};

/// A text as rows of features.
#[derive(Clone, Debug)]
pub struct Example {
    /// Rows of its features, in order.
    pub rows: Vec<u32>,
    /// End of each chunk in `rows`.
    pub ends: Vec<usize>,
    /// Known labels.
    pub targets: [Target; CASCADE_LABELS.len()],
    /// The file it comes from.
    pub source: String,
    /// Its fold.
    pub fold: usize,
}

impl Example {
    /// Computes the features of a text.
    pub fn new(labelled: &Labelled) -> Self {
        let text = Text::new(&labelled.text);
        let view = text.clean();
        let chunks = view.chunks();
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        features(&view.text, |start, row| {
            while ends.len() + 1 < chunks.len() && chunks[ends.len()].end <= start {
                ends.push(rows.len());
            }
            rows.push(row);
        });
        ends.resize(chunks.len(), rows.len());
        Self { rows, ends, targets: labelled.targets, source: labelled.source.clone(), fold: labelled.fold }
    }

    /// Returns the rows of a chunk.
    pub fn chunk(&self, index: usize) -> &[u32] {
        let start = index.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[index]]
    }
}

/// Returns every text and the augmented ones.
pub fn all(texts: &[Labelled], seed: u64) -> Vec<Example> {
    let made = augment::made(texts, seed);
    texts.iter().chain(&made).map(Example::new).collect()
}
