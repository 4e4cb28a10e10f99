//! Smallest rectangle around a convex polygon.

use super::{
    hull::Corner,
    tilted::{Tilted, Vector},
};

/// Returns the rectangle of the smallest area that contains a convex hull, with its longer side along the text.
///
/// One of its sides lies on a side of the hull (Freeman and Shapira 1975). The corners that touch the other sides move
/// in one direction only from one side of the hull to the next, so the search is linear (Toussaint 1983).
pub fn smallest_rectangle(hull: &[Corner]) -> Option<Tilted> {
    if hull.len() < 3 {
        return None;
    }
    let corners: Vec<_> = hull.iter().map(|(x, y)| (f64::from(*x), f64::from(*y))).collect();
    let at = |index: usize| corners[index % corners.len()];
    let (mut right, mut far, mut left) = (1, 1, 1);
    let mut best: Option<(f64, Vector)> = None;
    for side in 0..corners.len() {
        let (from, to) = (at(side), at(side + 1));
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let along = ((to.0 - from.0) / length, (to.1 - from.1) / length);
        let projected = |index: usize| at(index).0 * along.0 + at(index).1 * along.1;
        let distance = |index: usize| (at(index).1 - from.1) * along.0 - (at(index).0 - from.0) * along.1;
        right = advance(right.max(side + 1), |index| projected(index + 1) > projected(index));
        far = advance(far.max(right), |index| distance(index + 1) > distance(index));
        left = advance(left.max(far), |index| projected(index + 1) < projected(index));
        let area = (projected(right) - projected(left)) * distance(far);
        if best.is_none_or(|(smallest, _)| area < smallest) {
            best = Some((area, (along.0 as f32, along.1 as f32)));
        }
    }
    let (_, along) = best?;
    let rectangle = Tilted::around(hull.iter().map(|(x, y)| (*x as f32, *y as f32)), along);
    Some(if rectangle.length >= rectangle.height { rectangle } else { rectangle.turned(1) })
}

fn advance(mut index: usize, continues: impl Fn(usize) -> bool) -> usize {
    while continues(index) {
        index += 1;
    }
    index
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::image::geometry::hull::convex_hull;

    #[test]
    fn finds_the_angle_of_a_tilted_bar() {
        for degrees in [-80.0f32, -45.0, -10.0, 0.0, 3.0, 44.0, 90.0] {
            let (sin, cos) = degrees.to_radians().sin_cos();
            let bar = Tilted { center: (500.0, 500.0), along: (cos, sin), length: 400.0, height: 40.0 };
            let corners = [(0.0, 0.0), (400.0, 0.0), (400.0, 40.0), (0.0, 40.0)];
            let corners = corners.map(|(x, y)| bar.point(x, y));
            let rounded = corners.map(|(x, y)| (x.round() as i32, y.round() as i32)).to_vec();
            let found = smallest_rectangle(&convex_hull(rounded)).unwrap();
            let turn = (found.along.0 * sin - found.along.1 * cos).abs();
            assert!(turn < 0.01, "{degrees}: {found:?}");
            assert!((found.length - 400.0).abs() < 3.0 && (found.height - 40.0).abs() < 3.0, "{found:?}");
        }
    }

    #[test]
    fn a_line_has_no_rectangle() {
        assert_eq!(smallest_rectangle(&[(0, 0), (5, 5)]), None);
        assert_eq!(smallest_rectangle(&[]), None);
    }

    proptest! {
        #[test]
        fn no_angle_gives_a_smaller_rectangle(
            points in prop::collection::vec((-300i32..300, -300i32..300), 3..40)
        ) {
            let hull = convex_hull(points);
            prop_assume!(hull.len() > 2);
            let smallest = smallest_rectangle(&hull).unwrap();
            let area = smallest.length * smallest.height;
            let corners = || hull.iter().map(|(x, y)| (*x as f32, *y as f32));
            for degrees in 0..180 {
                let (sin, cos) = (degrees as f32).to_radians().sin_cos();
                let other = Tilted::around(corners(), (cos, sin));
                prop_assert!(area <= other.length * other.height * 1.001 + 1.0);
            }
            prop_assert!(smallest.length >= smallest.height);
        }
    }
}
