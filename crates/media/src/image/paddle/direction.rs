//! Direction in which the lines of a page run.

use super::detector::Region;
use crate::image::geometry::tilted::{Tilted, Vector, dot, quarter_turn};

/// Proportion of a line's length to its height from which its own direction is reliable.
const LONG: f32 = 3.0;
/// Proportion of a line's height to its length from which its text runs across the page.
const TALL: f32 = 1.5;

/// Returns the direction of most lines of a page, up to a half turn. The angle is within 45° of the right or of the
/// bottom edge.
pub fn page_direction(regions: &[Region]) -> Vector {
    let long: Vec<_> = regions.iter().map(|region| region.smallest).filter(is_long).collect();
    let weight = |lines: &mut dyn Iterator<Item = &Tilted>| lines.map(|line| line.length).sum::<f32>();
    let is_level = |line: &&Tilted| line.along.0.abs() >= line.along.1.abs();
    let level = weight(&mut long.iter().filter(is_level));
    let steep = weight(&mut long.iter().filter(|line| !is_level(line)));
    let axis: Vector = if level >= steep { (1.0, 0.0) } else { (0.0, 1.0) };
    let mut angles: Vec<_> = long
        .iter()
        .filter(|line| is_level(line) == (level >= steep))
        .map(|line| (deviation(line.along, axis), line.length))
        .collect();
    angles.sort_unstable_by(|one, other| one.0.total_cmp(&other.0));
    let (sin, cos) = median(&angles).sin_cos();
    (axis.0 * cos - axis.1 * sin, axis.1 * cos + axis.0 * sin)
}

/// Returns the rectangle of a region whose text runs like the page's lines. A tall region is read from its upper end.
pub fn line_of(region: &Region, page: Vector) -> Tilted {
    let own = region.smallest;
    let line = if is_long(&own) { own } else { region.along(page) };
    // The side that is closest to the direction of the page.
    let line = (0..4)
        .map(|quarters| line.turned(quarters))
        .max_by(|one, other| dot(one.along, page).total_cmp(&dot(other.along, page)));
    let line = line.unwrap_or(own);
    if line.height > line.length * TALL { line.turned(1) } else { line }
}

fn is_long(line: &Tilted) -> bool {
    line.length >= line.height * LONG
}

/// Returns the angle from `axis` to a direction or to its opposite, in radians.
fn deviation(along: Vector, axis: Vector) -> f32 {
    let sign = if dot(along, axis) < 0.0 { -1.0 } else { 1.0 };
    (dot(along, quarter_turn(axis)) * sign).atan2(dot(along, axis) * sign)
}

/// Returns the median of sorted values with weights. 0 if there are none.
fn median(sorted: &[(f32, f32)]) -> f32 {
    let half = sorted.iter().map(|(_, weight)| weight).sum::<f32>() / 2.0;
    let mut sum = 0.0;
    let middle = sorted.iter().find(|(_, weight)| {
        sum += weight;
        sum >= half
    });
    middle.map_or(0.0, |(value, _)| *value)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn region(center: Vector, degrees: f32, length: f32, height: f32) -> Region {
        let (sin, cos) = degrees.to_radians().sin_cos();
        Region::of_rectangle(Tilted { center, along: (cos, sin), length, height })
    }

    fn degrees((x, y): Vector) -> f32 {
        y.atan2(x).to_degrees()
    }

    #[test]
    fn the_page_runs_like_its_long_lines() {
        for slope in [-20.0, 0.0, 6.0, 89.0] {
            let lines = [
                region((200.0, 100.0), slope, 300.0, 20.0),
                region((200.0, 200.0), slope + 180.0, 200.0, 20.0),
                region((50.0, 300.0), slope + 45.0, 25.0, 24.0),
                region((300.0, 300.0), slope + 90.0, 90.0, 20.0),
            ];
            let found = degrees(page_direction(&lines));
            assert!((found - slope).abs() < 1.5, "{slope}: {found}");
        }
        assert_eq!(page_direction(&[]), (1.0, 0.0));
    }

    #[test]
    fn short_lines_run_like_the_page_and_long_ones_as_they_do() {
        let page = (1.0, 0.0);
        let short = line_of(&region((50.0, 50.0), 45.0, 30.0, 28.0), page);
        assert_eq!(short.along, page);
        let long = line_of(&region((200.0, 50.0), 185.0, 300.0, 20.0), page);
        assert!((degrees(long.along) - 5.0).abs() < 1.0, "{long:?}");
        let across = line_of(&region((200.0, 200.0), 90.0, 300.0, 20.0), page);
        assert!((degrees(across.along) - 90.0).abs() < 1.0 && across.length > across.height, "{across:?}");
    }
}
