//! ONNX models, run by `rten`.

use std::sync::{Arc, Mutex, PoisonError};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;

use crate::tokenizer::TokenIds;

type RuntimeResult<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// An ONNX model with its input and output nodes.
pub(crate) struct OnnxModel {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    logits: NodeId,
    /// Idle thread pools with one thread each, so that a request uses one processor.
    idle_pools: Mutex<Vec<Arc<ThreadPool>>>,
}

#[derive(Clone, Copy)]
enum Input {
    Ids,
    TypeIds,
    AttentionMask,
}

impl OnnxModel {
    /// Loads an ONNX file.
    pub fn load(file: Vec<u8>) -> RuntimeResult<Self> {
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(file)?;
        let inputs = model
            .input_ids()
            .iter()
            .map(|id| Ok((*id, input_kind(&model, *id)?)))
            .collect::<RuntimeResult<_>>()?;
        let logits = model.find_node("logits").ok_or("expected an output named logits")?;
        Ok(Self { model, inputs, logits, idle_pools: Mutex::default() })
    }

    /// Returns one logit for each label.
    pub fn logits(&self, tokens: &TokenIds) -> RuntimeResult<Vec<f32>> {
        let pool = self.idle_pools().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let logits = self.run(tokens, Arc::clone(&pool));
        self.idle_pools().push(pool);
        logits
    }

    fn idle_pools(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.idle_pools.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, tokens: &TokenIds, pool: Arc<ThreadPool>) -> RuntimeResult<Vec<f32>> {
        let inputs = self.inputs.iter().map(|(id, input)| (*id, input.tensor(tokens).into())).collect();
        let options = RunOptions::default().with_thread_pool(Some(pool));
        let [output] = self.model.run_n(inputs, [self.logits], Some(options))?;
        let logits: NdTensor<f32, 2> = output.try_into()?;
        Ok(logits.into_data())
    }
}

fn input_kind(model: &Model, id: NodeId) -> RuntimeResult<Input> {
    match model.node_info(id).and_then(|node| node.name().map(str::to_owned)).as_deref() {
        Some("input_ids") => Ok(Input::Ids),
        Some("token_type_ids") => Ok(Input::TypeIds),
        Some("attention_mask") => Ok(Input::AttentionMask),
        other => Err(format!(
            "expected the inputs input_ids, token_type_ids and attention_mask, got {}",
            other.unwrap_or("an unnamed input")
        )
        .into()),
    }
}

impl Input {
    /// Returns the input tensor, of shape (1, tokens).
    fn tensor(self, tokens: &TokenIds) -> NdTensor<i32, 2> {
        let values = match self {
            Self::Ids => tokens.ids.iter().map(|id| *id as i32).collect(),
            Self::TypeIds => tokens.type_ids.iter().map(|id| *id as i32).collect(),
            Self::AttentionMask => vec![1; tokens.ids.len()],
        };
        NdTensor::from_data([1, tokens.ids.len()], values)
    }
}
