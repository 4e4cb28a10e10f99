//! Alternative readings of recognized text.
//!
//! They only serve to find personal data, whose formats and check digits confirm or refute a correction. All other
//! checks use the recognized text.

use std::{collections::HashSet, ops::Range};

use super::{AlternativeReading, LocatedText, Rect, TimeSpan};

mod spoken;

/// Characters that OCR reads instead of digits. Source: the subset of <https://www.unicode.org/reports/tr39/> that
/// occurs in OCR.
const LOOK_ALIKES: [(char, char); 16] = [
    ('O', '0'),
    ('o', '0'),
    ('Q', '0'),
    ('D', '0'),
    ('l', '1'),
    ('I', '1'),
    ('|', '1'),
    ('i', '1'),
    ('!', '1'),
    ('Z', '2'),
    ('z', '2'),
    ('S', '5'),
    ('s', '5'),
    ('G', '6'),
    ('T', '7'),
    ('B', '8'),
];
/// Gap between two parts of one word, at most, as a share of their height.
const SMALL_GAP: f32 = 0.3;
/// The same beside an @, which OCR often takes for a word of its own.
const GAP_AT_SIGN: f32 = 0.7;

/// Byte range and area of a word.
type PlacedWord = (Range<usize>, Rect);

impl AlternativeReading {
    fn push(&mut self, text: &str, origin: &Range<usize>) {
        self.text.push_str(text);
        self.origins.resize(self.text.len(), origin.clone());
    }
}

impl LocatedText<Rect> {
    /// Adds the alternative readings of an image: look-alikes corrected, words joined across small gaps, and numbers on
    /// a line joined, because OCR often inserts and drops spaces between digits.
    #[must_use]
    pub fn with_readings(mut self) -> Self {
        let is_split = |left: &PlacedWord, right: &PlacedWord| {
            let is_at_sign =
                self.text[left.0.clone()].ends_with('@') || self.text[right.0.clone()].starts_with('@');
            gap_share(left.1, right.1) < if is_at_sign { GAP_AT_SIGN } else { SMALL_GAP }
        };
        let numbers = self.numbers();
        let are_numbers = |left: &PlacedWord, right: &PlacedWord| {
            [left, right].iter().all(|(word, _)| numbers.contains(&word.start))
        };
        let either =
            |left: &PlacedWord, right: &PlacedWord| is_split(left, right) || are_numbers(left, right);
        let readings = [
            self.reading(&numbers, |_, _| false),
            self.reading(&numbers, is_split),
            self.reading(&numbers, either),
        ];
        for reading in readings {
            let is_known = self.readings.iter().any(|known| known.text == reading.text);
            if !is_known && reading.text != self.text {
                self.readings.push(reading);
            }
        }
        self
    }

    /// Returns the starts of the words that are numbers, and of those beside them that consist of strokes: OCR reads the
    /// ones of a card number as letters, now and then all of a group.
    fn numbers(&self) -> HashSet<usize> {
        let text = |word: &PlacedWord| &self.text[word.0.clone()];
        let may_be_number = |word: &PlacedWord| is_number(text(word)) || is_strokes(text(word));
        let is_same_run = |left: &PlacedWord, right: &PlacedWord| {
            self.text[left.0.end..right.0.start] == *" " && may_be_number(left) && may_be_number(right)
        };
        let runs = self.words.chunk_by(is_same_run);
        let numbers = runs.filter(|run| run.iter().any(|word| is_number(text(word))));
        numbers.flatten().map(|word| word.0.start).collect()
    }

    fn reading(
        &self,
        numbers: &HashSet<usize>,
        joins: impl Fn(&PlacedWord, &PlacedWord) -> bool,
    ) -> AlternativeReading {
        let mut reading = AlternativeReading { text: String::new(), origins: Vec::new() };
        let mut previous: Option<&PlacedWord> = None;
        for word in &self.words {
            if let Some(previous) = previous {
                let between = previous.0.end..word.0.start;
                let gap = &self.text[between.clone()];
                if gap != " " || !joins(previous, word) {
                    reading.push(gap, &between);
                }
            }
            self.push_corrected(&mut reading, &word.0, numbers.contains(&word.0.start));
            previous = Some(word);
        }
        reading
    }

