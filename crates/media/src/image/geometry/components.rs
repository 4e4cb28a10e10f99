//! Connected components of a map.

use super::hull::{Corner, convex_hull};

/// Connected cells of a map.
#[derive(Clone, Debug, PartialEq)]
pub struct Component {
    /// Convex hull around the cells.
    pub hull: Vec<Corner>,
    /// Sum of the values of the cells.
    pub sum: f32,
}

/// Returns the components of the cells above `threshold`, connected across sides and corners, from the top. Reads at
/// most `max` of them. Takes time linear in the map.
pub fn components(map: &[f32], width: usize, threshold: f32, max: usize) -> Vec<Component> {
    assert!(width > 0 && map.len().is_multiple_of(width), "a rectangular map");
    let mut is_open: Vec<bool> = map.iter().map(|value| *value > threshold).collect();
    let mut found = Vec::new();
    let mut next = 0;
    while let Some(start) = is_open[next..].iter().position(|open| *open).map(|at| at + next) {
        if found.len() == max {
            break;
        }
        found.push(take(map, width, &mut is_open, start));
        next = start + 1;
    }
    found
}

/// Closes the component that contains `start` and returns it.
fn take(map: &[f32], width: usize, is_open: &mut [bool], start: usize) -> Component {
    let height = map.len() / width;
    let mut rows: Vec<Option<(usize, usize)>> = Vec::new();
    let top = start / width;
    let (mut sum, mut waiting) = (0.0, vec![start]);
    is_open[start] = false;
    while let Some(cell) = waiting.pop() {
        let (x, y) = (cell % width, cell / width);
        sum += map[cell];
        // The first cell that is found of a component is in its topmost row.
        if rows.len() <= y - top {
            rows.resize(y - top + 1, None);
        }
        let (left, right) = rows[y - top].unwrap_or((x, x));
        rows[y - top] = Some((left.min(x), right.max(x)));
        for y in y.saturating_sub(1)..(y + 2).min(height) {
            for x in x.saturating_sub(1)..(x + 2).min(width) {
                let cell = y * width + x;
                if std::mem::take(&mut is_open[cell]) {
                    waiting.push(cell);
                }
            }
        }
    }
    Component { hull: convex_hull(corners(top, &rows)), sum }
}

/// Returns the outer corners of the first and the last cell of each row.
fn corners(top: usize, rows: &[Option<(usize, usize)>]) -> Vec<Corner> {
    let ends = rows.iter().enumerate().filter_map(|(y, ends)| Some((y + top, (*ends)?)));
    let corners = ends.flat_map(|(y, (left, right))| {
        let (left, right, y) = (left as i32, right as i32 + 1, y as i32);
        [(left, y), (left, y + 1), (right, y), (right, y + 1)]
    });
    corners.collect()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn map(rows: &[&str]) -> (Vec<f32>, usize) {
        let value = |letter: char| letter.to_digit(10).map_or(0.0, |digit| digit as f32 / 10.0);
        (rows.concat().chars().map(value).collect(), rows[0].len())
    }

    #[test]
    fn separates_components_and_joins_them_across_corners() {
        let (map, width) = map(&["99....", "..9..8", ".....8"]);
        let found = components(&map, width, 0.3, 9);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].hull, [(0, 0), (2, 0), (3, 1), (3, 2), (2, 2), (0, 1)]);
        assert_eq!(found[1].hull, [(5, 1), (6, 1), (6, 3), (5, 3)]);
        assert!((found[1].sum - 1.6).abs() < 1e-6);
    }

    #[test]
    fn ignores_values_at_the_threshold_and_stops_at_the_maximum() {
        let (map, width) = map(&["3.9.9.9"]);
        assert_eq!(components(&map, width, 0.3, 9).len(), 3);
        assert_eq!(components(&map, width, 0.3, 2).len(), 2);
        assert_eq!(components(&[], 5, 0.3, 2), []);
    }

    proptest! {
        #[test]
        fn every_cell_is_in_one_component(cells in prop::collection::vec(any::<bool>(), 120)) {
            let map: Vec<_> = cells.iter().map(|cell| f32::from(u8::from(*cell))).collect();
            let found = components(&map, 12, 0.5, usize::MAX);
            prop_assert_eq!(found.iter().map(|one| one.sum).sum::<f32>(), map.iter().sum::<f32>());
            prop_assert!(found.iter().all(|one| one.hull.len() >= 4));
        }
    }
}
