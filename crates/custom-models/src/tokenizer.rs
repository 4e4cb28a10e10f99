//! Tokenizer of a local model: `tokenizer.json`.

use std::path::{Path, PathBuf};

use tokenizers::TruncationParams;

use crate::Error;

/// Average bytes per token above which a text is taken to be too long without tokenizing it.
const MAX_BYTES_PER_TOKEN: usize = 16;

/// A tokenized text.
pub(crate) struct TokenIds {
    /// Indices in the vocabulary.
    pub ids: Vec<u32>,
    /// Segment of each token, 0 or 1.
    pub type_ids: Vec<u32>,
}

/// Tokenizer with the token limit of its model.
pub(crate) struct Tokenizer {
    unlimited: tokenizers::Tokenizer,
    truncating: tokenizers::Tokenizer,
    max_tokens: usize,
    /// Path of `tokenizer.json`.
    pub file: PathBuf,
}

impl Tokenizer {
    /// Reads `tokenizer.json` in `folder` for a model that reads `max_tokens` tokens.
    pub fn read(folder: &Path, max_tokens: usize) -> Result<Self, Error> {
        let file = folder.join("tokenizer.json");
        let in_file = |why: tokenizers::Error| Error::in_file(&file, &why);
        let mut unlimited = tokenizers::Tokenizer::from_file(&file).map_err(in_file)?;
        unlimited.with_padding(None);
        unlimited.with_truncation(None).map_err(in_file)?;
        let mut truncating = unlimited.clone();
        let parameters = TruncationParams { max_length: max_tokens, ..TruncationParams::default() };
        truncating.with_truncation(Some(parameters)).map_err(in_file)?;
        Ok(Self { unlimited, truncating, max_tokens, file })
    }

    /// Tokenizes `text` and truncates it to the model's limit.
    pub fn encode(&self, text: &str) -> Result<TokenIds, tokenizers::Error> {
        let encoding = self.truncating.encode_fast(text, true)?;
        Ok(TokenIds { ids: encoding.get_ids().to_vec(), type_ids: encoding.get_type_ids().to_vec() })
    }

    /// Returns whether the model reads `text` without truncating it.
    pub fn fits(&self, text: &str) -> bool {
        text.len() <= MAX_BYTES_PER_TOKEN * self.max_tokens
            && self.unlimited.encode_fast(text, true).is_ok_and(|encoding| encoding.len() <= self.max_tokens)
    }

    /// Returns the highest index in the vocabulary plus one.
    pub fn vocabulary_size(&self) -> usize {
        self.unlimited.get_vocab(true).into_values().max().map_or(0, |highest| highest as usize + 1)
    }
}
