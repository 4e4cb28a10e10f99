//! Transcription with PocketSphinx.

use super::{RATE, duration, segment};
use crate::{
    TimeSpan, Transcript, Word,
    native::pocketsphinx::{FRAMES, PocketSphinx, Search, SpokenWord},
};

/// Language of the model.
const LANGUAGE: &str = "en";

/// Transcribes samples of 16 kHz. Adds the attack phrases that keyword spotting finds and the transcript misses.
pub fn transcribe(engine: &mut PocketSphinx, samples: &[i16]) -> Transcript {
    let language = Some(LANGUAGE.to_owned());
    let mut transcript = Transcript { duration: duration(samples), language, ..Transcript::default() };
    for range in segment::utterances(samples) {
        let start = range.start as f32 / RATE as f32;
        let words: Vec<_> = engine
            .search(&samples[range.clone()], Search::Words)
            .iter()
            .filter_map(|word| timed_word(word, start))
            .collect();
        let text = joined(&words);
        let phrases = engine.search(&samples[range], Search::Phrases).into_iter();
        let missed = phrases.filter(|phrase| !text.contains(&format!(" {} ", phrase.text)));
        transcript.phrases.extend(missed.filter_map(|phrase| timed_word(&phrase, start)));
        transcript.utterances.extend((!words.is_empty()).then_some(words));
    }
    transcript
}

/// Returns the words, each between spaces.
fn joined(words: &[Word<TimeSpan>]) -> String {
    words.iter().fold(" ".to_owned(), |text, word| text + &word.text + " ")
}

/// Converts a word. Removes the dictionary's suffix for alternative pronunciations, such as `(2)`, and returns `None`
/// for fillers such as `<sil>` and `[NOISE]`.
fn timed_word(word: &SpokenWord, start: f32) -> Option<Word<TimeSpan>> {
    let text = word.text.split('(').next().unwrap_or_default();
    let is_word = !text.is_empty() && !text.starts_with(['<', '[', '+']);
    let at = |frame: i32| start + frame as f32 / FRAMES;
    let position = TimeSpan { start: at(word.frames.0), end: at(word.frames.1 + 1) };
    is_word.then(|| Word { text: text.to_owned(), position })
}
