//! Result of OCR on an image.

use std::ops::Range;

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
    /// Faces, if they were looked for.
    pub faces: Vec<Face>,
    /// Probability that the image shows sexual content, if that was looked for.
    pub nsfw: Option<f32>,
}

/// A face.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Face {
    /// Area that contains the face.
    pub area: Rect,
    /// Confidence, 0 to 1.
    pub confidence: f32,
}

/// Text that stands for a face.
const FACE: &str = "[face]";

/// A QR code or barcode.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Barcode {
    /// Decoded text.
    pub text: String,
    /// Area that contains the code.
    pub area: Rect,
}

impl OcrResult {
    /// Returns the lines, then the texts of the codes and a word for each face, as one text.
    pub fn located_text(&self) -> LocatedText<Rect> {
        let codes: Vec<_> = self.codes.iter().map(Barcode::words).collect();
        let faces: Vec<_> = self.faces.iter().map(|face| vec![face.word()]).collect();
        let lines = self.lines.iter().chain(&codes).chain(&faces).map(Vec::as_slice);
        LocatedText::of_lines(lines).with_readings()
    }

    /// Returns the faces with the place of each in the text.
    pub fn placed_faces(&self, text: &LocatedText<Rect>) -> Vec<(Range<usize>, Face)> {
        // The last lines, one for each.
        let places = (0..self.faces.len()).rev().map(|after| {
            let end = text.text.len() - after * (FACE.len() + 1);
            end - FACE.len()..end
        });
        places.zip(self.faces.iter().copied()).collect()
    }
}

impl Face {
    fn word(&self) -> Word<Rect> {
        Word { text: FACE.to_owned(), position: self.area }
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
