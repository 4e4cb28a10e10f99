//! Times of the words in audio.

use std::ops::Range;

use super::{LocatedText, TimeSpan, Word};

impl LocatedText<TimeSpan> {
    /// Returns the time span of the words that overlap `range`, extended by `margin` seconds on both sides, because
    /// speech recognition reports word boundaries only approximately.
    pub fn time_span(&self, range: Range<usize>, margin: f32) -> Option<TimeSpan> {
        let words = &self.words[self.overlapping_words(&range)];
        let (first, last) = (words.first()?, words.last()?);
        Some(TimeSpan { start: (first.1.start - margin).max(0.0), end: last.1.end + margin })
    }

    /// Combines a transcript with recognized words and their times. The words lack punctuation and may be spelled
    /// differently, so the two are aligned by the number of letters.
    #[must_use]
    pub fn aligned(text: &str, recognized: &[Word<TimeSpan>]) -> Self {
        let total = letters(text);
        let recognized_total = recognized.iter().map(|word| letters(&word.text)).sum::<usize>();
        let mut located = Self { text: text.to_owned(), words: Vec::new(), readings: Vec::new() };
        let (mut first_letter, mut at) = (0, 0);
        for token in text.split_whitespace() {
            let start = at + text[at..].find(token).unwrap_or_default();
            at = start + token.len();
            let last_letter = first_letter + letters(token);
            if recognized_total > 0 {
                let scaled = |letter: usize| letter * recognized_total / total.max(1);
                let letters = scaled(first_letter)..scaled(last_letter);
                located.words.push((start..at, span_of_letters(recognized, letters)));
            }
            first_letter = last_letter;
        }
        located.with_readings()
    }
}

/// Counts letters and digits.
fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphanumeric()).count()
}

/// Returns the time from the start of the word with the first of these letters to the end of the word with the last.
fn span_of_letters(words: &[Word<TimeSpan>], letters_range: Range<usize>) -> TimeSpan {
    let mut from = 0;
    let mut span: Option<TimeSpan> = None;
    for word in words {
        let to = from + letters(&word.text).max(1);
        if from < letters_range.end.max(letters_range.start + 1) && to > letters_range.start {
            let start = span.map_or(word.position.start, |span| span.start);
            span = Some(TimeSpan { start, end: word.position.end });
        }
        from = to;
    }
    span.or_else(|| words.last().map(|word| word.position)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, start: f32) -> Word<TimeSpan> {
        Word { text: text.to_owned(), position: TimeSpan { start, end: start + 1.0 } }
    }

    #[test]
    fn aligns_texts_that_differ_in_punctuation_and_spelling() {
        let recognized =
            [word("write", 0.0), word("to", 1.0), word("jane", 2.0), word("doe", 3.0), word("now", 4.0)];
        let located = LocatedText::aligned("Write to: jane.doe, now!", &recognized);
        let words: Vec<_> = located.words().map(|(word, span)| (word, span.start, span.end)).collect();
        let expected = [("Write", 0.0, 1.0), ("to:", 1.0, 2.0), ("jane.doe,", 2.0, 4.0), ("now!", 4.0, 5.0)];
        assert_eq!(words, expected);
        assert_eq!(located.time_span(10..18, 0.1), Some(TimeSpan { start: 1.9, end: 4.1 }));
    }

    #[test]
    fn a_text_without_times_has_no_time_span() {
        assert_eq!(LocatedText::aligned("hello there", &[]).time_span(0..5, 0.1), None);
    }
}
