//! Images: decoding within limits, OCR, redaction.

mod barcodes;
mod contrast;
mod decode;
mod denoise;
mod engine;
mod faces;
mod geometry;
mod illumination;
mod network;
mod ocr;
mod orientation;
mod paddle;
mod pdf;
mod redact;
mod reread_missed;
mod skew;

use std::time::Duration;

pub use decode::Limits;
pub use engine::Engine;
pub use faces::FaceDetector;
pub(crate) use pdf::{SCALE as PAGE_SCALE, render_page};
pub(crate) use redact::fill;

use crate::{OcrResult, Rect, protocol::Missing};

/// Reason why an image was not processed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImageError {
    /// The image is invalid or not accepted. Holds the reason, for the sender.
    #[error("{0}")]
    Unreadable(String),
    /// The time limit was reached.
    #[error("not read in time")]
    TimedOut,
    /// The engine's model cannot be used.
    #[error(transparent)]
    Missing(#[from] Missing),
}

/// Runs OCR on an image file, decodes its barcodes, and finds faces if there is a detector. Positions refer to the upright
/// image.
pub fn read(
    engine: &mut Engine,
    faces: Option<&FaceDetector>,
    file: &[u8],
    limits: Limits,
    time: Duration,
) -> Result<OcrResult, ImageError> {
    let image = decode::upright(file, limits)?;
    let gray = contrast::normalize(denoise::denoise(image.to_luma8()));
    let codes = barcodes::scan(&gray);
    let faces = faces.map_or_else(|| Ok(Vec::new()), |detector| detector.detect(&image.to_rgb8()))?;
    let lines = engine.lines(image, &gray, time)?;
    Ok(OcrResult { width: gray.width(), height: gray.height(), lines, codes, faces })
}

/// Returns the upright image as PNG without metadata, with `areas` blacked out.
pub fn redact(file: &[u8], areas: &[Rect], limits: Limits) -> Result<Vec<u8>, ImageError> {
    let mut image = decode::upright(file, limits)?;
    redact::fill(&mut image, areas);
    redact::png(&image)
}
