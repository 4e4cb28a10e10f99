//! Pictures: decoded within limits, read, painted over.

mod barcodes;
mod contrast;
mod decode;
mod denoise;
mod illumination;
mod ocr;
mod orientation;
mod pdf;
mod redact;
mod reread_missed;
mod skew;

use std::time::Duration;

pub use decode::Limits;

use crate::{OcrResult, Rect, native::tesseract::Tesseract};

/// Why a picture was not read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ImageError {
    /// It cannot be: why, for whoever sent it.
    #[error("{0}")]
    Unreadable(String),
    /// Not in time.
    #[error("not read in time")]
    TimedOut,
}

/// The words of a picture, with their places in the upright one.
pub fn read(
    engine: &mut Tesseract,
    file: &[u8],
    limits: Limits,
    time: Duration,
) -> Result<OcrResult, ImageError> {
    let picture = decode::upright(file, limits)?;
    let gray = contrast::normalize(denoise::denoise(picture.to_luma8()));
    let codes = barcodes::scan(&gray);
    let lines = ocr::lines(engine, &gray, time).ok_or(ImageError::TimedOut)?;
    Ok(OcrResult { width: gray.width(), height: gray.height(), lines, codes })
}

/// The upright picture as PNG without metadata, with `areas` painted over.
pub fn redact(file: &[u8], areas: &[Rect], limits: Limits) -> Result<Vec<u8>, ImageError> {
    let mut picture = decode::upright(file, limits)?;
    redact::fill(&mut picture, areas);
    redact::png(&picture)
}
