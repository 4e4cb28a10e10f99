//! Dark writing on a light ground, with all the contrast there is.

use image::GrayImage;

use super::illumination;

/// Share of pixels at either end that stretching leaves out of account.
const OUTLIERS: f32 = 0.005;
/// What spans fewer shades holds no writing.
const LEAST_SHADES: u8 = 8;

/// The picture with its shades spread over the whole range, inverted where its ground is dark, each place measured
/// against the ground around it where that is not everywhere alike.
pub fn normalize(mut picture: GrayImage) -> GrayImage {
    illumination::even_out(&mut picture);
    let shades = histogram(&picture);
    let (low, high) = (quantile(&shades, OUTLIERS), quantile(&shades, 1.0 - OUTLIERS));
    if high.saturating_sub(low) < LEAST_SHADES {
        return picture;
    }
    // More than half of a page is ground.
    let is_dark = quantile(&shades, 0.5) < low + (high - low) / 2;
    let table = stretched(low, high, is_dark);
    for shade in picture.iter_mut() {
        *shade = table[usize::from(*shade)];
    }
    picture
}

fn histogram(picture: &GrayImage) -> [usize; 256] {
    let mut shades = [0; 256];
    for shade in picture.iter() {
        shades[usize::from(*shade)] += 1;
    }
    shades
}

fn quantile(shades: &[usize; 256], share: f32) -> u8 {
    let wanted = shades.iter().sum::<usize>() as f32 * share;
    let mut sum = 0;
    let reaches = |count: &usize| {
        sum += count;
        sum as f32 >= wanted
    };
    shades.iter().position(reaches).unwrap_or(255) as u8
}

fn stretched(low: u8, high: u8, is_dark: bool) -> [u8; 256] {
    std::array::from_fn(|shade| {
        let share = (shade as f32 - f32::from(low)) / f32::from(high - low);
        let light = (share.clamp(0.0, 1.0) * 255.0) as u8;
        if is_dark { 255 - light } else { light }
    })
}

#[cfg(test)]
mod tests {
    use image::Luma;

    use super::*;

    /// A ground with one line in forty of writing.
    fn page(ground: u8, ink: u8) -> GrayImage {
        GrayImage::from_fn(40, 40, |_, y| Luma([if y % 10 == 0 { ink } else { ground }]))
    }

    #[test]
    fn a_dark_ground_is_inverted_and_a_light_one_is_not() {
        for (ground, ink) in [(20, 220), (235, 30), (120, 140), (140, 120)] {
            let even = normalize(page(ground, ink));
            assert_eq!((even[(0, 0)].0[0], even[(0, 1)].0[0]), (0, 255), "{ground} {ink}");
        }
    }

    #[test]
    fn what_holds_no_writing_is_left_alone() {
        assert_eq!(normalize(page(100, 103)), page(100, 103));
    }
}
