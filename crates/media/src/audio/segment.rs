//! Segmentation of audio into utterances at pauses.
//!
//! Recognition is more accurate with one utterance at a time, and silence is skipped. A frame is speech if its loudness
//! exceeds an absolute minimum and a multiple of the background noise, the 10th percentile of all frames.

use std::ops::Range;

use super::RATE;

/// Samples per frame (20 ms).
const FRAME: usize = RATE as usize / 50;
/// Factor by which speech exceeds the background noise (root mean square).
const NOISE_FACTOR: f32 = 3.0;
/// Minimum loudness of speech: 50 dB below full scale.
const MIN_LOUDNESS: f32 = 100.0;
/// Frames of silence that end an utterance.
const PAUSE_FRAMES: usize = 20;
/// Frames kept before and after speech, because words start and end softly.
const MARGIN_FRAMES: usize = 10;
/// Frames after which an utterance is split even without a pause.
const MAX_FRAMES: usize = 50 * 20;

/// The loudness of audio, frame by frame.
#[derive(Clone, Debug, Default)]
pub struct Loudness {
    frames: Vec<f32>,
    /// Sum of the squares of the frame that is not complete.
    squares: f32,
    samples: usize,
}

impl Loudness {
    /// Continues with these samples.
    pub fn push(&mut self, samples: &[i16]) {
        for sample in samples {
            self.squares += f32::from(*sample).powi(2);
            self.samples += 1;
            if self.samples.is_multiple_of(FRAME) {
                self.end_frame(FRAME);
            }
        }
    }

    /// Ends with the last frame, which may be shorter.
    pub fn finish(&mut self) {
        let rest = self.samples % FRAME;
        if rest > 0 {
            self.end_frame(rest);
        }
    }

    fn end_frame(&mut self, length: usize) {
        self.frames.push((self.squares / length as f32).sqrt());
        self.squares = 0.0;
    }

    /// Returns the number of samples.
    pub const fn samples(&self) -> usize {
        self.samples
    }

    /// Returns the start of the quietest frame that begins in a range of samples; its end if none does.
    pub fn quietest(&self, range: Range<usize>) -> usize {
        let frames = range.start.div_ceil(FRAME)..(range.end / FRAME).min(self.frames.len());
        let quietest = frames.min_by(|one, other| self.frames[*one].total_cmp(&self.frames[*other]));
        quietest.map_or(range.end, |frame| frame * FRAME)
    }
}

/// Returns the utterances as ranges of samples.
fn utterances(loudness: &Loudness) -> Vec<Range<usize>> {
    let (loudness, samples) = (&loudness.frames, loudness.samples);
    let threshold = (noise_level(loudness) * NOISE_FACTOR).clamp(MIN_LOUDNESS, MIN_LOUDNESS * 10.0);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (frame, _) in loudness.iter().enumerate().filter(|(_, loudness)| **loudness >= threshold) {
        match found.last_mut() {
            Some(last) if frame < last.end + PAUSE_FRAMES && frame - last.start < MAX_FRAMES => {
                last.end = frame + 1;
            }
            _ => found.push(frame..frame + 1),
        }
    }
    let with_margin = |frames: Range<usize>| {
        frames.start.saturating_sub(MARGIN_FRAMES) * FRAME
            ..((frames.end + MARGIN_FRAMES) * FRAME).min(samples)
    };
    found.into_iter().map(with_margin).collect()
}

/// Returns consecutive utterances joined, with the pauses between them, to ranges of at most `max_samples`.
pub fn joined_utterances(loudness: &Loudness, max_samples: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for utterance in utterances(loudness) {
        match found.last_mut() {
            Some(last) if utterance.end - last.start <= max_samples => last.end = utterance.end,
            _ => found.push(utterance),
        }
    }
    found
}

fn noise_level(loudness: &[f32]) -> f32 {
    let mut sorted = loudness.to_vec();
    sorted.sort_by(f32::total_cmp);
    sorted.get(sorted.len() / 10).copied().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tone(seconds: f32, loud: f32) -> Vec<i16> {
        let length = (seconds * RATE as f32) as usize;
        (0..length).map(|at| ((at as f32 * 0.3).sin() * loud) as i16).collect()
    }

    fn loudness(samples: &[i16]) -> Loudness {
        let mut loudness = Loudness::default();
        // As chunks come from a decoder: of any length.
        samples.chunks(999).for_each(|chunk| loudness.push(chunk));
        loudness.finish();
        loudness
    }

    #[test]
    fn silence_has_no_utterances() {
        assert!(utterances(&loudness(&tone(60.0, 0.0))).is_empty());
        assert!(utterances(&loudness(&[])).is_empty());
    }

    #[test]
    fn the_quietest_frame_is_found_within_the_range() {
        let audio = [tone(1.0, 8000.0), tone(0.5, 10.0), tone(1.0, 8000.0), tone(1.0, 0.0)].concat();
        let (loudness, second) = (loudness(&audio), RATE as usize);
        let cut = loudness.quietest(second / 2..second * 2);
        assert!((second..second * 3 / 2).contains(&cut), "{cut}");
        assert_eq!(loudness.quietest(7..9), 9);
    }

    #[test]
    fn splits_at_pauses_but_not_at_short_gaps() {
        let audio =
            [tone(1.0, 8000.0), tone(0.2, 10.0), tone(1.0, 8000.0), tone(1.0, 10.0), tone(2.0, 8000.0)];
        let found = utterances(&loudness(&audio.concat()));
        assert_eq!(found.len(), 2);
        assert!(found[0].end as f32 / RATE as f32 >= 2.2 && found[1].start as f32 / RATE as f32 <= 3.2);
    }

    #[test]
    fn joins_utterances_up_to_the_limit_and_skips_long_pauses() {
        let second = RATE as usize;
        let audio =
            [tone(4.0, 8000.0), tone(1.0, 0.0), tone(4.0, 8000.0), tone(60.0, 0.0), tone(4.0, 8000.0)];
        let found = joined_utterances(&loudness(&audio.concat()), second * 20);
        let seconds: Vec<_> =
            found.iter().map(|one| (one.start / second, one.end.div_ceil(second))).collect();
        assert_eq!(seconds, [(0, 10), (68, 73)]);
        assert!(
            joined_utterances(&loudness(&tone(90.0, 8000.0)), second * 28)
                .iter()
                .all(|one| one.len() <= second * 28)
        );
    }

    #[test]
    fn splits_speech_without_pauses() {
        let found = utterances(&loudness(&tone(90.0, 8000.0)));
        assert!(
            found.iter().all(|one| one.len() <= (MAX_FRAMES + 2 * MARGIN_FRAMES + 1) * FRAME),
            "{found:?}"
        );
    }
}
