//! Detection of skewed lines of text.
//!
//! Rows through lines of text are dark and rows between them are light. The slope at which adjacent rows differ most is
//! that of the lines (Postl 1986). The search uses a reduced copy of the image.

use image::{GrayImage, imageops};

/// Largest angle that is detected, in degrees to either side.
const MAX_DEGREES: f32 = 12.0;
/// Steps of the coarse search in degrees.
const COARSE: f32 = 1.0;
/// Steps of the fine search in degrees.
const FINE: f32 = 0.25;
/// Longer edge of the copy in pixels.
const EDGE: u32 = 800;
/// Factor by which a slope must score better than none, because a straight image scores almost as well at small slopes.
const MIN_IMPROVEMENT: f64 = 1.1;

/// Returns the clockwise rotation in degrees that levels the lines.
pub fn correction(image: &GrayImage) -> f32 {
    let dark = dark_pixels(&reduced(image));
    let straight = contrast(&dark, 0.0);
    let coarse = best(&dark, (-MAX_DEGREES, MAX_DEGREES), COARSE);
    let (angle, score) = best(&dark, (coarse.0 - COARSE, coarse.0 + COARSE), FINE);
    if score > straight * MIN_IMPROVEMENT { -angle } else { 0.0 }
}

fn reduced(image: &GrayImage) -> GrayImage {
    let longest = image.width().max(image.height());
    if longest <= EDGE {
        return image.clone();
    }
    let scaled = |edge: u32| (u64::from(edge) * u64::from(EDGE) / u64::from(longest)).max(1) as u32;
    imageops::thumbnail(image, scaled(image.width()), scaled(image.height()))
}

/// Returns the pixels of text: x, y and darkness.
fn dark_pixels(image: &GrayImage) -> Vec<(f32, f32, f64)> {
    let pixels = image.enumerate_pixels().filter(|(_, _, shade)| shade.0[0] < 160);
    pixels.map(|(x, y, shade)| (x as f32, y as f32, f64::from(255 - shade.0[0]))).collect()
}

/// Returns the angle with the highest score, and the score.
fn best(dark: &[(f32, f32, f64)], (from, to): (f32, f32), step: f32) -> (f32, f64) {
    let count = ((to - from) / step).round() as i32;
    let scored = (0..=count).map(|at| from + at as f32 * step).map(|angle| (angle, contrast(dark, angle)));
    scored.fold((0.0, 0.0), |best, one| if one.1 > best.1 { one } else { best })
}

/// Returns how much adjacent rows differ if rows slope by `degrees`.
fn contrast(dark: &[(f32, f32, f64)], degrees: f32) -> f64 {
    let slope = degrees.to_radians().tan();
    let height = EDGE as f32 * (1.0 + MAX_DEGREES.to_radians().tan() * 2.0);
    let mut rows = vec![0.0; height as usize * 2];
    for (x, y, darkness) in dark {
        let row = y - x * slope + height / 2.0;
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
    fn levels_skewed_lines() {
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
