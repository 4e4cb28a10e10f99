//! OCR engines.

use std::{
    path::Path,
    time::{Duration, Instant},
};

use image::{DynamicImage, GrayImage};

use super::{
    ImageError, ocr,
    paddle::{FOLDER, Paddle},
};
use crate::{
    Rect, Word,
    native::tesseract::Tesseract,
    protocol::{Missing, OcrEngine, WorkerLimits},
};

/// An OCR engine with its models.
pub enum Engine {
    /// The networks in the folder of the models.
    Paddle(Box<Paddle>),
    /// Tesseract, a library of the system.
    Tesseract(Tesseract),
}

impl Engine {
    /// Loads the configured engine. Does not fall back to another one if its models are there and cannot be used.
    pub fn load(limits: &WorkerLimits) -> Result<Self, Missing> {
        match limits.ocr {
            OcrEngine::Paddle => Self::paddle(&limits.models),
            OcrEngine::Tesseract => Tesseract::load(&limits.languages).map(Self::Tesseract),
            OcrEngine::Auto if limits.models.join(FOLDER).is_dir() => Self::paddle(&limits.models),
            OcrEngine::Auto => Tesseract::load(&limits.languages)
                .map(Self::Tesseract)
                .map_err(|_| Missing::Models(FOLDER.to_owned())),
        }
    }

    fn paddle(models: &Path) -> Result<Self, Missing> {
        Paddle::load(models).map(|engine| Self::Paddle(Box::new(engine)))
    }

    /// Reads the words of an image by line. `gray` is the image with its contrast normalized.
    pub(super) fn lines(
        &mut self,
        image: DynamicImage,
        gray: &GrayImage,
        time: Duration,
    ) -> Result<Vec<Vec<Word<Rect>>>, ImageError> {
        match self {
            Self::Paddle(engine) => engine.lines(&image.into_rgb8(), Instant::now() + time),
            Self::Tesseract(engine) => ocr::lines(engine, gray, time).ok_or(ImageError::TimedOut),
        }
    }
}
