//! Rotation and scaling of an image for OCR, and the reverse mapping of positions.

use image::{GrayImage, Luma};

use crate::Rect;

/// Rotation and scale of the image that OCR reads.
#[derive(Clone, Copy, Debug)]
pub struct Orientation {
    /// Clockwise angle in radians.
    angle: f32,
    /// Drawn pixels per pixel of the original image.
    scale: f32,
    /// Size of the original image.
    from: (f32, f32),
    /// Size of the drawn image.
    to: (f32, f32),
}

impl Orientation {
    /// Rotates `image` clockwise by `degrees` and scales it by `scale`.
    pub fn of(image: &GrayImage, degrees: f32, scale: f32) -> Self {
        let (angle, (width, height)) = (degrees.to_radians(), image.dimensions());
        let from = (width as f32, height as f32);
        let (sin, cos) = (angle.sin().abs(), angle.cos().abs());
        let to = ((from.0 * cos + from.1 * sin) * scale, (from.0 * sin + from.1 * cos) * scale);
        Self { angle, scale, from, to: (to.0.round().max(1.0), to.1.round().max(1.0)) }
    }

    /// Maps a drawn position to the original image.
    fn to_original(self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = ((x - self.to.0 / 2.0) / self.scale, (y - self.to.1 / 2.0) / self.scale);
        let (sin, cos) = self.angle.sin_cos();
        (x * cos + y * sin + self.from.0 / 2.0, y * cos - x * sin + self.from.1 / 2.0)
    }

    /// Draws the image with white around it.
    pub fn draw(&self, image: &GrayImage) -> GrayImage {
        GrayImage::from_fn(self.to.0 as u32, self.to.1 as u32, |x, y| {
            let (x, y) = self.to_original(x as f32 + 0.5, y as f32 + 0.5);
            Luma([interpolate(image, x - 0.5, y - 0.5)])
        })
    }

    /// Returns the rectangle of the original image that contains the drawn rectangle (left, top, right, bottom).
    pub fn area(&self, [left, top, right, bottom]: [i32; 4]) -> Rect {
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        let corners = corners.map(|(x, y)| self.to_original(x as f32, y as f32));
        let within =
            |low: f32, high: f32, max: f32| (low.floor().clamp(0.0, max), high.ceil().clamp(0.0, max));
        let low = |pick: fn((f32, f32)) -> f32| corners.map(pick).into_iter().fold(f32::MAX, f32::min);
        let high = |pick: fn((f32, f32)) -> f32| corners.map(pick).into_iter().fold(f32::MIN, f32::max);
        let (left, right) = within(low(|(x, _)| x), high(|(x, _)| x), self.from.0);
        let (top, bottom) = within(low(|(_, y)| y), high(|(_, y)| y), self.from.1);
        Rect { x: left as u32, y: top as u32, width: (right - left) as u32, height: (bottom - top) as u32 }
    }
}

/// Returns the bilinear interpolation of four pixels. Pixels beyond the edges are white.
fn interpolate(image: &GrayImage, x: f32, y: f32) -> u8 {
    let (column, row) = (x.floor(), y.floor());
    let at = |x: f32, y: f32| {
        let is_inside = x >= 0.0 && y >= 0.0 && x < image.width() as f32 && y < image.height() as f32;
        if is_inside { f32::from(image[(x as u32, y as u32)].0[0]) } else { 255.0 }
    };
    let (right, down) = (x - column, y - row);
    let above = at(column, row) * (1.0 - right) + at(column + 1.0, row) * right;
    let below = at(column, row + 1.0) * (1.0 - right) + at(column + 1.0, row + 1.0) * right;
    (above * (1.0 - down) + below * down).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dot() -> GrayImage {
        GrayImage::from_fn(60, 40, |x, y| {
            Luma([if (10..14).contains(&x) && (6..9).contains(&y) { 0 } else { 255 }])
        })
    }

    /// Returns the bounds of the dark pixels.
    fn dark_bounds(image: &GrayImage) -> [i32; 4] {
        let dark = image.enumerate_pixels().filter(|(_, _, shade)| shade.0[0] < 128);
        dark.fold([i32::MAX, i32::MAX, 0, 0], |[left, top, right, bottom], (x, y, _)| {
            let (x, y) = (x as i32, y as i32);
            [left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]
        })
    }

    #[test]
    fn maps_drawn_positions_back_to_the_image() {
        let image = dot();
        for degrees in [0.0, 90.0, 180.0, 270.0] {
            for scale in [0.5, 1.0, 2.0] {
                let orientation = Orientation::of(&image, degrees, scale);
                let area = orientation.area(dark_bounds(&orientation.draw(&image)));
                let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
                assert!((11..=13).contains(&x) && (6..=8).contains(&y), "{degrees} {scale} {area:?}");
            }
        }
    }

    #[test]
    fn a_quarter_turn_keeps_the_whole_image() {
        let turned = Orientation::of(&dot(), 90.0, 1.0).draw(&dot());
        assert_eq!((turned.dimensions(), dark_bounds(&turned)), ((40, 60), [31, 10, 34, 14]));
    }
}
