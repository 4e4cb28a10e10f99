//! Messages between the service and its workers.

use std::{path::PathBuf, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::{Extracted, OcrResult, Rect, Rewrite, TimeSpan, Transcript};

/// Kind of files that a worker reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WorkerKind {
    /// Images.
    Ocr,
    /// Audio.
    Speech,
    /// Documents.
    Documents,
}

impl WorkerKind {
    /// Returns the name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ocr => "ocr",
            Self::Speech => "speech",
            Self::Documents => "documents",
        }
    }
}

/// OCR engine that reads images.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum OcrEngine {
    /// The networks where their models are, else Tesseract where it is installed.
    #[default]
    Auto,
    /// The networks of PP-OCRv6 in the folder of the models.
    Paddle,
    /// Tesseract, a library of the system.
    Tesseract,
}

impl FromStr for OcrEngine {
    type Err = ();

    fn from_str(name: &str) -> Result<Self, ()> {
        match name {
            "auto" => Ok(Self::Auto),
            "paddle" => Ok(Self::Paddle),
            "tesseract" => Ok(Self::Tesseract),
            _ => Err(()),
        }
    }
}

/// Limits and settings of a worker, sent as its first message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct WorkerLimits {
    /// Memory (address space) in bytes, in addition to that for the operator's model file.
    pub memory: u64,
    /// Accepted pixels of an image.
    pub pixels: u64,
    /// Accepted length of audio in seconds.
    pub seconds: u32,
    /// Processor time per request in seconds.
    pub processor_seconds: u64,
    /// OCR engine.
    pub ocr: OcrEngine,
    /// Folder of the models, with a folder for each set: `ocr`, `speech`, `faces`, `nsfw`. An absolute path.
    pub models: PathBuf,
    /// Tesseract languages, such as `eng+deu`.
    pub languages: String,
    /// Model file for whisper.cpp, which then replaces Whisper in Rust.
    pub whisper: Option<PathBuf>,
    /// True if the worker leaves the processor to everything else.
    pub background: bool,
    /// True if the worker refuses files unless the kernel confines it completely.
    pub require_sandbox: bool,
}

/// Confinement of a worker by the kernel, beyond the limits on memory and time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Confinement {
    /// No files and no network (Landlock).
    pub files: bool,
    /// Only the system calls that reading a file needs (seccomp).
    pub system_calls: bool,
}

impl Confinement {
    /// Returns the mechanisms and whether each confines the worker.
    pub const fn mechanisms(self) -> [(&'static str, bool); 2] {
        [("landlock", self.files), ("seccomp", self.system_calls)]
    }

    /// Returns the names of the mechanisms that do not confine the worker, separated by commas; empty if all do.
    pub fn missing(self) -> String {
        let missing: Vec<_> =
            self.mechanisms().into_iter().filter(|(_, holds)| !holds).map(|(name, _)| name).collect();
        missing.join(", ")
    }
}

/// Component that a worker needs but does not have.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
pub enum Missing {
    /// A library or model that is not installed.
    #[error("{what} is not installed: install {package}")]
    Package {
        /// Name of the component.
        what: String,
        /// Debian packages that provide it.
        package: String,
    },
    /// The folder of the models lacks a set. Holds the set's name; API callers can read it, so the folder is left out.
    #[error("media.models has no models of {0}: run scripts/fetch-models FOLDER {0}")]
    Models(String),
    /// A file in the folder of the models cannot be used. Holds the file's name and the reason, without the folder.
    #[error("media.models: {0}")]
    ModelFile(String),
    /// The configured model file cannot be used. Holds the file's name and the reason, without the folder because API
    /// callers can read it.
    #[error("media.whisper_model: {0}")]
    Model(String),
    /// The kernel does not confine the worker as configured. Holds the mechanisms that are missing.
    #[error("media.require_sandbox: workers are not confined by {0}")]
    Sandbox(String),
    /// This build has no decoders and no engines.
    #[error("this build reads no images, documents or audio: build with the feature `media`")]
    Engines,
}

impl Missing {
    /// Creates the error for a component that Debian packages provide.
    pub fn package(what: impl Into<String>, package: impl Into<String>) -> Self {
        Self::Package { what: what.into(), package: package.into() }
    }
}

/// Things that are looked for in an image besides text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ImageChecks {
    /// Faces.
    pub faces: bool,
    /// Sexual content.
    pub nsfw: bool,
}

/// Request to a worker. The file follows the message.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Request {
    /// Check that all components are present. Sent without a file.
    CheckComponents,
    /// Run OCR on an image.
    Ocr(ImageChecks),
    /// Return the image as an upright PNG without metadata, with these areas blacked out.
    Redact(Vec<Rect>),
    /// Transcribe audio.
    Transcribe,
    /// Return the length of audio without transcribing it.
    Measure,
    /// Return a part of audio as a mono WAV file of 16 kHz.
    Excerpt(Excerpt),
    /// Read the text of a document. Holds its name, if it has one.
    Extract(Option<String>),
    /// Return the document of this name with these changes.
    Rewrite(Option<String>, Rewrite),
}

/// A part of audio.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Excerpt {
    /// First sample, of 16 kHz.
    pub from: u64,
    /// Longest part. A longer rest is cut at a quiet moment.
    pub max_samples: u64,
    /// Time spans of the audio to mute.
    pub muted: Vec<TimeSpan>,
}

impl Excerpt {
    /// The whole audio, with these time spans muted.
    pub const fn whole(muted: Vec<TimeSpan>) -> Self {
        Self { from: 0, max_samples: u64::MAX, muted }
    }
}

/// Response of a worker.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Response {
    /// All components are present, and the worker is confined so far.
    Ready(Confinement),
    /// A component is missing.
    Missing(Missing),
    /// Text of an image.
    Ocr(OcrResult),
    /// Seconds of the audio that are transcribed. The response follows.
    Progress(f32),
    /// Transcript of audio.
    Transcript(Transcript),
    /// Length of audio in seconds.
    Measured(f32),
    /// The requested part of audio follows the message.
    Excerpt {
        /// The sample after its last one.
        end: u64,
        /// Samples of the whole audio.
        samples: u64,
    },
    /// Text of a document. The files of its images follow the message.
    Document(Extracted),
    /// The requested file follows the message.
    File,
    /// The file cannot be read. Holds the reason, for the sender.
    Unreadable(String),
    /// The time limit was reached.
    TimedOut,
}
