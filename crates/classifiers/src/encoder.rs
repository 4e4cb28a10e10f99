//! The slow tier: a small transformer that reads a window of text.

use std::{
    borrow::Cow,
    sync::{Arc, Mutex, PoisonError},
};

use guardengine_engine::scores::{LABELS, LabelScores};
use rten::{Model, ModelOptions, RunOptions, ThreadPool, Value};
use rten_tensor::NdTensor;

use crate::{Unavailable, wordpiece::WordPiece};

/// Pieces that are read of a text.
pub const PIECES: usize = 128;

/// A model of one output for each of [`LABELS`], and what cuts its texts.
pub struct Encoder {
    first: Model,
    rest: Model,
    pieces: WordPiece,
    /// A pool of one thread for each that runs at a time: a request keeps to one processor.
    idle: Mutex<Vec<Arc<ThreadPool>>>,
}

/// A text that was read up to the early exit.
#[derive(Debug)]
pub struct Begun {
    /// What the exit takes for the log-odds of each label.
    pub early: LabelScores,
    states: NdTensor<f32, 3>,
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

type Fault = Box<dyn std::error::Error>;

impl Encoder {
    /// A model in two files of ONNX and a vocabulary as a `vocab.txt`. The first file has an input `ids` of shape
    /// (1, pieces) and outputs `early` of shape (1, labels) and `states` of shape (1, pairs of pieces, width), the second an
    /// input `states` and an output `logits` of shape (1, labels).
    pub fn new(
        first: Cow<'static, [u8]>,
        rest: Cow<'static, [u8]>,
        vocabulary: &str,
    ) -> Result<Self, Unusable> {
        let (first, rest) = (load(first)?, load(rest)?);
        Ok(Self { first, rest, pieces: WordPiece::new(vocabulary)?, idle: Mutex::default() })
    }

    /// The log-odds of each label for the first [`PIECES`] pieces of `text`.
    pub fn log_odds(&self, text: &str) -> Result<LabelScores, Unavailable> {
        self.finish(self.begin(text)?)
    }

    /// Reads the first [`PIECES`] pieces of `text` up to the early exit.
    pub fn begin(&self, text: &str) -> Result<Begun, Unavailable> {
        let pieces: Vec<i32> =
            self.pieces.encode(text, PIECES).into_iter().map(|piece| piece as i32).collect();
        let ids = NdTensor::from_data([1, pieces.len()], pieces);
        self.with_pool(|options| {
            let outputs = [self.first.node_id("early")?, self.first.node_id("states")?];
            let inputs = vec![(self.first.node_id("ids")?, ids.into())];
            let [early, states] = self.first.run_n(inputs, outputs, Some(options))?;
            Ok(Begun { early: scores(early)?, states: states.try_into()? })
        })
    }

    /// Reads on, and answers the log-odds of each label.
    pub fn finish(&self, begun: Begun) -> Result<LabelScores, Unavailable> {
        self.with_pool(|options| {
            let inputs = vec![(self.rest.node_id("states")?, begun.states.into())];
            let [logits] = self.rest.run_n(inputs, [self.rest.node_id("logits")?], Some(options))?;
            scores(logits)
        })
    }

    fn with_pool<T>(&self, run: impl FnOnce(RunOptions) -> Result<T, Fault>) -> Result<T, Unavailable> {
        let pool = self.idle().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let answer = run(RunOptions::default().with_thread_pool(Some(Arc::clone(&pool))));
        self.idle().push(pool);
        answer.map_err(|fault| Unavailable(format!("the encoder failed: {fault}").into()))
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn load(model: Cow<'static, [u8]>) -> Result<Model, rten::LoadError> {
    let mut options = ModelOptions::with_all_ops();
    options.prepack_weights(true);
    match model {
        Cow::Borrowed(model) => options.load_static_slice(model),
        Cow::Owned(model) => options.load(model),
    }
}

fn scores(logits: Value) -> Result<LabelScores, Fault> {
    let logits: NdTensor<f32, 2> = logits.try_into()?;
    <[f32; LABELS.len()]>::try_from(logits.into_data()).map_err(|_| "it has other labels".into())
}
