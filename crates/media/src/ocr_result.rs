//! The text that OCR read from an image.

use serde::{Deserialize, Serialize};

use crate::{Area, Passage, Word};

/// What is read of a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen {
    /// Pixels across, upright.
    pub width: u32,
    /// Pixels down, upright.
    pub height: u32,
    /// Lines of words.
    pub lines: Vec<Vec<Word<Area>>>,
    /// QR and bar codes.
    pub codes: Vec<Code>,
}

/// A QR or bar code.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Code {
    /// What it says.
    pub text: String,
    /// Where.
    pub area: Area,
}

impl Seen {
    /// Its lines, then what its codes say, as one text.
    pub fn passage(&self) -> Passage<Area> {
        let codes: Vec<_> = self.codes.iter().map(Code::words).collect();
        let lines = self.lines.iter().chain(&codes).map(Vec::as_slice);
        Passage::of_lines(lines).with_readings()
    }
}

impl Code {
    /// A code is painted over whole, whichever of its words is personal.
    fn words(&self) -> Vec<Word<Area>> {
        let word = |text: &str| Word { text: text.to_owned(), place: self.area };
        self.text.split_whitespace().map(word).collect()
    }
}
