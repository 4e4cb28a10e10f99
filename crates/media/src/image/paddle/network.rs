//! ONNX models of the folder `ocr`, run by `rten` on one thread.

use std::{path::Path, sync::Arc};

use rten::{Model, ModelOptions, NodeId, RunOptions, ThreadPool};
use rten_tensor::NdTensor;

use super::FOLDER;
use crate::protocol::Missing;

/// A model with one input and one output.
pub struct Network {
    model: Model,
    input: NodeId,
    output: NodeId,
    name: &'static str,
    pool: Arc<ThreadPool>,
}

impl Network {
    /// Loads the file `name` of the folder `ocr` in `models`.
    pub fn load(models: &Path, name: &'static str, pool: &Arc<ThreadPool>) -> Result<Self, Missing> {
        let file = std::fs::read(models.join(FOLDER).join(name)).map_err(|error| match error.kind() {
            std::io::ErrorKind::NotFound => Missing::Models(FOLDER.to_owned()),
            _ => Missing::ModelFile(format!("{name} cannot be read: {error}")),
        })?;
        let mut options = ModelOptions::with_all_ops();
        options.prepack_weights(true);
        let model = options.load(file).map_err(|error| {
            tracing::warn!(%error, name, "not an ONNX model");
            Missing::ModelFile(format!("{name} is not an ONNX model or is cut short"))
        })?;
        let ([input], [output]) = (model.input_ids(), model.output_ids()) else {
            return Err(Missing::ModelFile(format!("{name} has other inputs or outputs than expected")));
        };
        let (input, output) = (*input, *output);
        Ok(Self { model, input, output, name, pool: Arc::clone(pool) })
    }

    /// Returns a field of the file's metadata.
    pub fn metadata(&self, key: &str) -> Result<&str, Missing> {
        self.model.metadata().get(key).ok_or_else(|| self.rejected(&format!("has no metadata `{key}`")))
    }

    /// Returns the output for a batch of images: batch, channel, row, column.
    pub fn run<const N: usize>(&self, images: NdTensor<f32, 4>) -> Result<NdTensor<f32, N>, Missing> {
        let options = RunOptions::default().with_thread_pool(Some(Arc::clone(&self.pool)));
        let run = self.model.run_n(vec![(self.input, images.into())], [self.output], Some(options));
        let [output] = run.map_err(|error| self.rejected(&format!("failed: {error}")))?;
        output.try_into().map_err(|_| self.rejected("has another output than expected"))
    }

    /// Returns the error for a file that is not the expected model.
    pub fn rejected(&self, why: &str) -> Missing {
        Missing::ModelFile(format!("{} {why}", self.name))
    }
}
