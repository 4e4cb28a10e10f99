//! By how much lines of writing slope.
//!
//! Rows through lines of writing are dark, rows between them are light: the slope at which neighbouring rows differ most
//! is that of the lines (Postl 1986). It is looked for on a small copy.

use image::{GrayImage, imageops};

/// Degrees to either side.
const WIDEST: f32 = 12.0;
const COARSE: f32 = 1.0;
const FINE: f32 = 0.25;
/// Pixels of the copy's longer edge.
const EDGE: u32 = 800;
/// Straight pictures are nearly as good at small slopes: a slope has to be better by so much.
const BETTER: f64 = 1.1;

/// Degrees by which the picture is to be turned clockwise, so that its lines are level.
pub fn correction(picture: &GrayImage) -> f32 {
    let dark = dark(&small(picture));
    let straight = steps(&dark, 0.0);
    let coarse = best(&dark, (-WIDEST, WIDEST), COARSE);
    let (angle, score) = best(&dark, (coarse.0 - COARSE, coarse.0 + COARSE), FINE);
    if score > straight * BETTER { -angle } else { 0.0 }
}

fn small(picture: &GrayImage) -> GrayImage {
    let longest = picture.width().max(picture.height());
    if longest <= EDGE {
        return picture.clone();
    }
    let short = |edge: u32| (u64::from(edge) * u64::from(EDGE) / u64::from(longest)).max(1) as u32;
    imageops::thumbnail(picture, short(picture.width()), short(picture.height()))
}

/// Where there is writing, and how much: places with their darkness.
fn dark(picture: &GrayImage) -> Vec<(f32, f32, f64)> {
    let places = picture.enumerate_pixels().filter(|(_, _, shade)| shade.0[0] < 160);
    places.map(|(x, y, shade)| (x as f32, y as f32, f64::from(255 - shade.0[0]))).collect()
}

fn best(dark: &[(f32, f32, f64)], (from, to): (f32, f32), step: f32) -> (f32, f64) {
    let count = ((to - from) / step).round() as i32;
    let scored = (0..=count).map(|at| from + at as f32 * step).map(|angle| (angle, steps(dark, angle)));
    scored.fold((0.0, 0.0), |best, one| if one.1 > best.1 { one } else { best })
}

/// How much neighbouring rows differ, when rows slope by so many degrees.
fn steps(dark: &[(f32, f32, f64)], degrees: f32) -> f64 {
    let slope = degrees.to_radians().tan();
    let reach = EDGE as f32 * (1.0 + WIDEST.to_radians().tan() * 2.0);
    let mut rows = vec![0.0; reach as usize * 2];
    for (x, y, darkness) in dark {
        let row = y - x * slope + reach / 2.0;
        if let Some(row) = rows.get_mut(row as usize) {
            *row += darkness;
        }
    }
    rows.windows(2).map(|pair: &[f64]| (pair[1] - pair[0]).powi(2)).sum()
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    #[test]
    fn sloping_lines_are_levelled() {
        for degrees in [-8.0_f32, -2.5, 0.0, 3.0, 9.0] {
            let slope = degrees.to_radians().tan();
            let lines = GrayImage::from_fn(600, 400, |x, y| {
                let row = y as f32 - x as f32 * slope;
                Luma([if row.rem_euclid(24.0) < 9.0 { 0 } else { 255 }])
            });
            assert!((correction(&lines) + degrees).abs() <= 0.5, "{degrees}: {}", correction(&lines));
        }
    }
}
