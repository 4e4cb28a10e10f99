//! Decoding of image files.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};

use super::{ImageError, pdf};

/// Memory in bytes per pixel that a decoder may use: four channels of 16 bits, and the same amount for itself.
const BYTES_PER_PIXEL: u64 = 16;

/// Limits of an image.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Accepted number of pixels.
    pub pixels: u64,
}

impl Limits {
    /// Rejects a size before memory is allocated for it.
    pub(super) fn check_size(self, width: u32, height: u32) -> Result<(), ImageError> {
        let is_empty = width == 0 || height == 0;
        if !is_empty && u64::from(width) * u64::from(height) <= self.pixels {
            return Ok(());
        }
        let max = self.pixels;
        Err(ImageError::Unreadable(format!(
            "the image has {width} x {height} pixels; at most {max} are accepted"
        )))
    }
}

/// Decodes a file and applies the orientation in its metadata.
pub(super) fn upright(file: &[u8], limits: Limits) -> Result<DynamicImage, ImageError> {
    if file.starts_with(b"%PDF-") {
        return pdf::render(file, limits);
    }
    let damaged = |_| ImageError::Unreadable("the image is damaged".to_owned());
    let reader = ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|_| unknown_format())?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) {
        return Err(unknown_format());
    }
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    limits.check_size(width, height)?;
    let mut bounds = image::Limits::default();
    bounds.max_alloc = Some(limits.pixels * BYTES_PER_PIXEL);
    decoder.set_limits(bounds).map_err(damaged)?;
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    image.apply_orientation(orientation);
    Ok(on_white(image))
}

fn unknown_format() -> ImageError {
    ImageError::Unreadable("the image is not PNG, JPEG, WebP or PDF".to_owned())
}

/// Draws the image on a white background, as viewers do, with 8 bits per channel.
fn on_white(image: DynamicImage) -> DynamicImage {
    if !image.color().has_alpha() {
        return image.into_rgb8().into();
    }
    let mut pixels = image.into_rgba8();
    for pixel in pixels.pixels_mut() {
        let [.., alpha] = pixel.0;
        for channel in &mut pixel.0[..3] {
            let blended = u16::from(*channel) * u16::from(alpha) + 255 * u16::from(255 - alpha);
            *channel = (blended / 255) as u8;
        }
        pixel.0[3] = 255;
    }
    DynamicImage::from(pixels).into_rgb8().into()
}
