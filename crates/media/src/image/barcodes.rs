//! Detection of QR codes and barcodes.

use image::{GrayImage, imageops};
use rxing::{BarcodeFormat, DecodeHints, Point, RXingResult, helpers::detect_multiple_in_luma_with_hints};

use crate::{Barcode, Rect};

/// Pixels of the image that is searched. Larger images are scaled down.
const MAX_PIXELS: f32 = 2.0e6;

/// Formats with a check digit, or with enough structure that text is never mistaken for a code.
const FORMATS: [BarcodeFormat; 9] = [
    BarcodeFormat::QR_CODE,
    BarcodeFormat::DATA_MATRIX,
    BarcodeFormat::AZTEC,
    BarcodeFormat::PDF_417,
    BarcodeFormat::CODE_128,
    BarcodeFormat::CODE_39,
    BarcodeFormat::CODE_93,
    BarcodeFormat::EAN_13,
    BarcodeFormat::UPC_A,
];

/// Finds and decodes the codes of an image.
pub fn scan(image: &GrayImage) -> Vec<Barcode> {
    let pixels = image.width() as f32 * image.height() as f32;
    let scale = (MAX_PIXELS / pixels).sqrt().min(1.0);
    let scaled = |edge: u32| ((edge as f32 * scale) as u32).max(1);
    let (width, height) = (scaled(image.width()), scaled(image.height()));
    let small = if scale < 1.0 { imageops::thumbnail(image, width, height) } else { image.clone() };
    let mut hints = DecodeHints {
        PossibleFormats: Some(FORMATS.into()),
        TryHarder: Some(true),
        ..DecodeHints::default()
    };
    // The library reports an error if it finds nothing.
    let found = detect_multiple_in_luma_with_hints(small.into_raw(), width, height, &mut hints);
    let found = found.unwrap_or_default();
    found
        .iter()
        .map(|code| Barcode { text: code.getText().to_owned(), area: area(code, scale, image) })
        .collect()
}

/// Returns a square that contains the code. The points by which the library located it lie inside the code.
fn area(code: &RXingResult, scale: f32, image: &GrayImage) -> Rect {
    let points = code.getPoints();
    let extent = |pick: fn(&Point) -> f32| {
        let low = points.iter().map(pick).fold(f32::MAX, f32::min);
        (low, points.iter().map(pick).fold(f32::MIN, f32::max))
    };
    let ((left, right), (top, bottom)) = (extent(|point| point.x), extent(|point| point.y));
    let center = (f32::midpoint(left, right), f32::midpoint(top, bottom));
    // The points are the centers of finder patterns, or lie on one line through the bars. A quarter more on each side
    // contains the whole code.
    let half = (right - left).max(bottom - top) * 0.75;
    let to_pixel = |at: f32, edge: u32| (at / scale).clamp(0.0, edge as f32) as u32;
    let (x, y) = (to_pixel(center.0 - half, image.width()), to_pixel(center.1 - half, image.height()));
    let (right, bottom) =
        (to_pixel(center.0 + half, image.width()), to_pixel(center.1 + half, image.height()));
    Rect { x, y, width: right - x, height: bottom - y }
}
