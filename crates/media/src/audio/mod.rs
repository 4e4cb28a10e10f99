//! Recordings: decoded within limits, cut at pauses, recognised, silenced.

mod decode;
mod engine;
#[cfg(feature = "whisper")]
mod ggml_check;
mod keyword_spotting;
mod opus;
mod resample;
mod segment;
mod transcribe;
mod wav;
#[cfg(feature = "whisper")]
mod whisper;
#[cfg(feature = "whisper")]
mod word_timings;

pub use engine::Engine;
pub use keyword_spotting::PhraseList;
pub use transcribe::transcribe;

use crate::TimeSpan;

/// Samples of a second, in all that follows decoding.
pub const RATE: u32 = 16_000;

/// Why a recording was not heard, for whoever sent it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// The samples of a file of at most so many seconds.
pub fn decode(file: &[u8], seconds: u32) -> Result<Vec<i16>, Unreadable> {
    decode::mono(file, seconds)
}

/// Seconds of so many samples.
pub fn duration(samples: &[i16]) -> f32 {
    samples.len() as f32 / RATE as f32
}

/// The samples with `moments` silenced.
pub fn mute(samples: &mut [i16], moments: &[TimeSpan]) {
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
