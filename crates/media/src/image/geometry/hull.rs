//! Convex hull of points with integer coordinates.

/// A corner of the pixel grid: x, y.
pub type Corner = (i32, i32);

/// Returns the convex hull, clockwise on the screen, without repeated or collinear corners (Andrew 1979). Returns fewer
/// than three corners if the points lie on a line.
pub fn convex_hull(mut points: Vec<Corner>) -> Vec<Corner> {
    points.sort_unstable();
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let mut hull = half(points.iter());
    let back = half(points.iter().rev());
    // The ends of one half are the starts of the other.
    hull.pop();
    hull.extend(&back[..back.len() - 1]);
    hull
}

/// Returns the chain of corners that only turns right.
fn half<'p>(points: impl Iterator<Item = &'p Corner>) -> Vec<Corner> {
    let mut chain: Vec<Corner> = Vec::new();
    for point in points {
        while let [.., before, last] = chain[..] {
            if cross(before, last, *point) > 0 {
                break;
            }
            chain.pop();
        }
        chain.push(*point);
    }
    chain
}

/// Returns the cross product of `from→one` and `from→other`: positive if `other` lies clockwise of `one` on the screen.
fn cross(from: Corner, one: Corner, other: Corner) -> i64 {
    let difference = |to: Corner| (i64::from(to.0 - from.0), i64::from(to.1 - from.1));
    let (one, other) = (difference(one), difference(other));
    one.0 * other.1 - one.1 * other.0
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn keeps_the_corners_of_a_square_only() {
        let points = (0..=4).flat_map(|x| (0..=4).map(move |y| (x, y))).collect();
        assert_eq!(convex_hull(points), [(0, 0), (4, 0), (4, 4), (0, 4)]);
    }

    #[test]
    fn points_on_a_line_have_two_ends() {
        assert_eq!(convex_hull((0..9).map(|at| (at, at * 2)).collect()), [(0, 0), (8, 16)]);
        assert_eq!(convex_hull(vec![(3, 3), (3, 3)]), [(3, 3)]);
    }

    proptest! {
        #[test]
        fn the_hull_is_convex_and_contains_every_point(
            points in prop::collection::vec((-500i32..500, -500i32..500), 3..60)
        ) {
            let hull = convex_hull(points.clone());
            prop_assert!(hull.iter().all(|corner| points.contains(corner)));
            prop_assume!(hull.len() > 2);
            for (at, corner) in hull.iter().enumerate() {
                let (next, after) = (hull[(at + 1) % hull.len()], hull[(at + 2) % hull.len()]);
                prop_assert!(cross(*corner, next, after) > 0);
                prop_assert!(points.iter().all(|point| cross(*corner, next, *point) >= 0));
            }
        }
    }
}
