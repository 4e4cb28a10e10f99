//! OCR of a normalized image: corrects skew, scales, tries quarter turns if the confidence is low, and rereads missed
//! words.

use std::time::{Duration, Instant};

use image::GrayImage;

use super::{orientation::Orientation, reread_missed, skew};
use crate::{
    Rect, Word,
    native::tesseract::{Layout, PageWord, Tesseract},
};

/// Pixels of the image that Tesseract receives. Larger images are scaled down.
const MAX_PIXELS: f32 = 9.0e6;
/// Factor by which small images are enlarged, at most.
const MAX_SCALE: f32 = 2.0;
/// Mean confidence of a page below which quarter turns are tried.
const UPRIGHT_CONFIDENCE: f32 = 70.0;
/// Confidence below which words are discarded as specks and edges.
const MIN_CONFIDENCE: f32 = 15.0;
/// The same for reread words without a number, because Tesseract finds words in any isolated ink.
const MIN_REREAD_CONFIDENCE: f32 = 60.0;

/// Reads the lines of `image`. Returns `None` if that takes longer than `time`.
pub fn lines(engine: &mut Tesseract, image: &GrayImage, time: Duration) -> Option<Vec<Vec<Word<Rect>>>> {
    let end = Instant::now() + time;
    let mut best = read_page(engine, image, 0.0, end)?;
    for quarter in [90.0, 270.0, 180.0] {
        if best.mean >= UPRIGHT_CONFIDENCE {
            break;
        }
        let turned = read_page(engine, image, quarter, end)?;
        if turned.quality > best.quality {
            best = turned;
        }
    }
    let missed = best.reread_missed(engine, end);
    Some(best.lines(missed))
}

/// A page as Tesseract read it.
struct Page {
    orientation: Orientation,
    drawn: GrayImage,
    lines: Vec<Vec<PageWord>>,
    /// Number of letters, weighted by the square of their confidence.
    quality: f32,
    /// Mean confidence per letter, 0 to 100. 0 for an empty page.
    mean: f32,
}

/// Reads the page turned clockwise by `quarter` degrees.
fn read_page(engine: &mut Tesseract, image: &GrayImage, quarter: f32, end: Instant) -> Option<Page> {
    let pixels = image.width() as f32 * image.height() as f32;
    let scale = (MAX_PIXELS / pixels).sqrt().min(MAX_SCALE);
    let level = if quarter == 0.0 || quarter == 180.0 { skew::correction(image) } else { 0.0 };
    let orientation = Orientation::of(image, quarter + level, scale);
    let drawn = orientation.draw(image);
    let left = end.saturating_duration_since(Instant::now());
    let words = engine.recognize(&drawn, drawn.dimensions(), Layout::Page, left)?;
    let sum = |weight: fn(f32) -> f32| -> f32 {
        words.iter().map(|word| letters(&word.text) * weight(word.confidence)).sum()
    };
    let quality = sum(|confidence| confidence.powi(2));
    let mean = sum(|confidence| confidence) / sum(|_| 1.0).max(1.0);
    Some(Page { orientation, drawn, lines: group_by_line(words), quality, mean })
}

/// Groups the words by line and discards those with low confidence.
fn group_by_line(words: Vec<PageWord>) -> Vec<Vec<PageWord>> {
    let mut lines: Vec<Vec<PageWord>> = Vec::new();
    for word in words {
        if word.starts_line || lines.is_empty() {
            lines.push(Vec::new());
        }
        if let Some(line) = lines.last_mut().filter(|_| word.confidence >= MIN_CONFIDENCE) {
            line.push(word);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

impl Page {
    /// Reads the words that the first pass missed. Returns none if no time is left.
    fn reread_missed(&self, engine: &mut Tesseract, end: Instant) -> Vec<PageWord> {
        let Some(remaining) = reread_missed::without_words(&self.drawn, &self.lines.concat()) else {
            return Vec::new();
        };
        let left = end.saturating_duration_since(Instant::now());
        let mut words =
            engine.recognize(&remaining, remaining.dimensions(), Layout::Sparse, left).unwrap_or_default();
        words.retain(|word| {
            let digits = word.text.chars().filter(char::is_ascii_digit).count();
            let threshold = if digits > 2 { MIN_CONFIDENCE } else { MIN_REREAD_CONFIDENCE };
            word.confidence >= threshold && letters(&word.text) > 1.0
        });
        words
    }

    fn lines(self, missed: Vec<PageWord>) -> Vec<Vec<Word<Rect>>> {
        let placed = |word: PageWord| Word { position: self.orientation.area(word.corners), text: word.text };
        let lines = reread_missed::merged(self.lines, missed).into_iter();
        lines.map(|line| line.into_iter().map(placed).collect()).collect()
    }
}

/// Counts letters and digits.
fn letters(word: &str) -> f32 {
    word.chars().filter(|letter| letter.is_alphanumeric()).count() as f32
}
