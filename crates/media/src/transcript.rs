//! The words that speech recognition heard in a recording.

use serde::{Deserialize, Serialize};

use crate::{LocatedText, TimeSpan, Word};

/// What is heard in a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// The words, cut into utterances at pauses.
    pub utterances: Vec<Vec<Word<TimeSpan>>>,
    /// Phrases of attacks that a second search heard where the first heard other words.
    pub phrases: Vec<Word<TimeSpan>>,
    /// Seconds.
    pub duration: f32,
    /// The language (ISO 639-1) that most of it is in; none where nothing was heard.
    pub language: Option<String>,
}

impl Transcript {
    /// Its words as one text, with each of its phrases on a line of its own behind them.
    pub fn passage(&self) -> LocatedText<TimeSpan> {
        let words: Vec<_> = self.utterances.concat();
        let phrases = self.phrases.iter().map(std::slice::from_ref);
        LocatedText::of_lines([words.as_slice()].into_iter().chain(phrases)).with_readings()
    }
}
