//! The networks whose weights come as `model.safetensors`, run by candle.

mod bert;
mod deberta;
mod layers;
mod modern_bert;

use std::{
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

use candle_core::{DType, Device, Result, Tensor};
use candle_nn::VarBuilder;
use rayon::{ThreadPool, ThreadPoolBuilder};

use crate::{Error, model_config::ModelConfig, tokenizer::TokenIds};

/// The networks that can be loaded, by their `model_type`.
const KNOWN: [&str; 6] = ["bert", "roberta", "xlm-roberta", "distilbert", "deberta-v2", "modernbert"];

/// From the places of pieces, and which text each belongs to, both of shape (pieces), to logits of shape (labels).
trait Forward: Send + Sync {
    fn forward(&self, ids: &Tensor, types: &Tensor) -> Result<Tensor>;
}

/// A network with its weights.
pub(crate) struct Network {
    network: Box<dyn Forward>,
    vocabulary: usize,
    /// A pool of one thread for each that runs at a time: a request keeps to one processor.
    idle: Mutex<Vec<Arc<ThreadPool>>>,
}

#[derive(serde::Deserialize)]
struct Vocabulary {
    vocab_size: usize,
}

impl Network {
    /// The network that `description` names, with the weights in `bytes`, which were read from `file`.
    pub fn load(description: &ModelConfig, file: &Path, bytes: Vec<u8>) -> std::result::Result<Self, Error> {
        let model_type = description.model_type.as_str();
        if !KNOWN.contains(&model_type) {
            let why = format!("model_type {model_type:?} is unknown; known are {}", KNOWN.join(", "));
            return Err(Error::in_file(&description.file, &why));
        }
        let about = |why: candle_core::Error| Error::in_file(file, &why);
        let tensors = candle_core::safetensors::load_buffer(&bytes, &Device::Cpu).map_err(about)?;
        drop(bytes);
        let weights = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        let outputs = description.outputs.len();
        let network = match model_type {
            "deberta-v2" => deberta::Deberta::load(&description.fields()?, outputs, &weights).map(boxed),
            "modernbert" => {
                modern_bert::ModernBert::load(&description.fields()?, outputs, &weights).map(boxed)
            }
            _ => bert::Bert::load(model_type, &description.fields()?, outputs, &weights).map(boxed),
        };
        let Vocabulary { vocab_size } = description.fields()?;
        Ok(Self { network: network.map_err(about)?, vocabulary: vocab_size, idle: Mutex::default() })
    }

    /// Pieces that it knows.
    pub const fn vocabulary(&self) -> usize {
        self.vocabulary
    }

    /// One value for each label.
    pub fn logits(&self, pieces: &TokenIds) -> Result<Vec<f32>> {
        let idle = self.idle().pop();
        let pool = match idle {
            Some(pool) => pool,
            None => {
                Arc::new(ThreadPoolBuilder::new().num_threads(1).build().map_err(candle_core::Error::wrap)?)
            }
        };
        let answer = pool.install(|| self.run(pieces));
        self.idle().push(pool);
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, pieces: &TokenIds) -> Result<Vec<f32>> {
        let ids = Tensor::new(pieces.ids.as_slice(), &Device::Cpu)?;
        let types = Tensor::new(pieces.types.as_slice(), &Device::Cpu)?;
        self.network.forward(&ids, &types)?.to_vec1()
    }
}

fn boxed<F: Forward + 'static>(network: F) -> Box<dyn Forward> {
    Box::new(network)
}
