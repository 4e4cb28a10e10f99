//! Networks with weights in `model.safetensors`, run by candle.

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

/// Supported values of `model_type`.
const MODEL_TYPES: [&str; 6] = ["bert", "roberta", "xlm-roberta", "distilbert", "deberta-v2", "modernbert"];

/// Computes logits of shape (labels) from token ids and segment ids, both of shape (tokens).
trait Forward: Send + Sync {
    fn forward(&self, ids: &Tensor, type_ids: &Tensor) -> Result<Tensor>;
}

/// A network with its weights.
pub(crate) struct Network {
    network: Box<dyn Forward>,
    vocabulary_size: usize,
    /// Idle thread pools with one thread each, so that a request uses one processor.
    idle_pools: Mutex<Vec<Arc<ThreadPool>>>,
}

#[derive(serde::Deserialize)]
struct Vocabulary {
    vocab_size: usize,
}

impl Network {
    /// Loads the network that `config` describes, with the weights in `bytes`, which were read from `file`.
    pub fn load(config: &ModelConfig, file: &Path, bytes: Vec<u8>) -> std::result::Result<Self, Error> {
        let model_type = config.model_type.as_str();
        if !MODEL_TYPES.contains(&model_type) {
            let why = format!("model_type: expected one of {}, got {model_type:?}", MODEL_TYPES.join(", "));
            return Err(Error::in_file(&config.file, &why));
        }
        let in_file = |why: candle_core::Error| Error::in_file(file, &why);
        let tensors = candle_core::safetensors::load_buffer(&bytes, &Device::Cpu).map_err(in_file)?;
        drop(bytes);
        let weights = VarBuilder::from_tensors(tensors, DType::F32, &Device::Cpu);
        let outputs = config.outputs.len();
        let network = match model_type {
            "deberta-v2" => deberta::Deberta::load(&config.fields()?, outputs, &weights).map(boxed),
            "modernbert" => modern_bert::ModernBert::load(&config.fields()?, outputs, &weights).map(boxed),
            _ => bert::Bert::load(model_type, &config.fields()?, outputs, &weights).map(boxed),
        };
        let Vocabulary { vocab_size } = config.fields()?;
        Ok(Self {
            network: network.map_err(in_file)?,
            vocabulary_size: vocab_size,
            idle_pools: Mutex::default(),
        })
    }

    /// Returns the number of tokens in the vocabulary.
    pub const fn vocabulary_size(&self) -> usize {
        self.vocabulary_size
    }

    /// Returns one logit for each label.
    pub fn logits(&self, tokens: &TokenIds) -> Result<Vec<f32>> {
        let idle_pool = self.idle_pools().pop();
        let pool = match idle_pool {
            Some(pool) => pool,
            None => {
                Arc::new(ThreadPoolBuilder::new().num_threads(1).build().map_err(candle_core::Error::wrap)?)
            }
        };
        let logits = pool.install(|| self.run(tokens));
        self.idle_pools().push(pool);
        logits
    }

    fn idle_pools(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.idle_pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, tokens: &TokenIds) -> Result<Vec<f32>> {
        let ids = Tensor::new(tokens.ids.as_slice(), &Device::Cpu)?;
        let type_ids = Tensor::new(tokens.type_ids.as_slice(), &Device::Cpu)?;
        self.network.forward(&ids, &type_ids)?.to_vec1()
    }
}

fn boxed<F: Forward + 'static>(network: F) -> Box<dyn Forward> {
    Box::new(network)
}
