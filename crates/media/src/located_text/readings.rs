//! Other readings of what was seen and heard.
//!
//! A reading only serves to find personal data, whose forms and checksums tell a right guess from a wrong one; the text
//! itself is judged as it was read.

use std::ops::Range;

use super::{AlternativeReading, LocatedText, Rect, TimeSpan};

mod spoken;

/// Letters that are taken for digits, and the digits that they are: <https://www.unicode.org/reports/tr39/>, as far as
/// recognisers are concerned.
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
/// Words nearer to each other than this share of their height were one word.
const SMALL_GAP: f32 = 0.3;

/// A word's bytes, and where it stands.
type Placed = (Range<usize>, Rect);

impl AlternativeReading {
    fn push(&mut self, text: &str, origin: &Range<usize>) {
        self.text.push_str(text);
        self.origins.resize(self.text.len(), origin.clone());
    }
}

impl LocatedText<Rect> {
    /// With the readings of a picture: look-alikes put right; words joined over small gaps; numbers of a line joined,
    /// for between digits recognisers see blanks where there are none, and none where there are.
    #[must_use]
    pub fn with_readings(mut self) -> Self {
        let is_cut = |left: &Placed, right: &Placed| is_near(left.1, right.1);
        let are_numbers = |left: &Placed, right: &Placed| {
            [left, right].iter().all(|(word, _)| is_number(&self.text[word.clone()]))
        };
        let either = |left: &Placed, right: &Placed| is_cut(left, right) || are_numbers(left, right);
        let readings = [self.reading(|_, _| false), self.reading(is_cut), self.reading(either)];
        for reading in readings {
            let is_known = self.readings.iter().any(|known| known.text == reading.text);
            if !is_known && reading.text != self.text {
                self.readings.push(reading);
            }
        }
        self
    }

    fn reading(&self, joins: impl Fn(&Placed, &Placed) -> bool) -> AlternativeReading {
        let mut reading = AlternativeReading { text: String::new(), origins: Vec::new() };
        let mut last: Option<&Placed> = None;
        for word in &self.words {
            if let Some(before) = last {
                let between = before.0.end..word.0.start;
                let gap = &self.text[between.clone()];
                if gap != " " || !joins(before, word) {
                    reading.push(gap, &between);
                }
            }
            self.put_right(&mut reading, &word.0);
            last = Some(word);
        }
        reading
    }

    fn put_right(&self, reading: &mut AlternativeReading, word: &Range<usize>) {
        let text = &self.text[word.clone()];
        let (is_number, is_code) = (is_number(text), is_code(text));
        let mut before = ' ';
        for (at, letter) in text.char_indices() {
            let origin = word.start + at..word.start + at + letter.len_utf8();
            let after = text[at + letter.len_utf8()..].chars().next().unwrap_or(' ');
            let is_zero = is_code && letter == 'O' && (before.is_ascii_digit() || after.is_ascii_digit());
            let digit = LOOK_ALIKES.iter().find(|(letters, _)| (is_number || is_zero) && *letters == letter);
            let right = digit.map_or(if letter == '©' { '@' } else { letter }, |(_, digit)| *digit);
            reading.push(right.encode_utf8(&mut [0; 4]), &origin);
            before = right;
        }
    }
}

pub(super) fn is_near(left: Rect, right: Rect) -> bool {
    let gap = right.x.saturating_sub(left.right()) as f32;
    right.x >= left.x && gap < SMALL_GAP * left.height.min(right.height) as f32
}

/// Whether a word is mostly digits, look-alikes counted where there is a digit.
fn is_number(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let digits = word.chars().filter(char::is_ascii_digit).count();
    let alike = word.chars().filter(|letter| LOOK_ALIKES.iter().any(|(alike, _)| alike == letter)).count();
    digits > 0 && digits >= letters && letters <= alike
}

/// Whether a word is made of capitals and digits, as numbers of papers are: an O beside a digit is a zero there.
fn is_code(word: &str) -> bool {
    let digits = word.chars().filter(char::is_ascii_digit).count();
    digits > 1 && word.chars().all(|letter| letter.is_ascii_digit() || letter.is_ascii_uppercase())
}

impl LocatedText<TimeSpan> {
    /// With the reading of a recording: spoken digits as digits, addresses with their signs.
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
        Word { text: text.to_owned(), place: Rect { x, y: 0, width, height: 20 } }
    }

    #[test]
    fn look_alikes_in_numbers_are_put_right_and_words_are_not() {
        let line = [word("Oslo", 0, 40), word("4111", 60, 40), word("l111", 110, 40), word("TO11", 160, 40)];
        let passage = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(passage.text, "Oslo 4111 l111 TO11");
        assert_eq!(passage.readings[0].text, "Oslo 4111 1111 7011");
        assert_eq!(passage.readings[0].origin(10..19), 10..19);
        assert_eq!(passage.readings[1].text, "Oslo 411111117011");
        assert_eq!(passage.readings[1].origin(5..17), 5..19);
    }

    #[test]
    fn an_o_beside_a_digit_of_a_code_is_a_zero() {
        let line = [word("CO1XO0T47", 0, 90), word("OSLO", 110, 40), word("GO2", 160, 30)];
        let passage = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(passage.readings[0].text, "C01X00T47 OSLO GO2");
    }

    #[test]
    fn words_are_joined_over_small_gaps() {
        let line = [word("jane@", 0, 50), word("example.com", 52, 110), word("now", 180, 30)];
        let passage = LocatedText::of_lines([&line[..]]).with_readings();
        assert_eq!(passage.readings[0].text, "jane@example.com now");
        assert_eq!(passage.readings[0].origin(0..16), 0..17);
        assert_eq!(passage.touched(&(0..17)), 0..2);
    }
}
