//! A line of text as it was read, and its words.

use image::RgbImage;

use super::ink::Ink;
use crate::{Rect, Word, image::geometry::tilted::Tilted};

/// A letter and its place along the line in pixels of the image.
#[derive(Clone, Debug, PartialEq)]
pub struct PlacedLetter {
    /// The letter.
    pub text: Box<str>,
    /// Distance from the start of the line to its start.
    pub from: f32,
    /// Distance to its end.
    pub to: f32,
    /// Probability of the letter.
    pub probability: f32,
}

impl PlacedLetter {
    fn is_space(&self) -> bool {
        self.text.trim().is_empty()
    }

    fn middle(&self) -> f32 {
        f32::midpoint(self.from, self.to)
    }

    /// Returns true for letters of scripts that are written without spaces.
    fn is_unspaced(&self) -> bool {
        self.text.chars().any(|letter| matches!(letter, '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}'))
    }
}

/// A line as it was read.
#[derive(Clone, Debug, PartialEq)]
pub struct Line {
    /// Area of the line.
    pub area: Tilted,
    /// Letters and spaces in reading order.
    pub letters: Vec<PlacedLetter>,
}

impl Line {
    /// Returns the mean probability of the letters. 0 for an empty line.
    pub fn confidence(&self) -> f32 {
        let (count, sum) = self.weight();
        sum / count.max(1.0)
    }

    /// Returns the number of letters and the sum of their probabilities.
    pub fn weight(&self) -> (f32, f32) {
        let letters = self.letters.iter().filter(|letter| !letter.is_space());
        letters.fold((0.0, 0.0), |(count, sum), letter| (count + 1.0, sum + letter.probability))
    }

    /// Returns the words and their areas in the image.
    pub fn words(&self, image: &RgbImage) -> Vec<Word<Rect>> {
        let words: Vec<_> = self.letters.chunk_by(is_same_word).filter(|word| !word[0].is_space()).collect();
        if words.is_empty() {
            return Vec::new();
        }
        let ink = Ink::of(image, self.area);
        // A word ends where the gap to the next begins.
        let between: Vec<_> = words
            .windows(2)
            .map(|pair| ink.gap_between(pair[0][pair[0].len() - 1].middle(), pair[1][0].middle()))
            .collect();
        let starts = std::iter::once(0.0).chain(between.iter().map(|gap| gap.end));
        let ends = between.iter().map(|gap| gap.start).chain([self.area.length]);
        let placed = words.iter().zip(starts.zip(ends)).map(|(word, part)| Word {
            text: word.iter().map(|letter| &*letter.text).collect(),
            position: self.area.bounds(part, ink.rows_between(part.0, part.1), image.dimensions()),
        });
        placed.collect()
    }
}

/// Returns whether no word ends between two letters. Letters of scripts without spaces and others are separate words, so
/// that a number among them has a place of its own.
fn is_same_word(one: &PlacedLetter, next: &PlacedLetter) -> bool {
    let is_number = |letter: &PlacedLetter| letter.text.chars().any(|letter| letter.is_ascii_alphanumeric());
    let changes = (one.is_unspaced() && is_number(next)) || (is_number(one) && next.is_unspaced());
    !one.is_space() && !next.is_space() && !changes
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// A line of letters of ten pixels in width with ink in the middle of each, and its image.
    fn line(text: &str, probability: f32) -> (Line, RgbImage) {
        let letter = |(at, letter): (usize, char)| PlacedLetter {
            text: letter.to_string().into(),
            from: at as f32 * 10.0,
            to: at as f32 * 10.0 + 10.0,
            probability,
        };
        let letters: Vec<_> = text.chars().enumerate().map(letter).collect();
        let length = letters.len() as f32 * 10.0;
        let area = Tilted { center: (length / 2.0, 10.0), along: (1.0, 0.0), length, height: 20.0 };
        let is_ink = |x: u32, y: u32| {
            !letters[x as usize / 10].is_space() && (3..7).contains(&(x % 10)) && (5..15).contains(&y)
        };
        let image = RgbImage::from_fn(length as u32, 20, |x, y| Rgb([if is_ink(x, y) { 0 } else { 255 }; 3]));
        (Line { area, letters }, image)
    }

    fn words(text: &str) -> Vec<(String, Rect)> {
        let (line, image) = line(text, 0.9);
        line.words(&image).into_iter().map(|word| (word.text, word.position)).collect()
    }

    #[test]
    fn words_end_at_the_gaps_in_the_ink() {
        let rect = |x: u32, right: u32| Rect { x, y: 5, width: right - x, height: 10 };
        let expected =
            [("to", rect(0, 17)), ("me", rect(33, 60))].map(|(text, area)| (text.to_owned(), area));
        assert_eq!(words("to me "), expected);
    }

    #[test]
    fn a_number_among_chinese_letters_is_a_word() {
        let texts: Vec<_> = words("电话138号").into_iter().map(|(text, _)| text).collect();
        assert_eq!(texts, ["电话", "138", "号"]);
    }

    #[test]
    fn a_line_of_spaces_has_no_words_and_no_confidence() {
        let (line, image) = line("   ", 0.9);
        assert_eq!((line.words(&image), line.confidence()), (vec![], 0.0));
    }

    #[test]
    fn spaces_do_not_count_for_the_confidence() {
        let (mut line, _) = line("a b", 0.5);
        line.letters[1].probability = 1.0;
        assert_eq!((line.confidence(), line.weight()), (0.5, (2.0, 1.0)));
    }
}
