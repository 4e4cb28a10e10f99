//! ONNX models in the folder of the models, run by `rten` on one thread.

use std::{path::Path, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool, Value};
use rten_tensor::NdTensor;

use crate::protocol::Missing;

/// A model that takes images.
pub struct Network {
    model: Model,
    input: NodeId,
    outputs: Vec<NodeId>,
    name: &'static str,
    pool: Arc<ThreadPool>,
}

impl Network {
    /// Loads the file `name` of the folder of a set in `models`, with the input and the outputs of these names. `correct`
    /// may change the file first.
    pub fn load(
        models: &Path,
        (set, name): (&str, &'static str),
        (input, outputs): (&str, &[&str]),
        correct: impl FnOnce(&mut [u8]),
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, Missing> {
        let model = read(models, set, name, correct)?;
        let node = |node: &str| {
            model.find_node(node).ok_or_else(|| Missing::ModelFile(format!("{name} has no node `{node}`")))
        };
        let input = node(input)?;
        let outputs = outputs.iter().map(|output| node(output)).collect::<Result<_, _>>()?;
        Ok(Self { model, input, outputs, name, pool: Arc::clone(pool) })
    }

    /// Loads a file with one input and one output.
    pub fn simple(
        models: &Path,
        (set, name): (&str, &'static str),
        pool: &Arc<ThreadPool>,
    ) -> Result<Self, Missing> {
        let model = read(models, set, name, |_| ())?;
        let ([input], [output]) = (model.input_ids(), model.output_ids()) else {
            return Err(Missing::ModelFile(format!("{name} has other inputs or outputs than expected")));
        };
        let (input, outputs) = (*input, vec![*output]);
        Ok(Self { model, input, outputs, name, pool: Arc::clone(pool) })
    }

    /// Returns a field of the file's metadata.
    pub fn metadata(&self, key: &str) -> Result<&str, Missing> {
        self.model.metadata().get(key).ok_or_else(|| self.rejected(&format!("has no metadata `{key}`")))
    }

    /// Returns the outputs for a batch of images: batch, channel, row, column.
    pub fn run<const N: usize, const OUTPUTS: usize>(
        &self,
        images: NdTensor<f32, 4>,
    ) -> Result<[NdTensor<f32, N>; OUTPUTS], Missing> {
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let run = self.model.run(vec![(self.input, images.into())], &self.outputs, Some(options));
        let outputs = run.map_err(|error| self.rejected(&format!("failed: {error}")))?;
        let unexpected = || self.rejected("has another output than expected");
        let read = |output: Value| output.try_into().map_err(|_| unexpected());
        let outputs: Vec<_> = outputs.into_iter().map(read).collect::<Result<_, _>>()?;
        outputs.try_into().map_err(|_| unexpected())
    }

    /// Returns the error for a file that is not the expected model.
    pub fn rejected(&self, why: &str) -> Missing {
        Missing::ModelFile(format!("{} {why}", self.name))
    }
}

fn read(models: &Path, set: &str, name: &str, correct: impl FnOnce(&mut [u8])) -> Result<Model, Missing> {
    let mut file = std::fs::read(models.join(set).join(name)).map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Missing::Models(set.to_owned()),
        _ => Missing::ModelFile(format!("{name} cannot be read: {error}")),
    })?;
    correct(&mut file);
    let mut options = ModelOptions::with_all_ops();
    options.prepack_weights(true);
    options.load(file).map_err(|error| {
        tracing::warn!(%error, name, "not an ONNX model");
        Missing::ModelFile(format!("{name} is not an ONNX model or is cut short"))
    })
}
