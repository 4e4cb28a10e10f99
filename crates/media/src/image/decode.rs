//! Files to pixels.

use std::io::Cursor;

use image::{DynamicImage, ImageDecoder as _, ImageFormat, ImageReader};

use super::{ImageError, pdf};

/// Bytes that a decoder takes for each pixel, at most: four channels of 16 bits, and as much for itself.
const BYTES_A_PIXEL: u64 = 16;

/// What a picture may be.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Pixels, at most.
    pub pixels: u64,
}

impl Limits {
    /// Refuses a size before anything is made of it.
    pub(super) fn admit(self, width: u32, height: u32) -> Result<(), ImageError> {
        let is_empty = width == 0 || height == 0;
        if !is_empty && u64::from(width) * u64::from(height) <= self.pixels {
            return Ok(());
        }
        let most = self.pixels;
        Err(ImageError::Unreadable(format!(
            "the picture has {width} x {height} pixels; at most {most} are accepted"
        )))
    }
}

/// The picture of a file, turned as its metadata say.
pub(super) fn upright(file: &[u8], limits: Limits) -> Result<DynamicImage, ImageError> {
    if file.starts_with(b"%PDF-") {
        return pdf::render(file, limits);
    }
    let damaged = |_| ImageError::Unreadable("the picture is damaged".to_owned());
    let reader = ImageReader::new(Cursor::new(file)).with_guessed_format().map_err(|_| unknown())?;
    if !matches!(reader.format(), Some(ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP)) {
        return Err(unknown());
    }
    let mut decoder = reader.into_decoder().map_err(damaged)?;
    let (width, height) = decoder.dimensions();
    limits.admit(width, height)?;
    let mut bounds = image::Limits::default();
    bounds.max_alloc = Some(limits.pixels * BYTES_A_PIXEL);
    decoder.set_limits(bounds).map_err(damaged)?;
    let orientation = decoder.orientation().map_err(damaged)?;
    let mut picture = DynamicImage::from_decoder(decoder).map_err(damaged)?;
    picture.apply_orientation(orientation);
    Ok(on_paper(picture))
}

fn unknown() -> ImageError {
    ImageError::Unreadable("the picture is not PNG, JPEG, WebP or PDF".to_owned())
}

/// What is transparent shows paper, as viewers show it; 8 bits a channel are enough to read.
fn on_paper(picture: DynamicImage) -> DynamicImage {
    if !picture.color().has_alpha() {
        return picture.into_rgb8().into();
    }
    let mut pixels = picture.into_rgba8();
    for pixel in pixels.pixels_mut() {
        let [.., alpha] = pixel.0;
        for channel in &mut pixel.0[..3] {
            let over = u16::from(*channel) * u16::from(alpha) + 255 * u16::from(255 - alpha);
            *channel = (over / 255) as u8;
        }
        pixel.0[3] = 255;
    }
    DynamicImage::from(pixels).into_rgb8().into()
}
