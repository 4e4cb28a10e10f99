//! Configuration of a local model: `config.json`.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::{Error, LabelProbabilities, Labels};

/// Upper limit on the tokens a model reads, because the cost of attention grows with their square.
pub(crate) const MAX_TOKENS: usize = 512;

/// Configuration of a local model.
pub(crate) struct ModelConfig {
    /// Path of `config.json`.
    pub file: PathBuf,
    /// Content of the file, from which networks parse their sizes.
    json: String,
    /// Network architecture.
    pub model_type: String,
    /// The model's labels, in output order.
    pub outputs: Vec<String>,
    /// Tokens that the model reads at once.
    pub max_tokens: usize,
    /// True if labels are mutually exclusive.
    is_exclusive: bool,
}

#[derive(Deserialize)]
struct ConfigFile {
    model_type: String,
    #[serde(default)]
    id2label: BTreeMap<usize, String>,
    problem_type: Option<String>,
    max_position_embeddings: Option<usize>,
    pad_token_id: Option<usize>,
}

impl ModelConfig {
    /// Reads `config.json` in `folder`.
    pub fn read(folder: &Path) -> Result<Self, Error> {
        let file = folder.join("config.json");
        let json = std::fs::read_to_string(&file).map_err(|error| Error::in_file(&file, &error))?;
        let parsed: ConfigFile =
            serde_json::from_str(&json).map_err(|error| Error::in_file(&file, &error))?;
        let problem = parsed.problem_type.as_deref();
        let invalid = if !parsed.id2label.keys().copied().eq(0..parsed.id2label.len()) {
            Some("id2label: expected labels numbered from 0")
        } else if parsed.id2label.is_empty() {
            Some("id2label: expected at least one label")
        } else if problem == Some("regression") {
            Some("problem_type: expected a classification model, got \"regression\"")
        } else {
            None
        };
        if let Some(why) = invalid {
            return Err(Error::in_file(&file, why));
        }
        let is_exclusive = problem != Some("multi_label_classification") && parsed.id2label.len() > 1;
        let max_tokens = parsed.max_tokens().clamp(8, MAX_TOKENS);
        let (model_type, outputs) = (parsed.model_type, parsed.id2label.into_values().collect());
        Ok(Self { file, json, model_type, outputs, max_tokens, is_exclusive })
    }

    /// Parses the fields that a network needs.
    pub fn fields<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(&self.json).map_err(|error| Error::in_file(&self.file, &error))
    }

    /// Rejects labels that the model does not have.
    pub fn check(&self, labels: &Labels) -> Result<(), Error> {
        match labels.iter().find(|(label, _)| self.output_index(label).is_none()) {
            Some((label, _)) => Err(Error::Label {
                file: self.file.clone(),
                label: label.to_owned(),
                known: self.outputs.clone(),
            }),
            None => Ok(()),
        }
    }

    fn output_index(&self, label: &str) -> Option<usize> {
        self.outputs.iter().position(|output| output == label)
    }

    /// Converts `logits`, one per output, to probabilities: softmax for exclusive labels, otherwise a sigmoid each.
    ///
    /// Returns `None` if their number is wrong or one of them is not finite.
    pub fn probabilities(&self, logits: &[f32], labels: &Labels) -> Option<LabelProbabilities> {
        let is_valid = logits.len() == self.outputs.len() && logits.iter().all(|logit| logit.is_finite());
        let max = logits.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = logits.iter().map(|logit| (logit - max).exp()).sum();
        let probability = |label: &str| {
            let logit = logits.get(self.output_index(label)?)?;
            Some(if self.is_exclusive { (logit - max).exp() / total } else { 1.0 / (1.0 + (-logit).exp()) })
        };
        let combine =
            if self.is_exclusive { |one: f32, other: f32| (one + other).min(1.0) } else { f32::max };
        is_valid.then(|| labels.probabilities(probability, combine)).flatten()
    }
}

impl ConfigFile {
    /// Returns the tokens the model reads at once. RoBERTa's positions start after that of the padding token.
    fn max_tokens(&self) -> usize {
        let positions = self.max_position_embeddings.unwrap_or(MAX_TOKENS);
        let is_roberta = matches!(self.model_type.as_str(), "roberta" | "xlm-roberta");
        if is_roberta { positions.saturating_sub(self.pad_token_id.unwrap_or(1) + 1) } else { positions }
    }
}
