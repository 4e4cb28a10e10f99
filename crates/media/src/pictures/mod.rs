//! Pictures: decoded within limits, read, painted over.

mod codes;
mod decode;
mod frame;
mod grain;
mod ground;
mod light;
mod page;
mod paint;
mod read;
mod rest;
mod skew;

use std::time::Duration;

pub use decode::Limits;

use crate::{Area, Seen, foreign::tesseract::Tesseract};

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

/// The words of a picture, with their places in the upright one.
pub fn read(engine: &mut Tesseract, file: &[u8], limits: Limits, time: Duration) -> Result<Seen, Fault> {
    let picture = decode::upright(file, limits)?;
    let gray = ground::even(grain::softened(picture.to_luma8()));
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
