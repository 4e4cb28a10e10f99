//! A folder in Hugging Face's format: `config.json`, `tokenizer.json`, and `model.safetensors` or ONNX.

use std::path::{Path, PathBuf};

use guardengine_classifiers::Unavailable;
use sha2::{Digest as _, Sha256};

use crate::{
    Error, LabelProbabilities, Labels, Model, model_config::ModelConfig, network::Network, onnx::OnnxModel,
    tokenizer::Tokenizer,
};

/// Where weights may stand in a folder; the first that is there is taken.
const WEIGHTS: [&str; 3] = ["model.safetensors", "model.onnx", "onnx/model.onnx"];

/// What is read when a model is loaded, to see that it answers.
const PROBE_TEXT: &str = "Is this thing on?";

/// A sequence classifier that was loaded from a folder.
pub struct LocalModel {
    description: ModelConfig,
    cutter: Tokenizer,
    runtime: Runtime,
    labels: Labels,
    version: String,
}

enum Runtime {
    Candle(Network),
    Onnx(Box<OnnxModel>),
}

impl LocalModel {
    /// Loads the folder, and reads a short text, so that what does not fit together is found here.
    pub fn open(folder: &Path, labels: Labels) -> Result<Self, Error> {
        let description = ModelConfig::read(folder)?;
        description.check(&labels)?;
        let cutter = Tokenizer::read(folder, description.pieces)?;
        let weights = weights(folder)?;
        let file = std::fs::read(&weights).map_err(|fault| Error::in_file(&weights, &fault))?;
        let version = version(folder, &file);
        let runtime = if weights.extension().is_some_and(|extension| extension == "onnx") {
            let graph = OnnxModel::load(file).map_err(|fault| Error::in_file(&weights, &fault))?;
            Runtime::Onnx(Box::new(graph))
        } else {
            let network = Network::load(&description, &weights, file)?;
            if cutter.vocabulary() > network.vocabulary() {
                return Err(Error::in_file(&cutter.file, "it has more pieces than the model's vocabulary"));
            }
            Runtime::Candle(network)
        };
        let checkpoint = Self { description, cutter, runtime, labels, version };
        checkpoint.probabilities(PROBE_TEXT).map_err(|fault| Error::in_file(&weights, &fault.0))?;
        Ok(checkpoint)
    }

    /// The logits of `text`, one for each of the model's labels.
    pub fn logits(&self, text: &str) -> Result<Vec<f32>, Unavailable> {
        let failed = |fault: &dyn std::fmt::Display| Unavailable(format!("the model failed: {fault}").into());
        let pieces = self.cutter.encode(text).map_err(|fault| failed(&fault))?;
        match &self.runtime {
            Runtime::Candle(network) => network.logits(&pieces).map_err(|fault| failed(&fault)),
            Runtime::Onnx(graph) => graph.logits(&pieces).map_err(|fault| failed(&fault)),
        }
    }

    fn probabilities(&self, text: &str) -> Result<LabelProbabilities, Unavailable> {
        let logits = self.logits(text)?;
        let wrong =
            || format!("{logits:?} is no answer for the labels {}", self.description.outputs.join(", "));
        self.description.probabilities(&logits, &self.labels).ok_or_else(|| Unavailable(wrong().into()))
    }
}

impl Model for LocalModel {
    fn version(&self) -> &str {
        &self.version
    }

    fn labels(&self) -> &Labels {
        &self.labels
    }

    fn fits(&self, text: &str) -> bool {
        self.cutter.fits(text)
    }

    fn classify(&self, stretches: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        stretches.iter().map(|stretch| self.probabilities(stretch)).collect()
    }
}

fn weights(folder: &Path) -> Result<PathBuf, Error> {
    let missing = || Error::in_file(folder, &format!("there is none of {}", WEIGHTS.join(", ")));
    WEIGHTS.iter().map(|name| folder.join(name)).find(|file| file.is_file()).ok_or_else(missing)
}

/// The folder's name, and the beginning of the weights' digest.
fn version(folder: &Path, weights: &[u8]) -> String {
    let name = folder.file_name().map_or("model".into(), |name| name.to_string_lossy());
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(weights).into();
    format!("{name}@{:08x}", u32::from_be_bytes([a, b, c, d]))
}
