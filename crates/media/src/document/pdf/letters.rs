//! A text whose letters have places on a page.

use std::ops::Range;

use hayro::kurbo::{Point, Rect as Box};

use crate::{Rect, image::PAGE_SCALE};

/// Difference of baselines within a line, in heights of a letter.
const LINE_TOLERANCE: f64 = 0.5;
/// Gap that separates words, in heights of a letter.
const WORD_GAP: f64 = 0.18;
/// Gap that separates columns, in heights of a letter.
const COLUMN_GAP: f64 = 2.5;
/// Margin around letters to black out, in heights of a letter.
const MARGIN: f64 = 0.15;

/// Letters among which one that is drawn twice is looked for.
const RECENT: usize = 1_000;

/// Letters in the order of the page.
#[derive(Debug, Default)]
pub struct Letters {
    /// The whole text.
    pub text: String,
    letters: Vec<(Range<usize>, Box)>,
    /// End of the last letter and height of its line.
    pen: Option<(Point, f64)>,
}

impl Letters {
    /// Adds a letter: its text, its box, and where its baseline starts and ends. All in points from the upper left corner.
    pub fn push(&mut self, text: &str, area: Box, start: Point, end: Point) {
        let height = area.height().max(1.0);
        if let Some((pen, line)) = self.pen {
            let (down, gap) = ((start.y - pen.y).abs(), start.x - pen.x);
            let size = height.max(line);
            if down > size * LINE_TOLERANCE || gap < -size {
                self.text.push('\n');
            } else if gap > size * COLUMN_GAP {
                self.text.push('\t');
            } else if gap > size * WORD_GAP && !self.text.ends_with(char::is_whitespace) {
                self.text.push(' ');
            }
        }
        let from = self.text.len();
        self.text.push_str(text);
        self.letters.push((from..self.text.len(), area));
        self.pen = Some((end, height));
    }

    /// Returns true if one of the last letters starts there.
    pub fn has_letter_at(&self, start: Point) -> bool {
        let last = self.letters.iter().rev().take(RECENT);
        last.into_iter()
            .any(|(_, area)| (area.x0 - start.x).abs() < 0.5 && area.y0 <= start.y && start.y <= area.y1)
    }

    /// Returns the areas of a range of the text in pixels of the rendered page, one for each line.
    pub fn areas(&self, range: Range<usize>) -> Vec<Rect> {
        let first = self.letters.partition_point(|(text, _)| text.end <= range.start);
        let covered = self.letters[first..].iter().take_while(|(text, _)| text.start < range.end);
        let mut areas: Vec<Box> = Vec::new();
        for (_, area) in covered {
            match areas
                .last_mut()
                .filter(|last| (last.center().y - area.center().y).abs() < last.height() * LINE_TOLERANCE)
            {
                Some(last) => *last = last.union(*area),
                None => areas.push(*area),
            }
        }
        areas.into_iter().map(pixels).collect()
    }
}

fn pixels(area: Box) -> Rect {
    let area = area.inflate(area.height() * MARGIN, area.height() * MARGIN);
    let scale = f64::from(PAGE_SCALE);
    let at = |length: f64| (length * scale).max(0.0) as u32;
    let (x, y) = (at(area.x0), at(area.y0));
    Rect { x, y, width: at(area.x1).saturating_sub(x) + 1, height: at(area.y1).saturating_sub(y) + 1 }
}
