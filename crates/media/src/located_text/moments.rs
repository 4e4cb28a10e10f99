//! When the words of a text are said.

use std::ops::Range;

use super::{LocatedText, TimeSpan, Word};

impl LocatedText<TimeSpan> {
    /// The moments of the words that `range` touches, joined to one, with so many seconds around it: recognisers place
    /// the edges of words roughly.
    pub fn moments(&self, range: Range<usize>, margin: f32) -> Option<TimeSpan> {
        let said = &self.words[self.touched(&range)];
        let (first, last) = (said.first()?, said.last()?);
        Some(TimeSpan { start: (first.1.start - margin).max(0.0), end: last.1.end + margin })
    }

    /// A text as it was written down, and the words that it was heard as, which lack punctuation and may be written
    /// otherwise: letters are counted off against each other.
    #[must_use]
    pub fn timed(text: &str, heard: &[Word<TimeSpan>]) -> Self {
        let (all, known) = (letters(text), heard.iter().map(|word| letters(&word.text)).sum::<usize>());
        let mut passage = Self { text: text.to_owned(), words: Vec::new(), readings: Vec::new() };
        let (mut from, mut at) = (0, 0);
        for token in text.split_whitespace() {
            let start = at + text[at..].find(token).unwrap_or_default();
            at = start + token.len();
            let to = from + letters(token);
            if known > 0 {
                let letter = |count: usize| count * known / all.max(1);
                passage.words.push((start..at, moment(heard, letter(from)..letter(to))));
            }
            from = to;
        }
        passage.with_readings()
    }
}

fn letters(text: &str) -> usize {
    text.chars().filter(|letter| letter.is_alphanumeric()).count()
}

/// From the word with the first of these letters to that with the last.
fn moment(heard: &[Word<TimeSpan>], range: Range<usize>) -> TimeSpan {
    let mut from = 0;
    let mut moment: Option<TimeSpan> = None;
    for word in heard {
        let to = from + letters(&word.text).max(1);
        if from < range.end.max(range.start + 1) && to > range.start {
            let start = moment.map_or(word.place.start, |moment| moment.start);
            moment = Some(TimeSpan { start, end: word.place.end });
        }
        from = to;
    }
    moment.or_else(|| heard.last().map(|word| word.place)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(text: &str, start: f32) -> Word<TimeSpan> {
        Word { text: text.to_owned(), place: TimeSpan { start, end: start + 1.0 } }
    }

    #[test]
    fn punctuation_and_spelling_are_counted_off() {
        let heard =
            [word("write", 0.0), word("to", 1.0), word("jane", 2.0), word("doe", 3.0), word("now", 4.0)];
        let passage = LocatedText::timed("Write to: jane.doe, now!", &heard);
        let words: Vec<_> = passage.words().map(|(word, moment)| (word, moment.start, moment.end)).collect();
        let expected = [("Write", 0.0, 1.0), ("to:", 1.0, 2.0), ("jane.doe,", 2.0, 4.0), ("now!", 4.0, 5.0)];
        assert_eq!(words, expected);
        assert_eq!(passage.moments(10..18, 0.1), Some(TimeSpan { start: 1.9, end: 4.1 }));
    }

    #[test]
    fn a_text_without_times_has_no_moments() {
        assert_eq!(LocatedText::timed("hello there", &[]).moments(0..5, 0.1), None);
    }
}
