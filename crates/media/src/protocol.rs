//! What the service and its workers say to each other.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::{OcrResult, Rect, TimeSpan, Transcript};

/// What a worker reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerKind {
    /// Pictures.
    Ocr,
    /// Recordings.
    Speech,
}

impl WorkerKind {
    /// The name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Speech => "speech",
        }
    }
}

/// The bounds of a worker, told to it before anything else.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkerLimits {
    /// Bytes of memory (address space) that it may take, beside those of a model file of the operator's.
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
    /// The model file with which whisper.cpp hears in place of PocketSphinx.
    pub whisper: Option<PathBuf>,
}

/// Something that a worker needs and does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Missing {
    /// It is not installed.
    #[error("{what} is not installed: install {package}")]
    Package {
        /// What.
        what: String,
        /// The packages of Debian that bring it.
        package: String,
    },
    /// The model file that the configuration names cannot be used; which (without its folder, for callers read this),
    /// and why.
    #[error("media.whisper_model: {0}")]
    Model(String),
    /// This build has no decoders and no recognisers.
    #[error("this build reads no images or audio: build with the feature `media`")]
    Engines,
}

impl Missing {
    /// What packages of Debian bring.
    pub fn package(what: impl Into<String>, package: impl Into<String>) -> Self {
        Self::Package { what: what.into(), package: package.into() }
    }
}

/// What a worker is asked about a file, which is sent along.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Whether all is there that recognition needs. No file is sent along.
    Look,
    /// The words of a picture.
    Read,
    /// The picture as PNG, upright, without metadata, with these areas painted over.
    Paint(Vec<Rect>),
    /// The words of a recording.
    Hear,
    /// The recording alone: 16 kHz, mono, WAV.
    Decode,
    /// The recording as WAV, with these moments silenced.
    Silence(Vec<TimeSpan>),
}

/// What a worker answers.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Response {
    /// All is there.
    Ready,
    /// Something is not there.
    Missing(Missing),
    /// The words of a picture.
    Seen(OcrResult),
    /// The words of a recording; none where it was only decoded.
    Heard(Transcript),
    /// The file that was asked for is sent along.
    File,
    /// The file cannot be read; why, for whoever sent it.
    Unreadable(String),
    /// It was not read in time.
    TimedOut,
}
