//! A model in ONNX, run by `rten`.

use std::sync::{Arc, Mutex, PoisonError};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;

use crate::tokenizer::TokenIds;

type Answer<T> = Result<T, Box<dyn std::error::Error + Send + Sync>>;

/// A graph, and where texts go in and logits come out.
pub(crate) struct OnnxModel {
    model: Model,
    inputs: Vec<(NodeId, Input)>,
    logits: NodeId,
    /// A pool of one thread for each that runs at a time: a request keeps to one processor.
    idle: Mutex<Vec<Arc<ThreadPool>>>,
}

#[derive(Clone, Copy)]
enum Input {
    Ids,
    Types,
    Mask,
}

impl OnnxModel {
    /// The graph of an ONNX file.
    pub fn load(file: Vec<u8>) -> Answer<Self> {
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(file)?;
        let inputs =
            model.input_ids().iter().map(|id| Ok((*id, input(&model, *id)?))).collect::<Answer<_>>()?;
        let logits = model.find_node("logits").ok_or("the graph has no output logits")?;
        Ok(Self { model, inputs, logits, idle: Mutex::default() })
    }

    /// One value for each label.
    pub fn logits(&self, pieces: &TokenIds) -> Answer<Vec<f32>> {
        let pool = self.idle().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
        let answer = self.run(pieces, Arc::clone(&pool));
        self.idle().push(pool);
        answer
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self, pieces: &TokenIds, pool: Arc<ThreadPool>) -> Answer<Vec<f32>> {
        let inputs = self.inputs.iter().map(|(id, input)| (*id, input.of(pieces).into())).collect();
        let options = RunOptions::default().with_thread_pool(Some(pool));
        let [output] = self.model.run_n(inputs, [self.logits], Some(options))?;
        let logits: NdTensor<f32, 2> = output.try_into()?;
        Ok(logits.into_data())
    }
}

fn input(model: &Model, id: NodeId) -> Answer<Input> {
    match model.node_info(id).and_then(|node| node.name().map(str::to_owned)).as_deref() {
        Some("input_ids") => Ok(Input::Ids),
        Some("token_type_ids") => Ok(Input::Types),
        Some("attention_mask") => Ok(Input::Mask),
        other => Err(format!(
            "the graph asks for {}; known are input_ids, token_type_ids and attention_mask",
            other.unwrap_or("an input without a name")
        )
        .into()),
    }
}

impl Input {
    /// Of shape (1, pieces).
    fn of(self, pieces: &TokenIds) -> NdTensor<i32, 2> {
        let values = match self {
            Self::Ids => pieces.ids.iter().map(|id| *id as i32).collect(),
            Self::Types => pieces.types.iter().map(|id| *id as i32).collect(),
            Self::Mask => vec![1; pieces.ids.len()],
        };
        NdTensor::from_data([1, pieces.ids.len()], values)
    }
}
