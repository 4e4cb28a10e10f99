//! Utterances between pauses.
//!
//! The recogniser hears better when it is given one utterance at a time, and silence costs nothing. A frame is speech
//! when it is louder than the quietest tenth of the recording by a factor, and not next to nothing.

use std::ops::Range;

use super::RATE;

const FRAME: usize = RATE as usize / 50;
/// Louder than the ground by this, in root mean squares.
const ABOVE_GROUND: f32 = 3.0;
/// Softer than this nothing is said: 50 dB below full scale.
const LEAST: f32 = 100.0;
/// Frames of a pause that ends an utterance.
const PAUSE: usize = 20;
/// Frames that are kept around speech: soft beginnings and ends belong to it.
const MARGIN: usize = 10;
/// Frames of an utterance that is cut even without a pause.
const LONGEST: usize = 50 * 20;

/// The utterances of a recording, as ranges of its samples.
pub fn utterances(samples: &[i16]) -> Vec<Range<usize>> {
    let loudness: Vec<f32> = samples.chunks(FRAME).map(loudness).collect();
    let least = (ground(&loudness) * ABOVE_GROUND).clamp(LEAST, LEAST * 10.0);
    let mut found: Vec<Range<usize>> = Vec::new();
    for (frame, _) in loudness.iter().enumerate().filter(|(_, loudness)| **loudness >= least) {
        match found.last_mut() {
            Some(last) if frame < last.end + PAUSE && frame - last.start < LONGEST => last.end = frame + 1,
            _ => found.push(frame..frame + 1),
        }
    }
    let widened = |frames: Range<usize>| {
        frames.start.saturating_sub(MARGIN) * FRAME..((frames.end + MARGIN) * FRAME).min(samples.len())
    };
    found.into_iter().map(widened).collect()
}

/// Utterances, joined with the pauses between them as long as no more than `longest` samples come together.
#[cfg(feature = "whisper")]
pub fn stretches(samples: &[i16], longest: usize) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for utterance in utterances(samples) {
        match found.last_mut() {
            Some(last) if utterance.end - last.start <= longest => last.end = utterance.end,
            _ => found.push(utterance),
        }
    }
    found
}

fn loudness(frame: &[i16]) -> f32 {
    let squares: f32 = frame.iter().map(|sample| f32::from(*sample).powi(2)).sum();
    (squares / frame.len().max(1) as f32).sqrt()
}

fn ground(loudness: &[f32]) -> f32 {
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
    fn pauses_part_utterances_and_short_ones_do_not() {
        let said =
            [tone(1.0, 8000.0), tone(0.2, 10.0), tone(1.0, 8000.0), tone(1.0, 10.0), tone(2.0, 8000.0)];
        let found = utterances(&said.concat());
        assert_eq!(found.len(), 2);
        assert!(found[0].end as f32 / RATE as f32 >= 2.2 && found[1].start as f32 / RATE as f32 <= 3.2);
    }

    #[cfg(feature = "whisper")]
    #[test]
    fn what_fits_is_joined_and_long_pauses_are_left_out() {
        let second = RATE as usize;
        let said = [tone(4.0, 8000.0), tone(1.0, 0.0), tone(4.0, 8000.0), tone(60.0, 0.0), tone(4.0, 8000.0)];
        let found = stretches(&said.concat(), second * 20);
        let seconds: Vec<_> =
            found.iter().map(|one| (one.start / second, one.end.div_ceil(second))).collect();
        assert_eq!(seconds, [(0, 10), (68, 73)]);
        assert!(stretches(&tone(90.0, 8000.0), second * 28).iter().all(|one| one.len() <= second * 28));
    }

    #[test]
    fn endless_speech_is_cut() {
        let found = utterances(&tone(90.0, 8000.0));
        assert!(found.iter().all(|one| one.len() <= (LONGEST + 2 * MARGIN + 1) * FRAME), "{found:?}");
    }
}
