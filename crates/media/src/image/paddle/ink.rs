//! Ink of a line: the gaps between its words and the rows that a word covers.

use std::ops::Range;

use image::RgbImage;

use crate::image::geometry::tilted::Tilted;

/// Share of the line's contrast below which a column or a row is empty.
const EMPTY: f32 = 0.2;
/// Width of a gap as a share of the line's height, where the ink shows none.
const DEFAULT_GAP: f32 = 0.1;

/// A line whose pixels are read where the image shows them.
pub struct Ink<'i> {
    image: &'i RgbImage,
    area: Tilted,
    /// Range of shades of each column, one per pixel along the line.
    columns: Vec<u8>,
    /// Ranges up to this are empty.
    empty: u8,
}

impl<'i> Ink<'i> {
    /// Reads the columns of a line. Takes time linear in its pixels.
    pub fn of(image: &'i RgbImage, area: Tilted) -> Self {
        let rows = 0..pixels(area.height);
        let column = |x: usize| range(rows.clone().map(|y| shade(image, &area, x, y)));
        let columns: Vec<_> = (0..pixels(area.length)).map(column).collect();
        let most = columns.iter().copied().max().unwrap_or(0);
        Self { image, area, columns, empty: (f32::from(most) * EMPTY) as u8 }
    }

    /// Returns the widest gap between two distances from the start of the line, or a narrow one between them if the ink
    /// shows none.
    pub fn gap_between(&self, from: f32, to: f32) -> Range<f32> {
        let (first, end) = (self.column(from), self.column(to));
        let columns = self.columns.get(first..end).unwrap_or_default();
        let mut widest = 0..0;
        let mut start = 0;
        for run in columns.chunk_by(|one, next| (*one <= self.empty) == (*next <= self.empty)) {
            if run[0] <= self.empty && run.len() > widest.len() {
                widest = start..start + run.len();
            }
            start += run.len();
        }
        if widest.is_empty() {
            let (middle, half) = (f32::midpoint(from, to), self.area.height * DEFAULT_GAP / 2.0);
            return middle - half..middle + half;
        }
        (first + widest.start) as f32..(first + widest.end) as f32
    }

    /// Returns the distances from the top of the line between which a part of it has ink, or the whole height if the
    /// part shows none.
    pub fn rows_between(&self, from: f32, to: f32) -> (f32, f32) {
        let columns = self.column(from)..self.column(to);
        let has_ink =
            |y: &usize| range(columns.clone().map(|x| shade(self.image, &self.area, x, *y))) > self.empty;
        let mut rows = 0..pixels(self.area.height);
        let Some(first) = rows.find(has_ink) else { return (0.0, self.area.height) };
        let last = rows.rfind(has_ink).unwrap_or(first);
        (first as f32, (last + 1) as f32)
    }

    fn column(&self, at: f32) -> usize {
        (at.max(0.0) as usize).min(self.columns.len())
    }
}

fn pixels(length: f32) -> usize {
    length.ceil().max(1.0) as usize
}

/// Returns the difference between the lightest and the darkest shade. 0 without shades.
fn range(shades: impl Iterator<Item = u8>) -> u8 {
    let (low, high) = shades.fold((u8::MAX, 0), |(low, high), shade| (low.min(shade), high.max(shade)));
    high.saturating_sub(low)
}

/// Returns the shade of a pixel of a line. Pixels beyond the edges of the image repeat the edge.
fn shade(image: &RgbImage, area: &Tilted, x: usize, y: usize) -> u8 {
    let (x, y) = area.point(x as f32 + 0.5, y as f32 + 0.5);
    let clamped = |at: f32, edge: u32| (at.max(0.0) as u32).min(edge - 1);
    let [red, green, blue] = image.get_pixel(clamped(x, image.width()), clamped(y, image.height())).0;
    ((u32::from(red) * 2 + u32::from(green) * 5 + u32::from(blue)) / 8) as u8
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    /// A line of ten pixels in height with ink from the fourth to the seventh row in these columns.
    fn line(ink: &[Range<u32>], length: u32) -> (RgbImage, Tilted) {
        let is_ink = |x: u32, y: u32| (3..7).contains(&y) && ink.iter().any(|columns| columns.contains(&x));
        let image = RgbImage::from_fn(length, 10, |x, y| Rgb([if is_ink(x, y) { 0 } else { 255 }; 3]));
        let center = (length as f32 / 2.0, 5.0);
        (image, Tilted { center, along: (1.0, 0.0), length: length as f32, height: 10.0 })
    }

    #[test]
    fn finds_the_widest_gap_between_two_letters() {
        let (image, area) = line(&[0..20, 22..30, 40..60], 60);
        let ink = Ink::of(&image, area);
        assert_eq!(ink.gap_between(10.0, 50.0), 30.0..40.0);
        assert_eq!(ink.gap_between(10.0, 25.0), 20.0..22.0);
    }

    #[test]
    fn separates_letters_that_touch_in_the_middle() {
        let (image, area) = line(&[0..30, 30..60], 60);
        let ink = Ink::of(&image, area);
        assert_eq!(ink.gap_between(20.0, 40.0), 29.5..30.5);
        assert_eq!(ink.gap_between(80.0, 90.0), 84.5..85.5);
    }

    #[test]
    fn finds_the_rows_with_ink() {
        let (image, area) = line(&[0..20, 40..60], 60);
        let ink = Ink::of(&image, area);
        assert_eq!(ink.rows_between(10.0, 30.0), (3.0, 7.0));
        assert_eq!(ink.rows_between(25.0, 35.0), (0.0, 10.0));
    }
}
