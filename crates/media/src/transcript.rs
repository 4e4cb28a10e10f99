//! Result of speech recognition.

use serde::{Deserialize, Serialize};

use crate::{LocatedText, TimeSpan, Word};

/// Transcript of audio.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// Words by utterance. Utterances end at pauses.
    pub utterances: Vec<Vec<Word<TimeSpan>>>,
    /// Length in seconds.
    pub duration: f32,
    /// Main language (ISO 639-1). `None` without speech.
    pub language: Option<String>,
}

impl Transcript {
    /// Returns the words as one text.
    pub fn located_text(&self) -> LocatedText<TimeSpan> {
        let words: Vec<_> = self.utterances.concat();
        LocatedText::of_lines([words.as_slice()]).with_readings()
    }
}
