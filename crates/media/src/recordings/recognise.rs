//! Utterances to words.

use super::{Heard, RATE, cut, duration};
use crate::{
    Moment, Word,
    foreign::pocketsphinx::{FRAMES, PocketSphinx, Uttered},
};

/// The words of samples of 16 kHz.
pub fn recognised(engine: &mut PocketSphinx, samples: &[i16]) -> Heard {
    let utterances = cut::utterances(samples).into_iter().map(|range| {
        let start = range.start as f32 / RATE as f32;
        let words = engine.words(&samples[range]);
        words.iter().filter_map(|word| spoken(word, start)).collect::<Vec<_>>()
    });
    Heard { utterances: utterances.filter(|words| !words.is_empty()).collect(), duration: duration(samples) }
}

/// A word without the dictionary's marks: `(2)` for a second way to say it; `<sil>`, `[NOISE]` for what is no word.
fn spoken(word: &Uttered, start: f32) -> Option<Word<Moment>> {
    let text = word.text.split('(').next().unwrap_or_default();
    let is_word = !text.is_empty() && !text.starts_with(['<', '[', '+']);
    let at = |frame: i32| start + frame as f32 / FRAMES;
    let place = Moment { start: at(word.frames.0), end: at(word.frames.1 + 1) };
    is_word.then(|| Word { text: text.to_owned(), place })
}
