//! The words of an even picture: levelled, scaled, turned by quarters where they make no sense, and read again where
//! some were passed over.

use std::time::{Duration, Instant};

use image::GrayImage;

use super::{orientation::Orientation, reread_missed, skew};
use crate::{
    Rect, Word,
    native::tesseract::{Layout, PageWord, Tesseract},
};

/// Pixels that the recogniser gets of a picture that has more.
const MOST: f32 = 9.0e6;
/// Small writing is drawn so many times as large.
const LARGEST_SCALE: f32 = 2.0;
/// Confidence of a page below which other turns are tried.
const SENSE: f32 = 70.0;
/// Words below this confidence are specks and edges.
const LEAST_CONFIDENCE: f32 = 15.0;
/// Likewise of what is read alone, unless it holds a number: the recogniser sees words in anything that it is given so.
const LEAST_ALONE: f32 = 60.0;

/// The lines of `picture`; `None` when they were not read within `time`.
pub fn lines(engine: &mut Tesseract, picture: &GrayImage, time: Duration) -> Option<Vec<Vec<Word<Rect>>>> {
    let end = Instant::now() + time;
    let mut best = page(engine, picture, 0.0, end)?;
    for quarter in [90.0, 270.0, 180.0] {
        if best.mean >= SENSE {
            break;
        }
        let turned = page(engine, picture, quarter, end)?;
        if turned.sense > best.sense {
            best = turned;
        }
    }
    let passed_over = best.passed_over(engine, end);
    Some(best.lines(passed_over))
}

struct Page {
    frame: Orientation,
    drawn: GrayImage,
    lines: Vec<Vec<PageWord>>,
    /// Letters, each as far as the recogniser is sure of it.
    sense: f32,
    /// Confidence of a letter, 0 to 100; of an empty page 0.
    mean: f32,
}

fn page(engine: &mut Tesseract, picture: &GrayImage, quarter: f32, end: Instant) -> Option<Page> {
    let pixels = picture.width() as f32 * picture.height() as f32;
    let scale = (MOST / pixels).sqrt().min(LARGEST_SCALE);
    let level = if quarter == 0.0 || quarter == 180.0 { skew::correction(picture) } else { 0.0 };
    let frame = Orientation::of(picture, quarter + level, scale);
    let drawn = frame.draw(picture);
    let left = end.saturating_duration_since(Instant::now());
    let words = engine.words(&drawn, drawn.dimensions(), Layout::Page, left)?;
    let sum = |weight: fn(f32) -> f32| -> f32 {
        words.iter().map(|word| letters(&word.text) * weight(word.confidence)).sum()
    };
    let (sense, mean) = (sum(|sure| sure.powi(2)), sum(|sure| sure) / sum(|_| 1.0).max(1.0));
    Some(Page { frame, drawn, lines: in_lines(words), sense, mean })
}

/// The words by the lines that the recogniser sees, without those that are none.
fn in_lines(words: Vec<PageWord>) -> Vec<Vec<PageWord>> {
    let mut lines: Vec<Vec<PageWord>> = Vec::new();
    for word in words {
        if word.begins_line || lines.is_empty() {
            lines.push(Vec::new());
        }
        if let Some(line) = lines.last_mut().filter(|_| word.confidence >= LEAST_CONFIDENCE) {
            line.push(word);
        }
    }
    lines.retain(|line| !line.is_empty());
    lines
}

impl Page {
    /// What shows only when the rest is read alone. Whoever has no time left goes without.
    fn passed_over(&self, engine: &mut Tesseract, end: Instant) -> Vec<PageWord> {
        let Some(rest) = reread_missed::of(&self.drawn, &self.lines.concat()) else { return Vec::new() };
        let left = end.saturating_duration_since(Instant::now());
        let mut words = engine.words(&rest, rest.dimensions(), Layout::Sparse, left).unwrap_or_default();
        words.retain(|word| {
            let digits = word.text.chars().filter(char::is_ascii_digit).count();
            let least = if digits > 2 { LEAST_CONFIDENCE } else { LEAST_ALONE };
            word.confidence >= least && letters(&word.text) > 1.0
        });
        words
    }

    fn lines(self, passed_over: Vec<PageWord>) -> Vec<Vec<Word<Rect>>> {
        let placed = |word: PageWord| Word { place: self.frame.area(word.corners), text: word.text };
        let lines = reread_missed::merged(self.lines, passed_over).into_iter();
        lines.map(|line| line.into_iter().map(placed).collect()).collect()
    }
}

fn letters(word: &str) -> f32 {
    word.chars().filter(|letter| letter.is_alphanumeric()).count() as f32
}
