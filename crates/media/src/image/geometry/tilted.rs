//! Rectangles at any angle.

use crate::Rect;

/// A point or a vector: x, y.
pub type Vector = (f32, f32);

/// Returns the dot product.
pub fn dot(one: Vector, other: Vector) -> f32 {
    one.0 * other.0 + one.1 * other.1
}

/// Turns a vector clockwise by a quarter.
pub const fn quarter_turn((x, y): Vector) -> Vector {
    (-y, x)
}

/// A rectangle at any angle. Text in it runs in the direction `along`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tilted {
    /// Center.
    pub center: Vector,
    /// Direction of the text, of length 1.
    pub along: Vector,
    /// Extent in the direction of the text.
    pub length: f32,
    /// Extent across the direction of the text.
    pub height: f32,
}

impl Tilted {
    /// Returns the smallest rectangle in the direction `along` that contains the points.
    pub fn around(points: impl Iterator<Item = Vector>, along: Vector) -> Self {
        let across = quarter_turn(along);
        let (mut low, mut high) = ((f32::MAX, f32::MAX), (f32::MIN, f32::MIN));
        for point in points {
            let (x, y) = (dot(point, along), dot(point, across));
            low = (low.0.min(x), low.1.min(y));
            high = (high.0.max(x), high.1.max(y));
        }
        let (x, y) = (f32::midpoint(low.0, high.0), f32::midpoint(low.1, high.1));
        let center = (x * along.0 + y * across.0, x * along.1 + y * across.1);
        Self { center, along, length: high.0 - low.0, height: high.1 - low.1 }
    }

    /// Maps a position in the rectangle, from its start and its top, to the image.
    pub fn point(&self, from_start: f32, from_top: f32) -> Vector {
        let across = quarter_turn(self.along);
        let (x, y) = (from_start - self.length / 2.0, from_top - self.height / 2.0);
        (self.center.0 + x * self.along.0 + y * across.0, self.center.1 + x * self.along.1 + y * across.1)
    }

    /// Returns the rectangle with `margin` more on each side.
    #[must_use]
    pub fn grown(self, margin: f32) -> Self {
        Self { length: self.length + 2.0 * margin, height: self.height + 2.0 * margin, ..self }
    }

    /// Returns the same area with the text running clockwise by so many quarters from before.
    #[must_use]
    pub fn turned(self, quarters: u32) -> Self {
        (0..quarters % 4).fold(self, |last, _| Self {
            along: quarter_turn(last.along),
            length: last.height,
            height: last.length,
            ..last
        })
    }

    /// Returns the smallest upright rectangle within an image of this size that contains the part between two distances
    /// from the start and two from the top.
    pub fn bounds(
        &self,
        (from, to): (f32, f32),
        (top, bottom): (f32, f32),
        (width, height): (u32, u32),
    ) -> Rect {
        let corners = [(from, top), (to, top), (from, bottom), (to, bottom)];
        let corners = corners.map(|(x, y)| self.point(x, y));
        let edges = |pick: fn(&Vector) -> f32, max: u32| {
            let low = corners.iter().map(pick).fold(f32::MAX, f32::min).floor();
            let high = corners.iter().map(pick).fold(f32::MIN, f32::max).ceil();
            (low.clamp(0.0, max as f32) as u32, high.clamp(0.0, max as f32) as u32)
        };
        let ((left, right), (top, bottom)) =
            (edges(|corner| corner.0, width), edges(|corner| corner.1, height));
        Rect { x: left, y: top, width: right - left, height: bottom - top }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINE: Tilted = Tilted { center: (50.0, 20.0), along: (1.0, 0.0), length: 80.0, height: 10.0 };

    #[test]
    fn maps_positions_from_the_start_and_the_top() {
        assert_eq!((LINE.point(0.0, 0.0), LINE.point(80.0, 10.0)), ((10.0, 15.0), (90.0, 25.0)));
        let downwards = Tilted { along: (0.0, 1.0), ..LINE };
        assert_eq!(downwards.point(0.0, 0.0), (55.0, -20.0));
        assert_eq!(LINE.turned(2).point(0.0, 0.0), (90.0, 25.0));
    }

    #[test]
    fn bounds_stay_in_the_image() {
        let bounds = |part: (f32, f32), size: (u32, u32)| LINE.bounds(part, (2.0, 10.0), size);
        assert_eq!(bounds((0.0, 40.0), (100, 100)), Rect { x: 10, y: 17, width: 40, height: 8 });
        assert_eq!(bounds((-99.0, 999.0), (70, 18)), Rect { x: 0, y: 17, width: 70, height: 1 });
    }

    proptest! {
        #[test]
        fn contains_the_points_it_was_made_around(
            points in prop::collection::vec((-500.0f32..500.0, -500.0f32..500.0), 1..30), degrees in 0.0f32..360.0
        ) {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let around = Tilted::around(points.iter().copied(), (cos, sin));
            for point in points {
                let from_center = (point.0 - around.center.0, point.1 - around.center.1);
                let (x, y) = (dot(from_center, around.along), dot(from_center, quarter_turn(around.along)));
                prop_assert!(x.abs() <= around.length / 2.0 + 0.01 && y.abs() <= around.height / 2.0 + 0.01);
            }
        }

        #[test]
        fn four_quarter_turns_change_nothing(degrees in 0.0f32..360.0) {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let one = Tilted { along: (cos, sin), ..LINE };
            prop_assert_eq!(one.turned(4), one);
            prop_assert_eq!(one.turned(1).turned(3), one);
        }
    }
}
