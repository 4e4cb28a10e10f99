//! Redaction of image areas, and PNG output.

use std::io::Cursor;

use image::{
    DynamicImage, ImageEncoder as _, Rgb, RgbImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};

use super::ImageError;
use crate::Rect;

/// Fills areas with black.
pub fn fill(image: &mut DynamicImage, areas: &[Rect]) {
    let mut pixels: RgbImage = std::mem::take(image).into_rgb8();
    for area in areas {
        for y in area.y..area.bottom().min(pixels.height()) {
            for x in area.x..area.right().min(pixels.width()) {
                pixels.put_pixel(x, y, Rgb([0, 0, 0]));
            }
        }
    }
    *image = pixels.into();
}

/// Returns the pixels as PNG without metadata.
pub fn png(image: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let mut file = Cursor::new(Vec::new());
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive);
    let (width, height, color) = (image.width(), image.height(), image.color().into());
    let written = encoder.write_image(image.as_bytes(), width, height, color);
    written.map_err(|_| ImageError::Unreadable("the image cannot be written".to_owned()))?;
    Ok(file.into_inner())
}
