//! The words of an even picture: levelled, scaled, and turned by quarters where they make no sense.

use std::time::{Duration, Instant};

use image::GrayImage;

use super::{frame::Frame, skew};
use crate::{
    Area, Word,
    foreign::tesseract::{Layout, PageWord, Tesseract},
};

/// Pixels that the recogniser gets of a picture that has more.
const MOST: f32 = 9.0e6;
/// Small writing is drawn so many times as large.
const LARGEST_SCALE: f32 = 2.0;
/// Confidence of a page below which other turns are tried.
const SENSE: f32 = 70.0;
/// Words below this confidence are specks and edges.
const LEAST_CONFIDENCE: f32 = 15.0;

/// The lines of `picture`; `None` when they were not read within `time`.
pub fn lines(engine: &mut Tesseract, picture: &GrayImage, time: Duration) -> Option<Vec<Vec<Word<Area>>>> {
    let end = Instant::now() + time;
    let mut best = page(engine, picture, 0.0, end)?;
    for quarter in [90.0, 270.0, 180.0] {
        if best.mean() >= SENSE {
            break;
        }
        let turned = page(engine, picture, quarter, end)?;
        if turned.sense() > best.sense() {
            best = turned;
        }
    }
    Some(best.lines())
}

struct Page {
    frame: Frame,
    words: Vec<PageWord>,
}

fn page(engine: &mut Tesseract, picture: &GrayImage, quarter: f32, end: Instant) -> Option<Page> {
    let pixels = picture.width() as f32 * picture.height() as f32;
    let scale = (MOST / pixels).sqrt().min(LARGEST_SCALE);
    let level = if quarter == 0.0 || quarter == 180.0 { skew::correction(picture) } else { 0.0 };
    let frame = Frame::of(picture, quarter + level, scale);
    let drawn = frame.draw(picture);
    let left = end.saturating_duration_since(Instant::now());
    let words = engine.words(&drawn, drawn.dimensions(), Layout::Page, left)?;
    Some(Page { frame, words })
}

impl Page {
    /// Letters, each as far as the recogniser is sure of it.
    fn sense(&self) -> f32 {
        self.words.iter().map(|word| letters(&word.text) * word.confidence.powi(2)).sum()
    }

    /// Confidence of a letter, 0 to 100; of an empty page 0.
    fn mean(&self) -> f32 {
        let all: f32 = self.words.iter().map(|word| letters(&word.text)).sum();
        let sure: f32 = self.words.iter().map(|word| letters(&word.text) * word.confidence).sum();
        if all > 0.0 { sure / all } else { 0.0 }
    }

    fn lines(self) -> Vec<Vec<Word<Area>>> {
        let mut lines: Vec<Vec<Word<Area>>> = Vec::new();
        for word in self.words {
            let begins = word.begins_line || lines.is_empty();
            if begins {
                lines.push(Vec::new());
            }
            if word.confidence < LEAST_CONFIDENCE {
                continue;
            }
            let place = self.frame.area(word.corners);
            if let Some(line) = lines.last_mut() {
                line.push(Word { text: word.text, place });
            }
        }
        lines
    }
}

fn letters(word: &str) -> f32 {
    word.chars().filter(|letter| letter.is_alphanumeric()).count() as f32
}
