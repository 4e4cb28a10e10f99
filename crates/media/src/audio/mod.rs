//! Audio: decoding within limits, segmentation at pauses, speech recognition, muting.

mod decode;
mod engine;
#[cfg(feature = "whisper")]
mod ggml_check;
mod opus;
mod resample;
mod segment;
mod wav;
mod whisper;
#[cfg(feature = "whisper")]
mod whisper_cpp;
mod word_timings;

pub use engine::Engine;
pub use whisper::Whisper;

use crate::TimeSpan;

/// Sample rate after decoding, in Hz.
pub const RATE: u32 = 16_000;

/// Reason why audio cannot be decoded, for the sender.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// Decodes a file of at most `max_seconds` to mono samples of 16 kHz.
pub fn decode(file: &[u8], max_seconds: u32) -> Result<Vec<i16>, Unreadable> {
    decode::mono(file, max_seconds)
}

/// Returns the length of the samples in seconds.
pub fn duration(samples: &[i16]) -> f32 {
    samples.len() as f32 / RATE as f32
}

/// Silences `spans` of the samples.
pub fn mute(samples: &mut [i16], spans: &[TimeSpan]) {
    let at = |seconds: f32| ((seconds.max(0.0) * RATE as f32) as usize).min(samples.len());
    let ranges: Vec<_> = spans.iter().map(|span| at(span.start)..at(span.end)).collect();
    for range in ranges.into_iter().filter(|range| range.start < range.end) {
        samples[range].fill(0);
    }
}

pub use wav::file;

#[cfg(test)]
mod tests;
