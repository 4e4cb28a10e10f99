//! What the service and its workers say to each other.

use serde::{Deserialize, Serialize};

use crate::{Area, Heard, Moment, Seen};

/// The bounds of a worker, told to it before anything else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Setup {
    /// Bytes of memory (address space) that it may take.
    pub memory: u64,
    /// Pixels of a picture, at most.
    pub pixels: u64,
    /// Seconds of a recording, at most.
    pub seconds: u32,
    /// Seconds of processor time that one question may take.
    pub processor_seconds: u64,
    /// Languages of tesseract, as `eng+deu`.
    pub languages: String,
    /// The folder of PocketSphinx's model; the usual places where empty.
    pub model: String,
}

/// Something that a worker needs and that is not installed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("{what} is not installed: install {package}")]
pub struct Missing {
    /// What.
    pub what: String,
    /// The packages of Debian that bring it.
    pub package: String,
}

/// What a worker is asked about a file, which is sent along.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Question {
    /// Whether all is there that recognition needs. No file is sent along.
    Look,
    /// The words of a picture.
    Read,
    /// The picture as PNG, upright, without metadata, with these areas painted over.
    Paint(Vec<Area>),
    /// The words of a recording.
    Hear,
    /// The recording alone: 16 kHz, mono, WAV.
    Decode,
    /// The recording as WAV, with these moments silenced.
    Silence(Vec<Moment>),
}

/// What a worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Answer {
    /// All is there.
    Ready,
    /// Something is not installed.
    Missing(Missing),
    /// The words of a picture.
    Seen(Seen),
    /// The words of a recording; none where it was only decoded.
    Heard(Heard),
    /// The file that was asked for is sent along.
    File,
    /// The file cannot be read; why, for whoever sent it.
    Unreadable(String),
    /// It was not read in time.
    TimedOut,
}
