//! Joins Whisper's tokens to words with times. A token with a leading space starts a word, and a multi-byte character
//! can be split over two tokens.

use crate::{TimeSpan, Word};

/// Words with their times, built token by token.
#[derive(Debug, Default)]
pub struct WordTimings {
    words: Vec<(Vec<u8>, TimeSpan)>,
    starts_new_word: bool,
}

impl WordTimings {
    /// Makes the next token start a word.
    pub const fn end_word(&mut self) {
        self.starts_new_word = true;
    }

    /// Adds a token.
    pub fn push(&mut self, token: &[u8], span: TimeSpan) {
        let is_new_word = std::mem::take(&mut self.starts_new_word) || token.starts_with(b" ");
        match self.words.last_mut() {
            Some((word, word_span)) if !is_new_word => {
                word.extend(token);
                word_span.end = span.end;
            }
            _ => self.words.push((token.to_vec(), span)),
        }
    }

    /// Returns the words with increasing start times. Whisper sometimes places a word slightly before the previous one.
    pub fn words(self) -> Vec<Word<TimeSpan>> {
        let mut earliest = 0.0;
        let mut words = Vec::new();
        for (bytes, span) in self.words {
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            let start = span.start.max(earliest);
            earliest = start;
            let position = TimeSpan { start, end: span.end.max(start) };
            words.extend((!text.is_empty()).then_some(Word { text, position }));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(segments: &[&[(&[u8], f32, f32)]]) -> Vec<(String, f32, f32)> {
        let mut timings = WordTimings::default();
        for segment in segments {
            timings.end_word();
            for (token, start, end) in *segment {
                timings.push(token, TimeSpan { start: *start, end: *end });
            }
        }
        timings.words().into_iter().map(|word| (word.text, word.position.start, word.position.end)).collect()
    }

    #[test]
    fn joins_tokens_up_to_the_next_space() {
        let tokens: [(&[u8], f32, f32); 3] =
            [(b" instruc", 0.0, 0.4), (b"tions", 0.4, 0.6), (b" now", 0.6, 1.0)];
        let expected = [("instructions".to_owned(), 0.0, 0.6), ("now".to_owned(), 0.6, 1.0)];
        assert_eq!(words(&[&tokens]), expected);
    }

    #[test]
    fn joins_a_character_split_over_two_tokens() {
        let (first, second) = "ü".as_bytes().split_at(1);
        let tokens = [(&b" f"[..], 0.0, 0.1), (first, 0.1, 0.2), (second, 0.2, 0.3), (b"r", 0.3, 0.4)];
        assert_eq!(words(&[&tokens]), [("für".to_owned(), 0.0, 0.4)]);
    }

    #[test]
    fn segments_start_words_and_times_never_decrease() {
        let words =
            words(&[&[(" 一".as_bytes(), 1.0, 2.0)], &[("二".as_bytes(), 0.5, 0.8)], &[(b" ", 3.0, 3.0)]]);
        assert_eq!(words, [("一".to_owned(), 1.0, 2.0), ("二".to_owned(), 1.0, 1.0)]);
    }
}
