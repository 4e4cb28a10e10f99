//! The text that OCR read from an image.

use serde::{Deserialize, Serialize};

use crate::{LocatedText, Rect, Word};

/// What is read of a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct OcrResult {
    /// Pixels across, upright.
    pub width: u32,
    /// Pixels down, upright.
    pub height: u32,
    /// Lines of words.
    pub lines: Vec<Vec<Word<Rect>>>,
    /// QR and bar codes.
    pub codes: Vec<Barcode>,
}

/// A QR or bar code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Barcode {
    /// What it says.
    pub text: String,
    /// Where.
    pub area: Rect,
}

impl OcrResult {
    /// Its lines, then what its codes say, as one text.
    pub fn passage(&self) -> LocatedText<Rect> {
        let codes: Vec<_> = self.codes.iter().map(Barcode::words).collect();
        let lines = self.lines.iter().chain(&codes).map(Vec::as_slice);
        LocatedText::of_lines(lines).with_readings()
    }
}

impl Barcode {
    /// A code is painted over whole, whichever of its words is personal.
    fn words(&self) -> Vec<Word<Rect>> {
        let word = |text: &str| Word { text: text.to_owned(), place: self.area };
        self.text.split_whitespace().map(word).collect()
    }
}
