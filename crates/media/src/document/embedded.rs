//! Images within documents: OCR reads them, and redacted ones keep their format.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, ImageReader};

use super::{Changed, limits::MIN_EDGE, visitor::Walk};
use crate::{Rect, image as images};

/// Returns true for a file of a format that OCR reads.
pub fn is_image(file: &[u8]) -> bool {
    format(file).is_some()
}

fn format(file: &[u8]) -> Option<ImageFormat> {
    let format = image::guess_format(file).ok()?;
    matches!(format, ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::WebP).then_some(format)
}

/// Shows an image to the visitor. Images that are too small for words are skipped; a damaged one counts as not read.
pub(super) fn walk(file: &[u8], walk: &mut Walk<'_>) -> Changed {
    let format = format(file)?;
    let size = ImageReader::with_format(Cursor::new(file), format).into_dimensions();
    let Ok((width, height)) = size else {
        walk.unread += 1;
        return None;
    };
    if width.min(height) < MIN_EDGE {
        return None;
    }
    if u64::from(width) * u64::from(height) > walk.pixels {
        walk.unread += 1;
        return None;
    }
    let areas = walk.image(file);
    if areas.is_empty() { None } else { redact(file, format, &areas, walk.pixels) }
}

fn redact(file: &[u8], format: ImageFormat, areas: &[Rect], pixels: u64) -> Changed {
    let png = images::redact(file, areas, images::Limits { pixels }).ok()?;
    if format == ImageFormat::Png {
        return Some(png);
    }
    let redacted = image::load_from_memory_with_format(&png, ImageFormat::Png).ok()?;
    encode(&redacted, format)
}

/// Writes an image.
pub fn encode(image: &DynamicImage, format: ImageFormat) -> Option<Vec<u8>> {
    let mut file = Cursor::new(Vec::new());
    image.write_to(&mut file, format).ok()?;
    Some(file.into_inner())
}
