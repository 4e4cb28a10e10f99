//! Pictures: decoded within limits, read, painted over.

mod codes;
mod decode;
mod frame;
mod ground;
mod page;
mod paint;
mod read;
mod skew;

use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use decode::Limits;

use crate::{Area, Passage, Word, foreign::tesseract::Tesseract};

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

/// Why a picture was not read.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Fault {
    /// It cannot be: why, for whoever sent it.
    #[error("{0}")]
    Unreadable(String),
    /// Not in time.
    #[error("not read in time")]
    TimedOut,
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

/// The words of a picture, with their places in the upright one.
pub fn read(engine: &mut Tesseract, file: &[u8], limits: Limits, time: Duration) -> Result<Seen, Fault> {
    let picture = decode::upright(file, limits)?;
    let gray = ground::even(picture.to_luma8());
    let codes = codes::of(&gray);
    let lines = read::lines(engine, &gray, time).ok_or(Fault::TimedOut)?;
    Ok(Seen { width: gray.width(), height: gray.height(), lines, codes })
}

/// The upright picture as PNG without metadata, with `areas` painted over.
pub fn paint(file: &[u8], areas: &[Area], limits: Limits) -> Result<Vec<u8>, Fault> {
    let mut picture = decode::upright(file, limits)?;
    paint::over(&mut picture, areas);
    paint::png(&picture)
}
