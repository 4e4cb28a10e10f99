//! The slow tier: a small transformer that reads a window of text.
//!
//! [`weights`] reads its file, [`network`] is what it computes, of the [`layer`]s that follow each other. Nearly all
//! of the time goes into products of bytes.

mod layer;
mod network;
mod weights;

use guardengine_engine::scores::LabelScores;

pub use self::weights::Misshapen;
use self::{
    layer::Scratch,
    network::{Network, States},
};
use crate::{Unavailable, scratch_pool::ScratchPool, wordpiece::WordPiece};

/// Pieces that are read of a text.
pub const PIECES: usize = 128;

/// A model of one output for each of [`CASCADE_LABELS`](crate::CASCADE_LABELS), and what cuts its texts.
pub struct Encoder {
    network: Network,
    pieces: WordPiece,
    scratch: ScratchPool<Scratch>,
}

/// A text that was read up to the early exit.
#[derive(Debug)]
pub struct Begun {
    /// What the exit takes for the log-odds of each label.
    pub early: LabelScores,
    states: States,
}

/// The model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// Its weights cannot be used.
    #[error("the model cannot be loaded: {0}")]
    Weights(#[from] Misshapen),
    /// Its vocabulary cannot be used.
    #[error(transparent)]
    Vocabulary(#[from] crate::wordpiece::Lacking),
}

impl std::fmt::Debug for Encoder {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Encoder").finish_non_exhaustive()
    }
}

impl Encoder {
    /// A model as `training/encoder/export.py` writes it, and a vocabulary as a `vocab.txt`.
    pub fn new(weights: &'static [u8], vocabulary: &str) -> Result<Self, Unusable> {
        let pieces = WordPiece::new(vocabulary)?;
        let network = Network::new(weights, vocabulary.lines().count())?;
        Ok(Self { network, pieces, scratch: ScratchPool::default() })
    }

    /// The log-odds of each label for the first [`PIECES`] pieces of `text`, which somebody says or the model is
    /// given to read.
    pub fn log_odds(&self, text: &str, is_given: bool) -> Result<LabelScores, Unavailable> {
        self.finish(self.begin(text, is_given)?)
    }

    /// Reads the first [`PIECES`] pieces of `text` up to the early exit.
    pub fn begin(&self, text: &str, is_given: bool) -> Result<Begun, Unavailable> {
        let pieces = self.pieces.encode(text, is_given, PIECES);
        self.scratch.with(|scratch| {
            let states = self.network.begin(&pieces, scratch);
            Begun { early: self.network.early(&states), states }
        })
    }

    /// Reads on, and answers the log-odds of each label.
    pub fn finish(&self, begun: Begun) -> Result<LabelScores, Unavailable> {
        self.scratch.with(|scratch| self.network.finish(begun.states, scratch))
    }
}
