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

/// Returns the utterances as ranges of samples.
pub fn utterances(samples: &[i16]) -> Vec<Range<usize>> {
    let loudness: Vec<f32> = samples.chunks(FRAME).map(loudness).collect();
    let threshold = (noise_level(&loudness) * NOISE_FACTOR).clamp(MIN_LOUDNESS, MIN_LOUDNESS * 10.0);
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
            ..((frames.end + MARGIN_FRAMES) * FRAME).min(samples.len())
    };
    found.into_iter().map(with_margin).collect()
}

/// Returns consecutive utterances joined, with the pauses between them, to ranges of at most `max_samples`.
pub fn joined_utterances(samples: &[i16], max_samples: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for utterance in utterances(samples) {
        match found.last_mut() {
            Some(last) if utterance.end - last.start <= max_samples => last.end = utterance.end,
            _ => found.push(utterance),
        }
    }
    found
}

/// Returns the start of the quietest frame that lies within a range of samples.
pub fn quietest(samples: &[i16], within: Range<usize>) -> usize {
    let frames = samples[within.clone()].chunks_exact(FRAME).map(loudness).enumerate();
    let quietest = frames.min_by(|(_, one), (_, other)| one.total_cmp(other));
    within.start + quietest.map_or(0, |(frame, _)| frame * FRAME + FRAME / 2)
}

fn loudness(frame: &[i16]) -> f32 {
    let squares: f32 = frame.iter().map(|sample| f32::from(*sample).powi(2)).sum();
    (squares / frame.len().max(1) as f32).sqrt()
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

    #[test]
    fn silence_has_no_utterances() {
        assert!(utterances(&tone(60.0, 0.0)).is_empty());
        assert!(utterances(&[]).is_empty());
    }

    #[test]
    fn splits_at_pauses_but_not_at_short_gaps() {
        let audio =
            [tone(1.0, 8000.0), tone(0.2, 10.0), tone(1.0, 8000.0), tone(1.0, 10.0), tone(2.0, 8000.0)];
        let found = utterances(&audio.concat());
        assert_eq!(found.len(), 2);
        assert!(found[0].end as f32 / RATE as f32 >= 2.2 && found[1].start as f32 / RATE as f32 <= 3.2);
    }

    #[test]
    fn joins_utterances_up_to_the_limit_and_skips_long_pauses() {
        let second = RATE as usize;
        let audio =
            [tone(4.0, 8000.0), tone(1.0, 0.0), tone(4.0, 8000.0), tone(60.0, 0.0), tone(4.0, 8000.0)];
        let found = joined_utterances(&audio.concat(), second * 20);
        let seconds: Vec<_> =
            found.iter().map(|one| (one.start / second, one.end.div_ceil(second))).collect();
        assert_eq!(seconds, [(0, 10), (68, 73)]);
        assert!(
            joined_utterances(&tone(90.0, 8000.0), second * 28).iter().all(|one| one.len() <= second * 28)
        );
    }

    #[test]
    fn finds_the_quietest_place_within_a_range() {
        let audio = [tone(1.0, 10.0), tone(1.0, 8000.0), tone(0.1, 100.0), tone(1.0, 8000.0)].concat();
        let place = quietest(&audio, RATE as usize * 11 / 10..audio.len()) as f32 / RATE as f32;
        assert!((2.0..2.1).contains(&place), "{place}");
    }

    #[test]
    fn splits_speech_without_pauses() {
        let found = utterances(&tone(90.0, 8000.0));
        assert!(
            found.iter().all(|one| one.len() <= (MAX_FRAMES + 2 * MARGIN_FRAMES + 1) * FRAME),
            "{found:?}"
        );
    }
}
