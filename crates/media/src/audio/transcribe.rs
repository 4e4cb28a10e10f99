//! Utterances to words.

use super::{RATE, duration, segment};
use crate::{
    TimeSpan, Transcript, Word,
    native::pocketsphinx::{FRAMES, PocketSphinx, Search, Uttered},
};

/// The language of the model that there is.
const LANGUAGE: &str = "en";

/// The words of samples of 16 kHz, and the phrases that a second search heard where the first heard other words.
pub fn transcribe(engine: &mut PocketSphinx, samples: &[i16]) -> Transcript {
    let language = Some(LANGUAGE.to_owned());
    let mut heard = Transcript { duration: duration(samples), language, ..Transcript::default() };
    for range in segment::utterances(samples) {
        let start = range.start as f32 / RATE as f32;
        let words: Vec<_> = engine
            .found(&samples[range.clone()], Search::Words)
            .iter()
            .filter_map(|word| spoken(word, start))
            .collect();
        let text = text(&words);
        let phrases = engine.found(&samples[range], Search::Phrases).into_iter();
        let missed = phrases.filter(|phrase| !text.contains(&format!(" {} ", phrase.text)));
        heard.phrases.extend(missed.filter_map(|phrase| spoken(&phrase, start)));
        heard.utterances.extend((!words.is_empty()).then_some(words));
    }
    heard
}

/// The words between blanks.
fn text(words: &[Word<TimeSpan>]) -> String {
    words.iter().fold(" ".to_owned(), |text, word| text + &word.text + " ")
}

/// A word without the dictionary's marks: `(2)` for a second way to say it; `<sil>`, `[NOISE]` for what is no word.
fn spoken(word: &Uttered, start: f32) -> Option<Word<TimeSpan>> {
    let text = word.text.split('(').next().unwrap_or_default();
    let is_word = !text.is_empty() && !text.starts_with(['<', '[', '+']);
    let at = |frame: i32| start + frame as f32 / FRAMES;
    let place = TimeSpan { start: at(word.frames.0), end: at(word.frames.1 + 1) };
    is_word.then(|| Word { text: text.to_owned(), place })
}
