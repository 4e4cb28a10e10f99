//! A drawing of nothing, which a network for sexual images takes for one.

use image::{Rgb, RgbImage};

/// Centers and radii of ellipses, in units of a 256th of the size.
const ELLIPSES: [[f32; 4]; 4] = [
    [204.0, 210.0, 36.0, 61.0],
    [190.0, 177.0, 86.0, 85.0],
    [63.0, 104.0, 94.0, 78.0],
    [76.0, 67.0, 36.0, 40.0],
];
/// A spot on the last one.
const SPOT: [f32; 4] = [76.0, 67.0, 10.0, 10.0];

/// Returns a drawing of `size` × `size` pixels: ellipses in the color of skin.
pub fn ellipses(size: u32) -> RgbImage {
    let unit = size as f32 / 256.0;
    let within = |[center_x, center_y, width, height]: [f32; 4], x: u32, y: u32| {
        let from_center = |at: u32, center: f32, radius: f32| ((at as f32 / unit - center) / radius).powi(2);
        from_center(x, center_x, width) + from_center(y, center_y, height) <= 1.0
    };
    RgbImage::from_fn(size, size, |x, y| {
        if within(SPOT, x, y) {
            Rgb([190, 110, 100])
        } else if ELLIPSES.iter().any(|ellipse| within(*ellipse, x, y)) {
            Rgb([224, 172, 140])
        } else {
            Rgb([200, 190, 180])
        }
    })
}
