//! Grain: what a camera adds to a picture in little light.

use image::{GrayImage, imageops};

/// Half of all neighbours differ by so much, or more, where there is grain.
const GRAIN: u8 = 4;
const STRONG: u8 = 10;
/// Weights of a pixel and those around it (binomial).
const KERNEL: [f32; 9] = [1.0, 2.0, 1.0, 2.0, 4.0, 2.0, 1.0, 2.0, 1.0];

/// The picture without grain; one that has none stays as it is, for its edges.
pub fn denoise(picture: GrayImage) -> GrayImage {
    match median_step(&picture) {
        0..GRAIN => picture,
        GRAIN..STRONG => soft(&picture),
        STRONG.. => soft(&soft(&picture)),
    }
}

fn soft(picture: &GrayImage) -> GrayImage {
    imageops::filter3x3(picture, &KERNEL.map(|weight| weight / 16.0))
}

/// By how much neighbours of a row differ, half of them by more.
fn median_step(picture: &GrayImage) -> u8 {
    let width = picture.width() as usize;
    let mut steps: Vec<u8> = picture
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

    fn page(grain: u32) -> GrayImage {
        GrayImage::from_fn(120, 80, |x, y| {
            let noise = (x.wrapping_mul(2_654_435_761) ^ y.wrapping_mul(2_246_822_519))
                .wrapping_mul(3_266_489_917)
                >> 16;
            let ink = if y % 20 < 4 { 150 } else { 0 };
            Luma([(200 - ink + (noise % (grain + 1))) as u8])
        })
    }

    #[test]
    fn grain_is_softened_and_a_screenshot_is_left_alone() {
        let clean = page(0);
        assert_eq!(denoise(clean.clone()), clean);
        let grainy = page(40);
        assert!(median_step(&denoise(grainy.clone())) * 2 < median_step(&grainy));
    }
}
