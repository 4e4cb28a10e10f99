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

pub use phrases::Phrases;
pub use recognise::recognised;
pub use recogniser::Recogniser;

use crate::Moment;

/// Samples of a second, in all that follows decoding.
pub const RATE: u32 = 16_000;

/// Why a recording was not heard, for whoever sent it.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

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
