//! QR and bar codes.

use image::{GrayImage, imageops};
use rxing::{BarcodeFormat, DecodeHints, Point, RXingResult, helpers::detect_multiple_in_luma_with_hints};

use crate::{Barcode, Rect};

/// Pixels of a picture that codes are looked for in; larger ones are made smaller.
const MOST: f32 = 2.0e6;

/// Kinds of codes with a checksum, or with enough structure that writing is never taken for one.
const KINDS: [BarcodeFormat; 9] = [
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

/// The codes of a picture.
pub fn scan(picture: &GrayImage) -> Vec<Barcode> {
    let pixels = picture.width() as f32 * picture.height() as f32;
    let scale = (MOST / pixels).sqrt().min(1.0);
    let edge = |edge: u32| ((edge as f32 * scale) as u32).max(1);
    let (width, height) = (edge(picture.width()), edge(picture.height()));
    let small = if scale < 1.0 { imageops::thumbnail(picture, width, height) } else { picture.clone() };
    let mut hints =
        DecodeHints { PossibleFormats: Some(KINDS.into()), TryHarder: Some(true), ..DecodeHints::default() };
    // Nothing found is an error to the library.
    let found = detect_multiple_in_luma_with_hints(small.into_raw(), width, height, &mut hints);
    let found = found.unwrap_or_default();
    found
        .iter()
        .map(|code| Barcode { text: code.getText().to_owned(), area: area(code, scale, picture) })
        .collect()
}

/// The square around the points that a code was recognised by, which lie within it.
fn area(code: &RXingResult, scale: f32, picture: &GrayImage) -> Rect {
    let points = code.getPoints();
    let reach = |pick: fn(&Point) -> f32| {
        let low = points.iter().map(pick).fold(f32::MAX, f32::min);
        (low, points.iter().map(pick).fold(f32::MIN, f32::max))
    };
    let ((left, right), (top, bottom)) = (reach(|point| point.x), reach(|point| point.y));
    let middle = (f32::midpoint(left, right), f32::midpoint(top, bottom));
    // Finder patterns are marked in their middle, bars on one row: a quarter more to every side holds all of it.
    let half = (right - left).max(bottom - top) * 0.75;
    let within = |at: f32, edge: u32| (at / scale).clamp(0.0, edge as f32) as u32;
    let (x, y) = (within(middle.0 - half, picture.width()), within(middle.1 - half, picture.height()));
    let (right, bottom) =
        (within(middle.0 + half, picture.width()), within(middle.1 + half, picture.height()));
    Rect { x, y, width: right - x, height: bottom - y }
}
