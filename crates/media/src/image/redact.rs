//! Areas painted over, and pixels written.

use std::io::Cursor;

use image::{
    DynamicImage, ImageEncoder as _, Rgb, RgbImage,
    codecs::png::{CompressionType, FilterType, PngEncoder},
};

use super::ImageError;
use crate::Rect;

/// Paints areas black.
pub fn fill(picture: &mut DynamicImage, areas: &[Rect]) {
    let mut pixels: RgbImage = std::mem::take(picture).into_rgb8();
    for area in areas {
        for y in area.y..area.bottom().min(pixels.height()) {
            for x in area.x..area.right().min(pixels.width()) {
                pixels.put_pixel(x, y, Rgb([0, 0, 0]));
            }
        }
    }
    *picture = pixels.into();
}

/// The pixels as PNG, and nothing else.
pub fn png(picture: &DynamicImage) -> Result<Vec<u8>, ImageError> {
    let mut file = Cursor::new(Vec::new());
    let encoder = PngEncoder::new_with_quality(&mut file, CompressionType::Fast, FilterType::Adaptive);
    let (width, height, color) = (picture.width(), picture.height(), picture.color().into());
    let written = encoder.write_image(picture.as_bytes(), width, height, color);
    written.map_err(|_| ImageError::Unreadable("the picture cannot be written".to_owned()))?;
    Ok(file.into_inner())
}
