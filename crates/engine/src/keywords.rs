//! Lists of words, matched on the folded view.

use crate::{span::Span, text::Text};

/// A list of keywords.
#[derive(Debug, Default)]
pub struct Keywords(Vec<String>);

impl Keywords {
    /// Prepares a list.
    pub fn new(words: &[String]) -> Self {
        Self(words.to_vec())
    }

    /// The first keyword in `text` and where it stands in the original.
    pub fn find(&self, text: &Text<'_>) -> Option<(&str, Span)> {
        self.0.iter().find_map(|word| {
            let start = text.original().find(word.as_str())?;
            Some((word.as_str(), Span::new(start, start + word.len())))
        })
    }
}
