//! Audio: decoding within limits, segmentation at pauses, speech recognition, muting.

mod decode;
mod engine;
#[cfg(feature = "whisper")]
mod ggml_check;
mod opus;
mod resample;
mod segment;
mod stretches;
mod whisper;
#[cfg(feature = "whisper")]
mod whisper_cpp;
mod word_timings;

use std::{
    ops::{ControlFlow, Range},
    sync::Arc,
};

pub use engine::{Engine, NotTranscribed};
pub use whisper::Whisper;

use self::{segment::Loudness, stretches::Stretches};
use crate::TimeSpan;
pub use crate::wav::{RATE, file};

/// Audio is cut at the quietest moment within so many samples before the longest excerpt.
const CUT_WITHIN: usize = RATE as usize * 10;

/// Reason why audio cannot be decoded, for the sender.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);

/// Contents of an audio file, shared by the passes over it.
#[derive(Clone, Debug)]
pub struct AudioFile(Arc<Vec<u8>>);

impl AsRef<[u8]> for AudioFile {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

/// Decodes a file of at most `max_seconds` to mono samples of 16 kHz.
pub fn decode(file: &[u8], max_seconds: u32) -> Result<Vec<i16>, Unreadable> {
    let mut samples = Vec::new();
    decode::mono(AudioFile(Arc::new(file.to_vec())), max_seconds, |chunk| {
        samples.extend_from_slice(chunk);
        ControlFlow::Continue(())
    })?;
    Ok(samples)
}

/// Audio in a file. Its samples are decoded anew for each pass, so that they are never all in memory: an hour of them has
/// 115 MB.
#[derive(Debug)]
pub struct Audio {
    file: AudioFile,
    max_seconds: u32,
    loudness: Loudness,
}

impl Audio {
    /// Decodes a file of at most `max_seconds` once, to learn its length and loudness.
    pub fn open(file: Vec<u8>, max_seconds: u32) -> Result<Self, Unreadable> {
        let (file, mut loudness) = (AudioFile(Arc::new(file)), Loudness::default());
        decode::mono(file.clone(), max_seconds, |samples| {
            loudness.push(samples);
            ControlFlow::Continue(())
        })?;
        loudness.finish();
        Ok(Self { file, max_seconds, loudness })
    }

    /// Returns the number of samples.
    pub const fn samples(&self) -> usize {
        self.loudness.samples()
    }

    /// Returns the length in seconds.
    pub fn duration(&self) -> f32 {
        self.samples() as f32 / RATE as f32
    }

    /// Calls `take` with the stretches of speech, of at most `max_samples`, each with its place in the audio. Consecutive
    /// utterances are joined; long pauses are left out.
    pub(crate) fn for_each_stretch<E: From<Unreadable>>(
        &self,
        max_samples: usize,
        mut take: impl FnMut(Range<usize>, &[i16]) -> Result<(), E>,
    ) -> Result<(), E> {
        let ranges = segment::joined_utterances(&self.loudness, max_samples);
        let (mut stretches, mut outcome) = (Stretches::new(ranges), Ok(()));
        decode::mono(self.file.clone(), self.max_seconds, |samples| {
            outcome = stretches.push(samples, &mut take);
            if outcome.is_err() || stretches.is_done() {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        })?;
        outcome
    }

    /// Returns a WAV file with the audio from that sample on, of at most `max_samples`, with these time spans muted, and the
    /// sample at which it ends. A longer rest is cut at a quiet moment.
    pub fn excerpt(
        &self,
        from: usize,
        max_samples: usize,
        muted: &[TimeSpan],
    ) -> Result<(Vec<u8>, usize), Unreadable> {
        let from = from.min(self.samples());
        let longest = from.saturating_add(max_samples);
        let to = if longest >= self.samples() {
            self.samples()
        } else {
            self.loudness.quietest(longest.saturating_sub(CUT_WITHIN.min(max_samples / 2))..longest)
        };
        let (mut at, mut excerpt) = (0, Vec::with_capacity(to - from));
        decode::mono(self.file.clone(), self.max_seconds, |samples| {
            let place = |sample: usize| sample.clamp(at, at + samples.len()) - at;
            excerpt.extend_from_slice(&samples[place(from)..place(to)]);
            at += samples.len();
            if at < to { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        })?;
        mute(&mut excerpt, from, muted);
        Ok((file(&excerpt), to))
    }
}

/// Silences `spans` of the samples, which begin at sample `from`.
fn mute(samples: &mut [i16], from: usize, spans: &[TimeSpan]) {
    let at =
        |seconds: f32| ((seconds.max(0.0) * RATE as f32) as usize).saturating_sub(from).min(samples.len());
    let ranges: Vec<_> = spans.iter().map(|span| at(span.start)..at(span.end)).collect();
    for range in ranges.into_iter().filter(|range| range.start < range.end) {
        samples[range].fill(0);
    }
}

#[cfg(test)]
mod tests;
