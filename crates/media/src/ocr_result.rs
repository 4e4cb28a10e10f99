//! Result of OCR on an image.

use serde::{Deserialize, Serialize};

use crate::{LocatedText, Rect, Word};

/// Text and barcodes of an image. Positions refer to the upright image.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OcrResult {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Words by line.
    pub lines: Vec<Vec<Word<Rect>>>,
    /// QR codes and barcodes.
    pub codes: Vec<Barcode>,
}

/// A QR code or barcode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Barcode {
    /// Decoded text.
    pub text: String,
    /// Area that contains the code.
    pub area: Rect,
}

impl OcrResult {
    /// Returns the lines and then the texts of the codes as one text.
    pub fn located_text(&self) -> LocatedText<Rect> {
        let codes: Vec<_> = self.codes.iter().map(Barcode::words).collect();
        let lines = self.lines.iter().chain(&codes).map(Vec::as_slice);
        LocatedText::of_lines(lines).with_readings()
    }
}

impl Barcode {
    /// Returns the words of the code. Each has the area of the whole code, because a code can only be redacted as a
    /// whole.
    fn words(&self) -> Vec<Word<Rect>> {
        let word = |text: &str| Word { text: text.to_owned(), position: self.area };
        self.text.split_whitespace().map(word).collect()
    }
}
