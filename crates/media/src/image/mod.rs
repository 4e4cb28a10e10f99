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
mod nsfw;
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
pub use nsfw::NsfwClassifier;
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

/// The networks that look at an image besides OCR.
#[derive(Clone, Copy, Default)]
pub struct Detectors<'a> {
    /// Finds faces.
    pub faces: Option<&'a FaceDetector>,
    /// Recognizes sexual content.
    pub nsfw: Option<&'a NsfwClassifier>,
}

/// Runs OCR on an image file, decodes its barcodes, and looks at it with the `detectors`. Positions refer to the upright
/// image.
pub fn read(
    engine: &mut Engine,
    detectors: Detectors<'_>,
    file: &[u8],
    limits: Limits,
    time: Duration,
) -> Result<OcrResult, ImageError> {
    let image = decode::upright(file, limits)?;
    let gray = contrast::normalize(denoise::denoise(image.to_luma8()));
    let codes = barcodes::scan(&gray);
    let faces =
        detectors.faces.map_or_else(|| Ok(Vec::new()), |detector| detector.detect(&image.to_rgb8()))?;
    let nsfw = detectors.nsfw.map(|classifier| classifier.score(&image.to_rgb8())).transpose()?;
    let lines = engine.lines(image, &gray, time)?;
    Ok(OcrResult { width: gray.width(), height: gray.height(), lines, codes, faces, nsfw })
}

/// Returns the upright image as PNG without metadata, with `areas` blacked out.
pub fn redact(file: &[u8], areas: &[Rect], limits: Limits) -> Result<Vec<u8>, ImageError> {
    let mut image = decode::upright(file, limits)?;
    redact::fill(&mut image, areas);
    redact::png(&image)
}
