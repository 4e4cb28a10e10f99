//! A drawn portrait, which a face detector takes for a face.

use image::{Rgb, RgbImage};

/// An ellipse: center and radii as shares of the size, softness of the edge, opacity and color.
type Stroke = ([f32; 4], f32, f32, [f32; 3]);

/// Shoulders, neck, hair and face, then shadows and features, from back to front.
const STROKES: [Stroke; 18] = [
    ([0.5, 0.949, 0.344, 0.219], 0.2, 1.0, [60.0, 70.0, 110.0]),
    ([0.5, 0.761, 0.1, 0.156], 0.3, 1.0, [190.0, 140.0, 115.0]),
    ([0.5, 0.424, 0.263, 0.325], 0.15, 1.0, [60.0, 40.0, 30.0]),
    ([0.5, 0.505, 0.213, 0.275], 0.12, 1.0, [222.0, 172.0, 146.0]),
    ([0.416, 0.455, 0.041, 0.022], 0.3, 1.0, [245.0, 240.0, 238.0]),
    ([0.584, 0.455, 0.041, 0.022], 0.3, 1.0, [245.0, 240.0, 238.0]),
    ([0.416, 0.455, 0.019, 0.02], 0.3, 1.0, [50.0, 35.0, 25.0]),
    ([0.584, 0.455, 0.019, 0.02], 0.3, 1.0, [50.0, 35.0, 25.0]),
    ([0.416, 0.402, 0.059, 0.014], 0.5, 1.0, [70.0, 45.0, 35.0]),
    ([0.584, 0.402, 0.059, 0.014], 0.5, 1.0, [70.0, 45.0, 35.0]),
    ([0.5, 0.549, 0.028, 0.069], 0.9, 0.35, [250.0, 205.0, 180.0]),
    ([0.5, 0.593, 0.047, 0.019], 0.9, 0.6, [150.0, 95.0, 80.0]),
    ([0.478, 0.596, 0.0125, 0.008], 0.5, 0.8, [90.0, 50.0, 45.0]),
    ([0.522, 0.596, 0.0125, 0.008], 0.5, 0.8, [90.0, 50.0, 45.0]),
    ([0.5, 0.661, 0.078, 0.028], 0.4, 1.0, [175.0, 75.0, 75.0]),
    ([0.5, 0.658, 0.072, 0.006], 0.6, 1.0, [90.0, 35.0, 40.0]),
    ([0.5, 0.718, 0.05, 0.016], 0.9, 0.3, [180.0, 130.0, 110.0]),
    ([0.62, 0.52, 0.07, 0.2], 0.9, 0.15, [120.0, 80.0, 70.0]),
];

/// Returns a portrait of `size` × `size` pixels. The face is about half as wide and high, in the middle.
pub fn portrait(size: u32) -> RgbImage {
    RgbImage::from_fn(size, size, |x, y| {
        let (x, y) = (x as f32 / size as f32, y as f32 / size as f32);
        let mut color = [150.0, 170.0, 190.0];
        for ([center_x, center_y, width, height], softness, opacity, own) in STROKES {
            let from_center = ((x - center_x) / width).powi(2) + ((y - center_y) / height).powi(2);
            let share = ((1.0 - from_center) / softness).clamp(0.0, 1.0) * opacity;
            for (mixed, own) in color.iter_mut().zip(own) {
                *mixed += (own - *mixed) * share;
            }
        }
        Rgb(color.map(|value| value as u8))
    })
}
