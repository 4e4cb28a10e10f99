//! `config.json`: what a folder says of its model.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use serde::{Deserialize, de::DeserializeOwned};

use crate::{Error, LabelProbabilities, Labels};

/// Pieces that are read at most, whatever a model could: attention costs their square.
pub(crate) const MAX_TOKENS: usize = 512;

/// What a folder says of its model.
pub(crate) struct ModelConfig {
    /// The file.
    pub file: PathBuf,
    /// Its text; networks read their sizes from it.
    json: String,
    /// Which network it is.
    pub model_type: String,
    /// The model's labels, in the order of its outputs.
    pub outputs: Vec<String>,
    /// Pieces that it reads at once.
    pub pieces: usize,
    /// Whether labels exclude each other.
    is_exclusive: bool,
}

#[derive(Deserialize)]
struct Written {
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
        let json = std::fs::read_to_string(&file).map_err(|fault| Error::in_file(&file, &fault))?;
        let written: Written = serde_json::from_str(&json).map_err(|fault| Error::in_file(&file, &fault))?;
        let problem = written.problem_type.as_deref();
        let wrong = if !written.id2label.keys().copied().eq(0..written.id2label.len()) {
            Some("id2label must number the labels from 0")
        } else if written.id2label.is_empty() {
            Some("id2label must name the labels")
        } else if problem == Some("regression") {
            Some("problem_type is regression: this is no classifier")
        } else {
            None
        };
        if let Some(wrong) = wrong {
            return Err(Error::in_file(&file, wrong));
        }
        let is_exclusive = problem != Some("multi_label_classification") && written.id2label.len() > 1;
        let pieces = written.pieces().clamp(8, MAX_TOKENS);
        let (model_type, outputs) = (written.model_type, written.id2label.into_values().collect());
        Ok(Self { file, json, model_type, outputs, pieces, is_exclusive })
    }

    /// The fields that a network needs.
    pub fn fields<T: DeserializeOwned>(&self) -> Result<T, Error> {
        serde_json::from_str(&self.json).map_err(|fault| Error::in_file(&self.file, &fault))
    }

    /// Refuses labels that the model does not have.
    pub fn check(&self, labels: &Labels) -> Result<(), Error> {
        match labels.iter().find(|(label, _)| self.place(label).is_none()) {
            Some((label, _)) => Err(Error::Label {
                file: self.file.clone(),
                label: label.to_owned(),
                known: self.outputs.clone(),
            }),
            None => Ok(()),
        }
    }

    fn place(&self, label: &str) -> Option<usize> {
        self.outputs.iter().position(|output| output == label)
    }

    /// What the model says by `logits`, one for each of its outputs.
    pub fn probabilities(&self, logits: &[f32], labels: &Labels) -> Option<LabelProbabilities> {
        let is_sound = logits.len() == self.outputs.len() && logits.iter().all(|logit| logit.is_finite());
        let greatest = logits.iter().copied().fold(f32::MIN, f32::max);
        let total: f32 = logits.iter().map(|logit| (logit - greatest).exp()).sum();
        let probability = |label: &str| {
            let logit = logits.get(self.place(label)?)?;
            Some(if self.is_exclusive {
                (logit - greatest).exp() / total
            } else {
                1.0 / (1.0 + (-logit).exp())
            })
        };
        let joined = if self.is_exclusive { |one: f32, other: f32| (one + other).min(1.0) } else { f32::max };
        is_sound.then(|| labels.probabilities(probability, joined)).flatten()
    }
}

impl Written {
    /// RoBERTa counts its positions from behind the padding's.
    fn pieces(&self) -> usize {
        let positions = self.max_position_embeddings.unwrap_or(MAX_TOKENS);
        let is_roberta = matches!(self.model_type.as_str(), "roberta" | "xlm-roberta");
        if is_roberta { positions.saturating_sub(self.pad_token_id.unwrap_or(1) + 1) } else { positions }
    }
}