    fn push_corrected(&self, reading: &mut AlternativeReading, word: &Range<usize>, is_number: bool) {
        let text = &self.text[word.clone()];
        let is_code = is_code(text);
        let mut previous = ' ';
        for (at, letter) in text.char_indices() {
            let origin = word.start + at..word.start + at + letter.len_utf8();
            let next = text[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
            let is_zero = is_code && letter == 'O' && (previous.is_ascii_digit() || next.is_ascii_digit());
            let digit = LOOK_ALIKES.iter().find(|(letters, _)| (is_number || is_zero) && *letters == letter);
            let corrected = digit.map_or(if letter == '©' { '@' } else { letter }, |(_, digit)| *digit);
            reading.push(corrected.encode_utf8(&mut [0; 4]), &origin);
            previous = corrected;
        }
    }
}

/// Returns whether only a small gap separates the areas of two words.
pub(super) fn is_near(left: Rect, right: Rect) -> bool {
    gap_share(left, right) < SMALL_GAP
}

/// Returns the gap between the areas of two words as a share of their height, if the second follows the first on a line that
/// is level or on its side; else infinity.
fn gap_share(left: Rect, right: Rect) -> f32 {
    let down = right.y.saturating_sub(left.bottom()).max(left.y.saturating_sub(right.bottom()));
    let (gap, size) = if down > 0 {
        (down, left.width.min(right.width))
    } else {
        (right.x.saturating_sub(left.right()), left.height.min(right.height))
    };
    if down > 0 || right.x >= left.x { gap as f32 / size.max(1) as f32 } else { f32::INFINITY }
}

/// Returns whether a word is a number: it contains digits, at least as many as letters, and its letters are
/// look-alikes.
fn is_number(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let alike = word.chars().filter(|letter| LOOK_ALIKES.iter().any(|(alike, _)| alike == letter)).count();
    digits > 0 && digits >= letters && letters <= alike
}

/// Returns whether a word consists of at least three digits or letters that are strokes, as ones are.
fn is_strokes(word: &str) -> bool {
    let is_stroke = |letter: char| letter.is_ascii_digit() || "lI|!".contains(letter);
    word.chars().count() > 2 && word.chars().all(is_stroke)
}

/// Returns whether a word consists of capitals and digits, as document numbers do. An O beside a digit is a zero there.
fn is_code(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    digits > 1 && word.chars().all(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase())
}

impl LocatedText<TimeSpan> {
    /// Adds the alternative reading of speech: spoken digits as digits and e-mail addresses with their symbols.
    #[must_use]
    pub fn with_readings(mut self) -> Self {
        let words: Vec<_> =
            self.words.iter().map(|(word, _)| (&self.text[word.clone()], word.clone())).collect();
        let written = spoken::written(&words);
        if written.text != self.text {
            self.readings.push(written);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use crate::located_text::{LocatedText, Rect, Word};

    fn word(text: &str, x: u32, width: u32) -> Word<Rect> {
        Word { text: text.to_owned(), position: Rect { x, y: 0, width, height: 20 } }
    }

    #[test]
    fn corrects_look_alikes_in_numbers_but_not_in_words() {
        let line = [word("Oslo", 0, 40), word("4111", 60, 40), word("l111", 110, 40), word("TO11", 160, 40)];
        let located = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(located.text, "Oslo 4111 l111 TO11");
        assert_eq!(located.readings[0].text, "Oslo 4111 1111 7011");
        assert_eq!(located.readings[0].origin(10..19), 10..19);
        assert_eq!(located.readings[1].text, "Oslo 411111117011");
        assert_eq!(located.readings[1].origin(5..17), 5..19);
    }

    #[test]
    fn reads_an_o_beside_a_digit_as_zero_in_codes() {
        let line = [word("CO1XO0T47", 0, 90), word("OSLO", 110, 40), word("GO2", 160, 30)];
        let located = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(located.readings[0].text, "C01X00T47 OSLO GO2");
    }

    #[test]
    fn joins_words_across_small_gaps() {
        let line = [word("jane@", 0, 50), word("example.com", 52, 110), word("now", 180, 30)];
        let located = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(located.readings[0].text, "jane@example.com now");
        assert_eq!(located.readings[0].origin(0..16), 0..17);
        assert_eq!(located.overlapping_words(&(0..17)), 0..2);
    }

    #[test]
    fn strokes_beside_a_number_are_ones() {
        let line = ["4Ill", "llll", "1ll1", "lll1", "all", "lll"];
        let line: Vec<_> = (0..).zip(line).map(|(at, text)| word(text, at * 60, 40)).collect();
        let located = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(located.readings[0].text, "4111 1111 1111 1111 all lll");
        assert_eq!(located.readings[1].text, "4111111111111111 all lll");
    }

    #[test]
    fn joins_an_address_that_is_split_at_its_sign() {
        let line =
            [word("jane.doe", 0, 80), word("@example.com", 90, 120), word("@", 240, 20), word("9", 290, 10)];
        let located = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(located.readings[0].text, "jane.doe@example.com @ 9");
    }
}
