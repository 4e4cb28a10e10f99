//! What cuts texts into a model's pieces: `tokenizer.json`.

use std::path::{Path, PathBuf};

use tokenizers::TruncationParams;

use crate::Error;

/// Bytes that a piece stands for at most on average: a longer text is not cut to see whether it fits.
const MAX_CHARS_PER_TOKEN: usize = 16;

/// A text in pieces.
pub(crate) struct TokenIds {
    /// Their places in the vocabulary.
    pub ids: Vec<u32>,
    /// Which of two texts each belongs to.
    pub types: Vec<u32>,
}

/// What cuts texts.
pub(crate) struct Tokenizer {
    whole: tokenizers::Tokenizer,
    truncating: tokenizers::Tokenizer,
    most: usize,
    /// The file.
    pub file: PathBuf,
}

impl Tokenizer {
    /// The `tokenizer.json` in `folder`, for a model that reads `most` pieces.
    pub fn read(folder: &Path, most: usize) -> Result<Self, Error> {
        let file = folder.join("tokenizer.json");
        let about = |why: tokenizers::Error| Error::in_file(&file, &why);
        let mut whole = tokenizers::Tokenizer::from_file(&file).map_err(about)?;
        whole.with_padding(None);
        whole.with_truncation(None).map_err(about)?;
        let mut truncating = whole.clone();
        let parameters = TruncationParams { max_length: most, ..TruncationParams::default() };
        truncating.with_truncation(Some(parameters)).map_err(about)?;
        Ok(Self { whole, truncating, most, file })
    }

    /// The first pieces of `text`, as many as the model reads.
    pub fn encode(&self, text: &str) -> Result<TokenIds, tokenizers::Error> {
        let encoding = self.truncating.encode_fast(text, true)?;
        Ok(TokenIds { ids: encoding.get_ids().to_vec(), types: encoding.get_type_ids().to_vec() })
    }

    /// Whether the model reads all of `text`.
    pub fn fits(&self, text: &str) -> bool {
        text.len() <= MAX_CHARS_PER_TOKEN * self.most
            && self.whole.encode_fast(text, true).is_ok_and(|encoding| encoding.len() <= self.most)
    }

    /// One more than the greatest place in the vocabulary.
    pub fn vocabulary(&self) -> usize {
        self.whole.get_vocab(true).into_values().max().map_or(0, |greatest| greatest as usize + 1)
    }
}
