//! Noise reduction for photographs taken in low light.

use image::{GrayImage, imageops};

/// Median difference of adjacent pixels from which an image is noisy.
const NOISY: u8 = 4;
/// Median difference of adjacent pixels from which the filter is applied twice.
const VERY_NOISY: u8 = 10;
/// Binomial filter of 3 × 3 pixels.
const KERNEL: [f32; 9] = [1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0];

/// Smooths a noisy image. Leaves other images unchanged to preserve their edges.
pub fn denoise(image: GrayImage) -> GrayImage {
    match median_step(&image) {
        0..NOISY => image,
        NOISY..VERY_NOISY => smooth(&image),
        VERY_NOISY.. => smooth(&smooth(&image)),
    }
}

fn smooth(image: &GrayImage) -> GrayImage {
    imageops::filter3x3(image, &KERNEL.map(|weight| weight / 16.0))
}

/// Returns the median difference of adjacent pixels in a row.
fn median_step(image: &GrayImage) -> u8 {
    let width = image.width() as usize;
    let mut steps: Vec<u8> = image
        .as_raw()
        .chunks_exact(width)
        .step_by(4)
        .flat_map(|row| row.windows(2).map(|pair| pair[0].abs_diff(pair[1])))
        .collect();
    let middle = steps.len() / 2;
    if steps.is_empty() { 0 } else { *steps.select_nth_unstable(middle).1 }
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    fn page(noise_level: u32) -> GrayImage {
        GrayImage::from_fn(120, 80, |x, y| {
            let noise = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519))
                .wrapping_mul(3_266_489_917)
                >> 16;
            let ink = if y % 20 < 4 { 150 } else { 0 };
            Luma([(200 - ink + (noise % (noise_level + 1))) as u8])
        })
    }

    #[test]
    fn smooths_noisy_images_but_not_screenshots() {
        let clean = page(0);
        assert_eq!(denoise(clean.clone()), clean);
        let noisy = page(40);
        assert!(median_step(&denoise(noisy.clone())) * 2 < median_step(&noisy));
    }
}
