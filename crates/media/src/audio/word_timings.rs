//! Words of the pieces in which whisper writes: a piece that begins with a blank begins a word, and a letter of more than
//! one byte may stand in two pieces.

use crate::{Moment, Word};

/// WordTimings, as they come.
#[derive(Debug, Default)]
pub struct WordTimings {
    words: Vec<(Vec<u8>, Moment)>,
    ended: bool,
}

impl WordTimings {
    /// What comes next begins a word.
    pub const fn end_word(&mut self) {
        self.ended = true;
    }

    /// The next piece.
    pub fn push(&mut self, piece: &[u8], place: Moment) {
        let begins = std::mem::take(&mut self.ended) || piece.starts_with(b" ");
        match self.words.last_mut() {
            Some((word, whole)) if !begins => {
                word.extend(piece);
                whole.end = place.end;
            }
            _ => self.words.push((piece.to_vec(), place)),
        }
    }

    /// The words, in the order of time: whisper may place one a little before the last.
    pub fn words(self) -> Vec<Word<Moment>> {
        let mut from = 0.0;
        let mut words = Vec::new();
        for (bytes, place) in self.words {
            let text = String::from_utf8_lossy(&bytes).trim().to_owned();
            let start = place.start.max(from);
            from = start;
            let place = Moment { start, end: place.end.max(start) };
            words.extend((!text.is_empty()).then_some(Word { text, place }));
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(segments: &[&[(&[u8], f32, f32)]]) -> Vec<(String, f32, f32)> {
        let mut pieces = WordTimings::default();
        for segment in segments {
            pieces.end_word();
            for (piece, start, end) in *segment {
                pieces.push(piece, Moment { start: *start, end: *end });
            }
        }
        pieces.words().into_iter().map(|word| (word.text, word.place.start, word.place.end)).collect()
    }

    #[test]
    fn pieces_are_joined_up_to_the_next_blank() {
        let said: [(&[u8], f32, f32); 3] =
            [(b" instruc", 0.0, 0.4), (b"tions", 0.4, 0.6), (b" now", 0.6, 1.0)];
        let expected = [("instructions".to_owned(), 0.0, 0.6), ("now".to_owned(), 0.6, 1.0)];
        assert_eq!(words(&[&said]), expected);
    }

    #[test]
    fn a_letter_in_two_pieces_is_one() {
        let (first, second) = "ü".as_bytes().split_at(1);
        let said = [(&b" f"[..], 0.0, 0.1), (first, 0.1, 0.2), (second, 0.2, 0.3), (b"r", 0.3, 0.4)];
        assert_eq!(words(&[&said]), [("für".to_owned(), 0.0, 0.4)]);
    }

    #[test]
    fn segments_begin_words_and_times_never_run_back() {
        let said =
            words(&[&[(" 一".as_bytes(), 1.0, 2.0)], &[("二".as_bytes(), 0.5, 0.8)], &[(b" ", 3.0, 3.0)]]);
        assert_eq!(said, [("一".to_owned(), 1.0, 2.0), ("二".to_owned(), 1.0, 1.0)]);
    }
}
