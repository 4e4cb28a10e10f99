//! Alternative readings of recognized text.
//!
//! They only serve to find personal data, whose formats and check digits confirm or refute a correction. All other
//! checks use the recognized text.

use std::ops::Range;

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
        let is_split = |left: &PlacedWord, right: &PlacedWord| is_near(left.1, right.1);
        let are_numbers = |left: &PlacedWord, right: &PlacedWord| {
            [left, right].iter().all(|(word, _)| is_number(&self.text[word.clone()]))
        };
        let either =
            |left: &PlacedWord, right: &PlacedWord| is_split(left, right) || are_numbers(left, right);
        let readings = [self.reading(|_, _| false), self.reading(is_split), self.reading(either)];
        for reading in readings {
            let is_known = self.readings.iter().any(|known| known.text == reading.text);
            if !is_known && reading.text != self.text {
                self.readings.push(reading);
            }
        }
        self
    }

    fn reading(&self, joins: impl Fn(&PlacedWord, &PlacedWord) -> bool) -> AlternativeReading {
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
            self.push_corrected(&mut reading, &word.0);
            previous = Some(word);
        }
        reading
    }

    fn push_corrected(&self, reading: &mut AlternativeReading, word: &Range<usize>) {
        let text = &self.text[word.clone()];
        let (is_number, is_code) = (is_number(text), is_code(text));
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

/// Returns whether only a small gap separates the areas of two words, of which the second follows the first on a line that
/// is level or on its side.
pub(super) fn is_near(left: Rect, right: Rect) -> bool {
    let down = right.y.saturating_sub(left.bottom()).max(left.y.saturating_sub(right.bottom()));
    let (gap, size) = if down > 0 {
        (down, left.width.min(right.width))
    } else {
        (right.x.saturating_sub(left.right()), left.height.min(right.height))
    };
    (down > 0 || right.x >= left.x) && (gap as f32) < SMALL_GAP * size as f32
}

/// Returns whether a word is a number: it contains digits, at least as many as letters, and its letters are
/// look-alikes.
fn is_number(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let alike = word.chars().filter(|letter| LOOK_ALIKES.iter().any(|(alike, _)| alike == letter)).count();
    digits > 0 && digits >= letters && letters <= alike
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
}
