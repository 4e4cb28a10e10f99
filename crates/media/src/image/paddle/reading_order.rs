//! Reading order of the lines of a page: columns of running text from the left, rows from the top.
//!
//! Cells of a table stay in their rows, because a label and its value stand beside each other.

use std::cmp::Ordering;

use crate::image::geometry::tilted::{Tilted, Vector, dot, quarter_turn};

/// Share of the height of the lower of two lines that they share if they are in one row.
const SHARED: f32 = 0.5;
/// Rows that a line may be appended to, from the last one: rows of a page that is not level overlap.
const OPEN_ROWS: usize = 8;
/// Width of the gap between two columns in heights of a line.
const GUTTER: f32 = 1.0;
/// Lines of a column, at least.
const MIN_COLUMN: usize = 3;
/// Proportion of length to height of the lines of running text, unlike cells of a table.
const RUNNING: f32 = 8.0;
/// Height of the gap between two blocks in heights of a line.
const BLOCK_GAP: f32 = 1.2;

/// Extent of a line in the directions of the page.
#[derive(Clone, Copy, Debug)]
struct Extent {
    index: usize,
    left: f32,
    right: f32,
    top: f32,
    bottom: f32,
}

impl Extent {
    fn of(index: usize, line: &Tilted, page: Vector) -> Self {
        let corners = [(0.0, 0.0), (line.length, 0.0), (line.length, line.height), (0.0, line.height)];
        let corners = corners.map(|(x, y)| line.point(x, y));
        let around = Tilted::around(corners.into_iter(), page);
        let (x, y) = (dot(around.center, page), dot(around.center, quarter_turn(page)));
        let (half, half_height) = (around.length / 2.0, around.height / 2.0);
        Self { index, left: x - half, right: x + half, top: y - half_height, bottom: y + half_height }
    }

    fn height(&self) -> f32 {
        self.bottom - self.top
    }

    fn is_beside(&self, other: &Self) -> bool {
        let shared = self.bottom.min(other.bottom) - self.top.max(other.top);
        shared > SHARED * self.height().min(other.height())
    }

    /// Returns the horizontal distance. Negative if one is above the other.
    fn distance(&self, other: &Self) -> f32 {
        (self.left - other.right).max(other.left - self.right)
    }
}

/// Returns the rows of a page whose text runs in the direction `page`: indices of `lines` from the left.
pub fn rows(lines: &[Tilted], page: Vector) -> Vec<Vec<usize>> {
    let extents = lines.iter().enumerate().map(|(index, line)| Extent::of(index, line, page)).collect();
    ordered(extents)
}

fn ordered(mut lines: Vec<Extent>) -> Vec<Vec<usize>> {
    if let Some((left, right)) = columns(&mut lines) {
        return [ordered(left), ordered(right)].concat();
    }
    let blocks = blocks(lines);
    if blocks.len() > 1 {
        return blocks.into_iter().flat_map(ordered).collect();
    }
    blocks.into_iter().flat_map(rows_of_block).collect()
}

/// Splits running text at the widest gap between columns.
fn columns(lines: &mut [Extent]) -> Option<(Vec<Extent>, Vec<Extent>)> {
    if lines.len() < 2 * MIN_COLUMN {
        return None;
    }
    let gutter = median(lines.iter().map(Extent::height)) * GUTTER;
    lines.sort_unstable_by(|one, other| one.left.total_cmp(&other.left));
    let mut right = f32::MIN;
    let mut widest = (gutter, 0);
    for (index, line) in lines.iter().enumerate() {
        if index > 0 && line.left - right >= widest.0 {
            widest = (line.left - right, index);
        }
        right = right.max(line.right);
    }
    let (left, right) = lines.split_at(widest.1);
    (is_column(left) && is_column(right)).then(|| (left.to_vec(), right.to_vec()))
}

fn is_column(lines: &[Extent]) -> bool {
    lines.len() >= MIN_COLUMN
        && median(lines.iter().map(|line| (line.right - line.left) / line.height().max(1.0))) >= RUNNING
}

/// Splits lines at gaps between one and the next below.
fn blocks(mut lines: Vec<Extent>) -> Vec<Vec<Extent>> {
    lines.sort_unstable_by(by_top);
    let gap = median(lines.iter().map(Extent::height)) * BLOCK_GAP;
    let mut blocks: Vec<Vec<Extent>> = Vec::new();
    let mut bottom = f32::MIN;
    for line in lines {
        match blocks.last_mut().filter(|_| line.top - bottom < gap) {
            Some(block) => block.push(line),
            None => blocks.push(vec![line]),
        }
        bottom = bottom.max(line.bottom);
    }
    blocks
}

