//! Models in the Hugging Face format: `config.json`, `tokenizer.json`, and `model.safetensors` or ONNX.

use std::path::{Path, PathBuf};

use guardengine_classifiers::Unavailable;
use sha2::{Digest as _, Sha256};

use crate::{
    Error, LabelProbabilities, Labels, Model, model_config::ModelConfig, network::Network, onnx::OnnxModel,
    tokenizer::Tokenizer,
};

/// Weight files, in order of preference.
const WEIGHT_FILES: [&str; 3] = ["model.safetensors", "model.onnx", "onnx/model.onnx"];

/// Text that is classified after loading, to verify that the model works.
const PROBE_TEXT: &str = "Is this thing on?";

/// A sequence classifier loaded from a folder.
pub struct LocalModel {
    config: ModelConfig,
    tokenizer: Tokenizer,
    runtime: Runtime,
    labels: Labels,
    version: String,
}

enum Runtime {
    Candle(Network),
    Onnx(Box<OnnxModel>),
}

impl LocalModel {
    /// Loads a model and classifies a short text, so that files that do not match each other fail here.
    pub fn open(folder: &Path, labels: Labels) -> Result<Self, Error> {
        let config = ModelConfig::read(folder)?;
        config.check(&labels)?;
        let tokenizer = Tokenizer::read(folder, config.max_tokens)?;
        let weights = find_weights(folder)?;
        let file = std::fs::read(&weights).map_err(|error| Error::in_file(&weights, &error))?;
        let version = version(folder, &file);
        let runtime = if weights.extension().is_some_and(|extension| extension == "onnx") {
            let model = OnnxModel::load(file).map_err(|error| Error::in_file(&weights, &error))?;
            Runtime::Onnx(Box::new(model))
        } else {
            let network = Network::load(&config, &weights, file)?;
            if tokenizer.vocabulary_size() > network.vocabulary_size() {
                return Err(Error::in_file(
                    &tokenizer.file,
                    "expected no more tokens than the model's vocabulary",
                ));
            }
            Runtime::Candle(network)
        };
        let model = Self { config, tokenizer, runtime, labels, version };
        model.probabilities(PROBE_TEXT).map_err(|error| Error::in_file(&weights, &error.0))?;
        Ok(model)
    }

    /// Returns the logits of `text`, one for each of the model's labels.
    pub fn logits(&self, text: &str) -> Result<Vec<f32>, Unavailable> {
        let failed = |error: &dyn std::fmt::Display| Unavailable(format!("the model failed: {error}").into());
        let tokens = self.tokenizer.encode(text).map_err(|error| failed(&error))?;
        match &self.runtime {
            Runtime::Candle(network) => network.logits(&tokens).map_err(|error| failed(&error)),
            Runtime::Onnx(model) => model.logits(&tokens).map_err(|error| failed(&error)),
        }
    }

    fn probabilities(&self, text: &str) -> Result<LabelProbabilities, Unavailable> {
        let logits = self.logits(text)?;
        let invalid =
            || format!("the logits {logits:?} do not match the labels {}", self.config.outputs.join(", "));
        self.config.probabilities(&logits, &self.labels).ok_or_else(|| Unavailable(invalid().into()))
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
        self.tokenizer.fits(text)
    }

    fn classify(&self, texts: &[&str]) -> Result<Vec<LabelProbabilities>, Unavailable> {
        texts.iter().map(|text| self.probabilities(text)).collect()
    }
}

fn find_weights(folder: &Path) -> Result<PathBuf, Error> {
    let missing = || Error::in_file(folder, &format!("expected one of {}", WEIGHT_FILES.join(", ")));
    WEIGHT_FILES.iter().map(|name| folder.join(name)).find(|file| file.is_file()).ok_or_else(missing)
}

/// Returns the folder's name and the first 32 bits of the SHA-256 digest of the weights.
fn version(folder: &Path, weights: &[u8]) -> String {
    let name = folder.file_name().map_or("model".into(), |name| name.to_string_lossy());
    let [a, b, c, d, ..]: [u8; 32] = Sha256::digest(weights).into();
    format!("{name}@{:08x}", u32::from_be_bytes([a, b, c, d]))
}
