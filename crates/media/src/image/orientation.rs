//! A picture turned and scaled for the recogniser, and the way back.

use image::{GrayImage, Luma};

use crate::Rect;

/// How a picture is drawn for the recogniser.
#[derive(Clone, Copy, Debug)]
pub struct Orientation {
    /// Clockwise, in radians.
    angle: f32,
    /// Pixels drawn for each of the picture.
    scale: f32,
    from: (f32, f32),
    to: (f32, f32),
}

impl Orientation {
    /// `picture` turned clockwise by `degrees`, `scale` times as large.
    pub fn of(picture: &GrayImage, degrees: f32, scale: f32) -> Self {
        let (angle, (width, height)) = (degrees.to_radians(), picture.dimensions());
        let from = (width as f32, height as f32);
        let (sin, cos) = (angle.sin().abs(), angle.cos().abs());
        let to = ((from.0 * cos + from.1 * sin) * scale, (from.0 * sin + from.1 * cos) * scale);
        Self { angle, scale, from, to: (to.0.round().max(1.0), to.1.round().max(1.0)) }
    }

    /// Where in the picture something drawn at `x`, `y` comes from.
    fn back(&self, x: f32, y: f32) -> (f32, f32) {
        let (x, y) = ((x - self.to.0 / 2.0) / self.scale, (y - self.to.1 / 2.0) / self.scale);
        let (sin, cos) = self.angle.sin_cos();
        (x * cos + y * sin + self.from.0 / 2.0, y * cos - x * sin + self.from.1 / 2.0)
    }

    /// The picture as the recogniser gets it; white around it.
    pub fn draw(&self, picture: &GrayImage) -> GrayImage {
        GrayImage::from_fn(self.to.0 as u32, self.to.1 as u32, |x, y| {
            let (x, y) = self.back(x as f32 + 0.5, y as f32 + 0.5);
            Luma([shade(picture, x - 0.5, y - 0.5)])
        })
    }

    /// The rectangle of the picture that holds what was drawn between these corners: left, top, right, bottom.
    pub fn area(&self, [left, top, right, bottom]: [i32; 4]) -> Rect {
        let corners = [(left, top), (right, top), (left, bottom), (right, bottom)];
        let corners = corners.map(|(x, y)| self.back(x as f32, y as f32));
        let within =
            |low: f32, high: f32, most: f32| (low.floor().clamp(0.0, most), high.ceil().clamp(0.0, most));
        let low = |pick: fn((f32, f32)) -> f32| corners.map(pick).into_iter().fold(f32::MAX, f32::min);
        let high = |pick: fn((f32, f32)) -> f32| corners.map(pick).into_iter().fold(f32::MIN, f32::max);
        let (left, right) = within(low(|(x, _)| x), high(|(x, _)| x), self.from.0);
        let (top, bottom) = within(low(|(_, y)| y), high(|(_, y)| y), self.from.1);
        Rect { x: left as u32, y: top as u32, width: (right - left) as u32, height: (bottom - top) as u32 }
    }
}

/// The shade between four pixels, white beyond the edges.
fn shade(picture: &GrayImage, x: f32, y: f32) -> u8 {
    let (column, row) = (x.floor(), y.floor());
    let at = |x: f32, y: f32| {
        let is_inside = x >= 0.0 && y >= 0.0 && x < picture.width() as f32 && y < picture.height() as f32;
        if is_inside { f32::from(picture[(x as u32, y as u32)].0[0]) } else { 255.0 }
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

    /// The corners of what is dark.
    fn dark(picture: &GrayImage) -> [i32; 4] {
        let places = picture.enumerate_pixels().filter(|(_, _, shade)| shade.0[0] < 128);
        places.fold([i32::MAX, i32::MAX, 0, 0], |[left, top, right, bottom], (x, y, _)| {
            let (x, y) = (x as i32, y as i32);
            [left.min(x), top.min(y), right.max(x + 1), bottom.max(y + 1)]
        })
    }

    #[test]
    fn what_is_drawn_is_found_again_in_the_picture() {
        let picture = dot();
        for degrees in [0.0, 90.0, 180.0, 270.0] {
            for scale in [0.5, 1.0, 2.0] {
                let frame = Orientation::of(&picture, degrees, scale);
                let area = frame.area(dark(&frame.draw(&picture)));
                let (x, y) = (area.x + area.width / 2, area.y + area.height / 2);
                assert!((11..=13).contains(&x) && (6..=8).contains(&y), "{degrees} {scale} {area:?}");
            }
        }
    }

    #[test]
    fn nothing_is_lost_when_a_picture_is_turned_by_a_quarter() {
        let turned = Orientation::of(&dot(), 90.0, 1.0).draw(&dot());
        assert_eq!((turned.dimensions(), dark(&turned)), ((40, 60), [31, 10, 34, 14]));
    }
}
