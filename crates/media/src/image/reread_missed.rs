//! Second OCR pass over words that the first pass missed.
//!
//! Tesseract's page segmentation sometimes drops a word that it can read in isolation. Ink outside all recognized words
//! indicates such a word.

use image::GrayImage;

use crate::native::tesseract::PageWord;

/// Shade below which a pixel is ink.
const INK: u8 = 128;
/// Ink outside all words, as a share of an average word's ink, below which it counts as specks and rules.
const MIN_INK_SHARE: f32 = 0.4;
/// Margin around a word as a share of its height, because letters extend beyond their boxes.
const MARGIN: f32 = 0.15;

/// Returns the image without the ink of `words`, or `None` if too little ink is left.
pub fn without_words(drawn: &GrayImage, words: &[PageWord]) -> Option<GrayImage> {
    let mut remaining = drawn.clone();
    for word in words {
        erase(&mut remaining, with_margin(word.corners));
    }
    let (all, left) = (ink(drawn), ink(&remaining));
    let average = (all - left) as f32 / words.len().max(1) as f32;
    (left as f32 > average * MIN_INK_SHARE && left > 0).then_some(remaining)
}

/// Inserts the `found` words into the lines at the same height, or as new lines.
pub fn merged(mut lines: Vec<Vec<PageWord>>, found: Vec<PageWord>) -> Vec<Vec<PageWord>> {
    for word in found {
        let [left, top, ..] = word.corners;
        if let Some(line) = lines.iter_mut().find(|line| is_on_line(line, &word)) {
            let index = line.partition_point(|other| other.corners[0] < left);
            line.insert(index, word);
        } else {
            let index = lines.partition_point(|line| line.iter().all(|other| other.corners[1] < top));
            lines.insert(index, vec![word]);
        }
    }
    lines
}

/// Returns whether a word is at the height of a line: they share more than half of the height of the lower one.
fn is_on_line(line: &[PageWord], word: &PageWord) -> bool {
    line.iter().any(|other| {
        let ([_, top, _, bottom], [_, above, _, below]) = (other.corners, word.corners);
        let shared = bottom.min(below) - top.max(above);
        shared * 2 > (bottom - top).min(below - above)
    })
}

fn with_margin([left, top, right, bottom]: [i32; 4]) -> [i32; 4] {
    let margin = ((bottom - top) as f32 * MARGIN) as i32;
    [left - margin, top - margin, right + margin, bottom + margin]
}

/// Fills a rectangle with white.
fn erase(image: &mut GrayImage, [left, top, right, bottom]: [i32; 4]) {
    let clamped = |at: i32, max: u32| at.clamp(0, max as i32) as u32;
    let (width, height) = image.dimensions();
    for y in clamped(top, height)..clamped(bottom, height) {
        for x in clamped(left, width)..clamped(right, width) {
            image[(x, y)].0[0] = 255;
        }
    }
}

/// Counts the pixels of ink.
fn ink(image: &GrayImage) -> usize {
    image.iter().filter(|shade| **shade < INK).count()
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    fn word(text: &str, x: i32, y: i32) -> PageWord {
        let corners = [x, y, x + 40, y + 20];
        PageWord { text: text.to_owned(), confidence: 90.0, corners, starts_line: false }
    }

    fn texts(lines: &[Vec<PageWord>]) -> Vec<Vec<&str>> {
        lines.iter().map(|line| line.iter().map(|word| word.text.as_str()).collect()).collect()
    }

    #[test]
    fn inserts_words_into_their_lines() {
        let lines = vec![vec![word("is", 50, 0)], vec![word("below", 0, 60)]];
        let found =
            vec![word("SSN", 0, 2), word("4711", 100, 0), word("between", 0, 30), word("last", 0, 90)];
        let lines = merged(lines, found);
        assert_eq!(texts(&lines), [vec!["SSN", "is", "4711"], vec!["between"], vec!["below"], vec!["last"]]);
    }

    #[test]
    fn erases_known_words_and_ignores_specks() {
        let is_ink = |x: u32, y: u32| y < 20 && x % 50 < 40 && x < 90;
        let mut page = GrayImage::from_fn(100, 40, |x, y| Luma([if is_ink(x, y) { 0 } else { 255 }]));
        let (one, other) = (word("one", 0, 0), word("other", 50, 0));
        let remaining = without_words(&page, std::slice::from_ref(&one)).unwrap();
        assert_eq!((remaining[(10, 10)].0[0], remaining[(70, 10)].0[0]), (255, 0));
        assert!(without_words(&page, &[one.clone(), other.clone()]).is_none());
        page[(95, 35)] = Luma([0]);
        assert!(without_words(&page, &[one, other]).is_none());
    }
}
