//! The slow tier: a small transformer that reads a window of text.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};

use guardengine_engine::scores::{LABELS, LabelScores};
use rten::{Model, ModelOptions, RunOptions, ThreadPool};
use rten_tensor::NdTensor;

use crate::{Unavailable, wordpiece::WordPiece};

/// Pieces that are read of a text.
pub const PIECES: usize = 128;

/// A model of one output for each of [`LABELS`], and what cuts its texts.
pub struct Encoder {
    model: Model,
    pieces: WordPiece,
    /// A pool of one thread for each that runs at a time: a request keeps to one processor.
    idle: Mutex<Vec<Arc<ThreadPool>>>,
}

/// The model cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum Unusable {
    /// Its file cannot be read.
    #[error("the model cannot be loaded: {0}")]
    Model(#[from] rten::LoadError),
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
    /// A model in ONNX, with an input `ids` of shape (1, pieces) and an output `logits` of shape (1, labels); the
    /// vocabulary as a `vocab.txt`.
    pub fn new(model: Cow<'static, [u8]>, vocabulary: &str) -> Result<Self, Unusable> {
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = match model {
            Cow::Borrowed(model) => options.load_static_slice(model)?,
            Cow::Owned(model) => options.load(model)?,
        };
        Ok(Self { model, pieces: WordPiece::new(vocabulary)?, idle: Mutex::default() })
    }

    /// The log-odds of each label for the first [`PIECES`] pieces of `text`.
    pub fn log_odds(&self, text: &str) -> Result<LabelScores, Unavailable> {
        let pool = self.idle().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let answer = self.run(text, Arc::clone(&pool));
        self.idle().push(pool);
        let logits = answer.map_err(|fault| Unavailable(format!("the encoder failed: {fault}").into()))?;
        <[f32; LABELS.len()]>::try_from(logits)
            .map_err(|_| Unavailable("the encoder has other labels".into()))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, text: &str, pool: Arc<ThreadPool>) -> Result<Vec<f32>, Box<dyn std::error::Error>> {
        let pieces: Vec<i32> =
            self.pieces.encode(text, PIECES).into_iter().map(|piece| piece as i32).collect();
        let ids = NdTensor::from_data([1, pieces.len()], pieces);
        let inputs = vec![(self.model.node_id("ids")?, ids.into())];
        let options = RunOptions::default().with_thread_pool(Some(pool));
        let [output] = self.model.run_n(inputs, [self.model.node_id("logits")?], Some(options))?;
        let logits: NdTensor<f32, 2> = output.try_into()?;
        Ok(logits.into_data())
    }
}
