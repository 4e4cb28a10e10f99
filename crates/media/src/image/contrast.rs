//! Contrast normalization: dark text on a light background with full contrast.

use image::GrayImage;

use super::illumination;

/// Share of the darkest and of the lightest pixels that contrast stretching ignores.
const OUTLIERS: f32 = 0.005;
/// Range of shades below which an image contains no text.
const MIN_RANGE: u8 = 8;

/// Stretches the contrast to the full range and inverts images with a dark background. Evens out the background first
/// if it is not uniform.
pub fn normalize(mut image: GrayImage) -> GrayImage {
    illumination::even_out(&mut image);
    let shades = histogram(&image);
    let (low, high) = (quantile(&shades, OUTLIERS), quantile(&shades, 1.0 - OUTLIERS));
    if high.saturating_sub(low) < MIN_RANGE {
        return image;
    }
    // More than half of a page is background.
    let is_dark = quantile(&shades, 0.5) < low + (high - low) / 2;
    let table = stretch_table(low, high, is_dark);
    for shade in image.iter_mut() {
        *shade = table[usize::from(*shade)];
    }
    image
}

fn histogram(image: &GrayImage) -> [usize; 256] {
    let mut shades = [0; 256];
    for shade in image.iter() {
        shades[usize::from(*shade)] += 1;
    }
    shades
}

fn quantile(shades: &[usize; 256], share: f32) -> u8 {
    let target = shades.iter().sum::<usize>() as f32 * share;
    let mut sum = 0;
    let reaches_target = |count: &usize| {
        sum += count;
        sum as f32 >= target
    };
    shades.iter().position(reaches_target).unwrap_or(255) as u8
}

/// Returns the new shade for each shade.
fn stretch_table(low: u8, high: u8, is_dark: bool) -> [u8; 256] {
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

    /// A background with thin lines of text.
    fn page(background: u8, ink: u8) -> GrayImage {
        GrayImage::from_fn(40, 40, |_, y| Luma([if y % 10 == 0 { ink } else { background }]))
    }

    #[test]
    fn inverts_only_dark_backgrounds() {
        for (background, ink) in [(20, 220), (235, 30), (120, 140), (140, 120)] {
            let normalized = normalize(page(background, ink));
            assert_eq!((normalized[(0, 0)].0[0], normalized[(0, 1)].0[0]), (0, 255), "{background} {ink}");
        }
    }

    #[test]
    fn leaves_images_without_text_unchanged() {
        assert_eq!(normalize(page(100, 103)), page(100, 103));
    }
}
