//! Pixels as the networks read them.

use image::RgbImage;

use crate::image::geometry::tilted::Tilted;

/// Returns three planes, blue first, of a rectangle of the image drawn with `width` × `height` pixels. Values are from -1
/// to 1. Pixels beyond the edges repeat the edge.
///
/// An image that is drawn smaller is sampled once for each of its pixels, so that thin strokes survive.
pub fn planes(image: &RgbImage, area: &Tilted, (width, height): (usize, usize)) -> Vec<f32> {
    let (step_x, step_y) = (area.length / width as f32, area.height / height as f32);
    let samples = |step: f32| (step.round() as usize).clamp(1, MAX_SAMPLES);
    let (samples_x, samples_y) = (samples(step_x), samples(step_y));
    let weight = 1.0 / (samples_x * samples_y) as f32;
    let mut planes = vec![0.0; 3 * width * height];
    for y in 0..height {
        for x in 0..width {
            let mut sum = [0.0; 3];
            for row in 0..samples_y {
                for column in 0..samples_x {
                    let from_start = (x as f32 + (column as f32 + 0.5) / samples_x as f32) * step_x;
                    let from_top = (y as f32 + (row as f32 + 0.5) / samples_y as f32) * step_y;
                    add_sample(image, area.point(from_start, from_top), &mut sum);
                }
            }
            for (channel, sum) in sum.iter().rev().enumerate() {
                planes[(channel * height + y) * width + x] = sum * weight / 127.5 - 1.0;
            }
        }
    }
    planes
}

/// Samples for each drawn pixel in either direction, at most.
const MAX_SAMPLES: usize = 8;

/// Adds the bilinear interpolation at a position: pixel centers are at halves.
fn add_sample(image: &RgbImage, (x, y): (f32, f32), sum: &mut [f32; 3]) {
    let (max_x, max_y) = (image.width() - 1, image.height() - 1);
    let (x, y) = ((x - 0.5).clamp(0.0, max_x as f32), (y - 0.5).clamp(0.0, max_y as f32));
    let (left, top) = (x as u32, y as u32);
    let (right, bottom) = ((left + 1).min(max_x), (top + 1).min(max_y));
    let (share_x, share_y) = (x - left as f32, y - top as f32);
    let corners = [
        (left, top, (1.0 - share_x) * (1.0 - share_y)),
        (right, top, share_x * (1.0 - share_y)),
        (left, bottom, (1.0 - share_x) * share_y),
        (right, bottom, share_x * share_y),
    ];
    for (x, y, weight) in corners {
        let pixel = image.get_pixel(x, y).0;
        for (sum, shade) in sum.iter_mut().zip(pixel) {
            *sum += weight * f32::from(shade);
        }
    }
}

#[cfg(test)]
mod tests {
    use image::Rgb;

    use super::*;

    const WHOLE: Tilted = Tilted { center: (2.0, 1.0), along: (1.0, 0.0), length: 4.0, height: 2.0 };

    /// Four by two pixels whose red is 0, 50, 100 and 150 in each row.
    fn image() -> RgbImage {
        RgbImage::from_fn(4, 2, |x, _| Rgb([x as u8 * 50, 255, 0]))
    }

    fn red(planes: &[f32]) -> Vec<i32> {
        let red = &planes[planes.len() / 3 * 2..];
        red.iter().map(|value| ((value + 1.0) * 127.5).round() as i32).collect()
    }

    #[test]
    fn draws_the_planes_from_blue_to_red() {
        let planes = planes(&image(), &WHOLE, (4, 2));
        assert_eq!((planes[0], planes[8], planes.len()), (-1.0, 1.0, 24));
        assert_eq!(red(&planes), [0, 50, 100, 150, 0, 50, 100, 150]);
    }

    #[test]
    fn averages_what_is_drawn_smaller() {
        assert_eq!(red(&planes(&image(), &WHOLE, (2, 1))), [25, 125]);
    }

    #[test]
    fn follows_the_direction_of_the_text() {
        assert_eq!(red(&planes(&image(), &WHOLE.turned(2), (4, 1))), [150, 100, 50, 0]);
        assert_eq!(red(&planes(&image(), &WHOLE.turned(1), (2, 4))), [150, 150, 100, 100, 50, 50, 0, 0]);
    }

    #[test]
    fn repeats_the_edge_beyond_the_image() {
        let wide = Tilted { length: 12.0, height: 6.0, ..WHOLE };
        assert_eq!(red(&planes(&image(), &wide, (12, 1))), [0, 0, 0, 0, 0, 50, 100, 150, 150, 150, 150, 150]);
    }
}
