//! What the recogniser passed over, read again.
//!
//! Taking a page apart, it now and then leaves out a word that it would have read alone. Ink that lies in no word shows
//! that there is something left.

use image::GrayImage;

use crate::native::tesseract::PageWord;

/// Darker is ink.
const INK: u8 = 128;
/// Ink that lies in no word, as a share of an average word's, below which nothing was passed over: specks and rules.
const LEAST: f32 = 0.4;
/// Share of its height by which a word's box is made larger: letters reach out of it.
const MARGIN: f32 = 0.15;

/// The picture without the ink of `words`, where enough of it is left.
pub fn of(drawn: &GrayImage, words: &[PageWord]) -> Option<GrayImage> {
    let mut rest = drawn.clone();
    for word in words {
        blank(&mut rest, widened(word.corners));
    }
    let (all, left) = (ink(drawn), ink(&rest));
    let average = (all - left) as f32 / words.len().max(1) as f32;
    (left as f32 > average * LEAST && left > 0).then_some(rest)
}

/// The lines with `found` words in their places: in the line at whose height they stand, or as lines of their own.
pub fn merged(mut lines: Vec<Vec<PageWord>>, found: Vec<PageWord>) -> Vec<Vec<PageWord>> {
    for word in found {
        let [left, top, ..] = word.corners;
        if let Some(line) = lines.iter_mut().find(|line| is_on(line, &word)) {
            let place = line.partition_point(|other| other.corners[0] < left);
            line.insert(place, word);
        } else {
            let place = lines.partition_point(|line| line.iter().all(|other| other.corners[1] < top));
            lines.insert(place, vec![word]);
        }
    }
    lines
}

/// Whether a word stands at the height of a line: half of the lower of both is shared.
fn is_on(line: &[PageWord], word: &PageWord) -> bool {
    line.iter().any(|other| {
        let ([_, top, _, bottom], [_, above, _, below]) = (other.corners, word.corners);
        let shared = bottom.min(below) - top.max(above);
        shared * 2 > (bottom - top).min(below - above)
    })
}

fn widened([left, top, right, bottom]: [i32; 4]) -> [i32; 4] {
    let by = ((bottom - top) as f32 * MARGIN) as i32;
    [left - by, top - by, right + by, bottom + by]
}

fn blank(picture: &mut GrayImage, [left, top, right, bottom]: [i32; 4]) {
    let within = |at: i32, most: u32| at.clamp(0, most as i32) as u32;
    let (width, height) = picture.dimensions();
    for y in within(top, height)..within(bottom, height) {
        for x in within(left, width)..within(right, width) {
            picture[(x, y)].0[0] = 255;
        }
    }
}

fn ink(picture: &GrayImage) -> usize {
    picture.iter().filter(|shade| **shade < INK).count()
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    fn word(text: &str, x: i32, y: i32) -> PageWord {
        let corners = [x, y, x + 40, y + 20];
        PageWord { text: text.to_owned(), confidence: 90.0, corners, begins_line: false }
    }

    fn texts(lines: &[Vec<PageWord>]) -> Vec<Vec<&str>> {
        lines.iter().map(|line| line.iter().map(|word| word.text.as_str()).collect()).collect()
    }

    #[test]
    fn words_come_to_their_lines() {
        let lines = vec![vec![word("is", 50, 0)], vec![word("below", 0, 60)]];
        let found =
            vec![word("SSN", 0, 2), word("4711", 100, 0), word("between", 0, 30), word("last", 0, 90)];
        let lines = merged(lines, found);
        assert_eq!(texts(&lines), [vec!["SSN", "is", "4711"], vec!["between"], vec!["below"], vec!["last"]]);
    }

    #[test]
    fn what_is_read_is_left_out_and_specks_are_nothing() {
        let inked = |x: u32, y: u32| y < 20 && x % 50 < 40 && x < 90;
        let mut page = GrayImage::from_fn(100, 40, |x, y| Luma([if inked(x, y) { 0 } else { 255 }]));
        let (one, other) = (word("one", 0, 0), word("other", 50, 0));
        let rest = of(&page, std::slice::from_ref(&one)).unwrap();
        assert_eq!((rest[(10, 10)].0[0], rest[(70, 10)].0[0]), (255, 0));
        assert!(of(&page, &[one.clone(), other.clone()]).is_none());
        page[(95, 35)] = Luma([0]);
        assert!(of(&page, &[one, other]).is_none());
    }
}