/// Returns the rows of lines that are sorted by their top.
fn rows_of_block(lines: Vec<Extent>) -> Vec<Vec<usize>> {
    let mut rows: Vec<Vec<Extent>> = Vec::new();
    for line in lines {
        let open = rows.len().saturating_sub(OPEN_ROWS);
        match rows[open..].iter_mut().rfind(|row| continues(row, &line)) {
            Some(row) => row.push(line),
            None => rows.push(vec![line]),
        }
    }
    let sorted = |mut row: Vec<Extent>| {
        row.sort_unstable_by(|one, other| one.left.total_cmp(&other.left));
        row.into_iter().map(|line| line.index).collect()
    };
    rows.into_iter().map(sorted).collect()
}

/// Returns whether a line is beside the nearest line of a row.
fn continues(row: &[Extent], line: &Extent) -> bool {
    let nearest = row.iter().min_by(|one, other| one.distance(line).total_cmp(&other.distance(line)));
    // Detected areas of one row overlap a little.
    nearest.is_some_and(|nearest| nearest.is_beside(line) && nearest.distance(line) > -line.height())
}

fn by_top(one: &Extent, other: &Extent) -> Ordering {
    one.top.total_cmp(&other.top)
}

/// Returns the median. 0 without values.
fn median(values: impl Iterator<Item = f32>) -> f32 {
    let mut values: Vec<_> = values.collect();
    let middle = values.len() / 2;
    if values.is_empty() { 0.0 } else { *values.select_nth_unstable_by(middle, f32::total_cmp).1 }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// A line of twenty pixels in height whose upper left corner is at `x`, `y`.
    fn line(x: f32, y: f32, length: f32) -> Tilted {
        Tilted { center: (x + length / 2.0, y + 10.0), along: (1.0, 0.0), length, height: 20.0 }
    }

    const LEVEL: Vector = (1.0, 0.0);

    #[test]
    fn cells_of_a_table_stay_in_their_rows() {
        let lines: Vec<_> =
            (0..4).flat_map(|row| [200.0, 0.0].map(|x| line(x, row as f32 * 30.0, 90.0))).collect();
        assert_eq!(rows(&lines, LEVEL), [[1, 0], [3, 2], [5, 4], [7, 6]]);
    }

    #[test]
    fn columns_of_running_text_are_read_one_after_the_other() {
        let at = |x: f32| (0..4).map(move |row| line(x, 90.0 + row as f32 * 30.0, 300.0));
        let heading = line(0.0, 0.0, 700.0);
        let lines: Vec<_> = at(350.0).chain([heading]).chain(at(0.0)).collect();
        assert_eq!(rows(&lines, LEVEL).concat(), [4, 5, 6, 7, 8, 0, 1, 2, 3]);
    }

    #[test]
    fn rows_that_slope_are_rows_of_a_page_that_does() {
        let lines: Vec<_> =
            (0..3).flat_map(|row| [0.0, 300.0].map(|x| line(x, row as f32 * 25.0, 100.0))).collect();
        let (sin, cos) = 8.0f32.to_radians().sin_cos();
        let turn = |(x, y): Vector| (x * cos - y * sin, x * sin + y * cos);
        let sloped: Vec<_> = lines
            .into_iter()
            .map(|line| Tilted { center: turn(line.center), along: (cos, sin), ..line })
            .collect();
        assert_eq!(rows(&sloped, (cos, sin)), [[0, 1], [2, 3], [4, 5]]);
        assert_eq!(rows(&sloped, (-cos, -sin)), [[5, 4], [3, 2], [1, 0]]);
    }

    proptest! {
        #[test]
        fn every_line_is_in_one_row(places in prop::collection::vec((0u16..900, 0u16..900, 5u16..400), 0..40)) {
            let lines: Vec<_> =
                places.iter().map(|(x, y, length)| line(f32::from(*x), f32::from(*y), f32::from(*length))).collect();
            let mut read = rows(&lines, LEVEL).concat();
            read.sort_unstable();
            prop_assert_eq!(read, (0..lines.len()).collect::<Vec<_>>());
        }
    }
}
