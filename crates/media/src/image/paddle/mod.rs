//! OCR with the networks of PP-OCRv6, which `scripts/fetch-models` fetches. Needs no library of the system.
//!
//! One network detects lines of text at any angle, another reads one line at a time. The width of a line's letters in
//! the second network's output gives the places of its words.

mod ctc;
mod detector;
mod direction;
mod ink;
mod ink_bounds;
mod line;
mod pixels;
mod reader;
mod reading_order;

use std::{path::Path, sync::Arc, time::Instant};

use detector::Detector;
use image::RgbImage;
use line::Line;
use reader::Reader;
use rten::ThreadPool;

use super::{
    ImageError,
    geometry::tilted::{Tilted, Vector, dot},
};
use crate::{Rect, Word, protocol::Missing};

/// Folder of the networks in the folder of the models.
pub const FOLDER: &str = "ocr";
/// Lines whose reading decides whether a page is upside down.
const PROBES: usize = 3;
/// Mean probability of their letters below which they are read upside down as well.
const UPRIGHT_CONFIDENCE: f32 = 0.85;
/// Mean probability of a line's letters below which it is not text.
const MIN_CONFIDENCE: f32 = 0.4;

/// The two networks.
pub struct Paddle {
    detector: Detector,
    reader: Reader,
}

impl Paddle {
    /// Loads the networks from the folder of the models.
    pub fn load(models: &Path) -> Result<Self, Missing> {
        // One thread, because workers run in parallel as processes.
        let pool = Arc::new(ThreadPool::with_num_threads(1));
        Ok(Self { detector: Detector::load(models, &pool)?, reader: Reader::load(models, &pool)? })
    }

    /// Reads the words of an image by line, in reading order. Stops at `end`, which is checked before each line.
    pub fn lines(&self, image: &RgbImage, end: Instant) -> Result<Vec<Vec<Word<Rect>>>, ImageError> {
        let regions = self.detector.detect(image)?;
        let page = direction::page_direction(&regions);
        let areas = regions.iter().map(|region| direction::line_of(region, page));
        let (level, across) = areas.partition(|area| dot(area.along, page).abs() > 0.5);
        let level = self.read_all(image, level, end)?;
        // Lines that run against the page are those of a page that is upside down.
        let is_upside_down = level.first().is_some_and(|line| dot(line.area.along, page) < 0.0);
        let page = if is_upside_down { (-page.0, -page.1) } else { page };
        let across = self.read_all(image, across, end)?;
        let mut lines = [level, across].concat();
        lines.retain(|line| line.confidence() >= MIN_CONFIDENCE);
        Ok(in_rows(&lines, page, image))
    }

    /// Reads lines that run in about the same direction, or all in the opposite one if that is clearer.
    fn read_all(
        &self,
        image: &RgbImage,
        mut areas: Vec<Tilted>,
        end: Instant,
    ) -> Result<Vec<Line>, ImageError> {
        areas.sort_unstable_by(|one, other| other.length.total_cmp(&one.length));
        let rest = areas.split_off(areas.len().min(PROBES));
        let mut lines = self.read(image, &areas, end)?;
        if confidence(&lines) >= UPRIGHT_CONFIDENCE {
            lines.extend(self.read(image, &rest, end)?);
            return Ok(lines);
        }
        let flip = |areas: &[Tilted]| areas.iter().map(|area| area.turned(2)).collect::<Vec<_>>();
        let flipped = self.read(image, &flip(&areas), end)?;
        if confidence(&flipped) > confidence(&lines) {
            lines = flipped;
            lines.extend(self.read(image, &flip(&rest), end)?);
        } else {
            lines.extend(self.read(image, &rest, end)?);
        }
        Ok(lines)
    }

    fn read(&self, image: &RgbImage, areas: &[Tilted], end: Instant) -> Result<Vec<Line>, ImageError> {
        let read = areas.iter().map(|area| {
            if Instant::now() >= end {
                return Err(ImageError::TimedOut);
            }
            Ok(self.reader.read(image, *area)?)
        });
        read.collect()
    }
}

/// Returns the mean probability of the letters of all lines.
fn confidence(lines: &[Line]) -> f32 {
    let (count, sum) =
        lines.iter().map(Line::weight).fold((0.0, 0.0), |(count, sum), line| (count + line.0, sum + line.1));
    if count == 0.0 { 0.0 } else { sum / count }
}

fn in_rows(lines: &[Line], page: Vector, image: &RgbImage) -> Vec<Vec<Word<Rect>>> {
    let areas: Vec<_> = lines.iter().map(|line| line.area).collect();
    let rows = reading_order::rows(&areas, page).into_iter();
    let words = rows.map(|row| row.into_iter().flat_map(|line| lines[line].words(image)).collect());
    words.filter(|row: &Vec<_>| !row.is_empty()).collect()
}
