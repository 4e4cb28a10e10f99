//! Result of speech recognition.

use serde::{Deserialize, Serialize};

use crate::{LocatedText, TimeSpan, Word};

/// Transcript of audio.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Transcript {
    /// Words by utterance. Utterances end at pauses.
    pub utterances: Vec<Vec<Word<TimeSpan>>>,
    /// Attack phrases that keyword spotting found where transcription found other words.
    pub phrases: Vec<Word<TimeSpan>>,
    /// Length in seconds.
    pub duration: f32,
    /// Main language (ISO 639-1). `None` without speech.
    pub language: Option<String>,
}

impl Transcript {
    /// Returns the words as one text, followed by one line for each phrase.
    pub fn located_text(&self) -> LocatedText<TimeSpan> {
        let words: Vec<_> = self.utterances.concat();
        let phrases = self.phrases.iter().map(std::slice::from_ref);
        LocatedText::of_lines([words.as_slice()].into_iter().chain(phrases)).with_readings()
    }
}
