//! Recordings: decoded within limits, cut at pauses, recognised, silenced.

mod cut;
mod decode;
#[cfg(feature = "whisper")]
mod ggml;
mod opus;
mod phrases;
#[cfg(feature = "whisper")]
mod pieces;
mod recognise;
mod recogniser;
mod resample;
mod wav;
#[cfg(feature = "whisper")]
mod whisper;

use serde::{Deserialize, Serialize};

pub use phrases::Phrases;
pub use recognise::recognised;
pub use recogniser::{Recogniser, WHISPER};

use crate::{Moment, Passage, Word};

/// Samples of a second, in all that follows decoding.
pub const RATE: u32 = 16_000;

/// What is heard in a recording.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    /// The words, cut into utterances at pauses.
    pub utterances: Vec<Vec<Word<Moment>>>,
    /// Phrases of attacks that a second search heard where the first heard other words.
    pub phrases: Vec<Word<Moment>>,
    /// Seconds.
    pub duration: f32,
    /// The language (ISO 639-1) that most of it is in; none where nothing was heard.
    pub language: Option<String>,
}

/// Why a recording was not heard, for whoever sent it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

impl Heard {
    /// Its words as one text, with each of its phrases on a line of its own behind them.
    pub fn passage(&self) -> Passage<Moment> {
        let words: Vec<_> = self.utterances.concat();
        let phrases = self.phrases.iter().map(std::slice::from_ref);
        Passage::of_lines([words.as_slice()].into_iter().chain(phrases)).with_readings()
    }
}

/// The samples of a file of at most so many seconds.
pub fn samples(file: &[u8], seconds: u32) -> Result<Vec<i16>, Unreadable> {
    decode::mono(file, seconds)
}

/// Seconds of so many samples.
pub fn duration(samples: &[i16]) -> f32 {
    samples.len() as f32 / RATE as f32
}

/// The samples with `moments` silenced.
pub fn silence(samples: &mut [i16], moments: &[Moment]) {
    let at = |seconds: f32| ((seconds.max(0.0) * RATE as f32) as usize).min(samples.len());
    let stretches: Vec<_> = moments.iter().map(|moment| at(moment.start)..at(moment.end)).collect();
    for stretch in stretches.into_iter().filter(|stretch| stretch.start < stretch.end) {
        samples[stretch].fill(0);
    }
}

/// The samples as a WAV file.
pub use wav::file;

#[cfg(test)]
mod tests;
