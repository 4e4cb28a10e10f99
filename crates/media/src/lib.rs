//! OCR of images, speech recognition of audio and reading of documents, in confined worker processes.
//!
//! Untrusted files are decoded in worker processes ([`worker`]) with limited memory and time and without files or
//! network. The service keeps a few workers in a [`Pool`], sends them a [`Request`] with a file, and receives text with
//! the position of each word. A file that crashes its worker fails only its own request.
//!
//! Images are read by networks whose models lie in a folder, or by Tesseract, which is loaded at run time. Speech is
//! recognized by Whisper, whose model lies there too. On a machine without these models and libraries everything else works,
//! and requests fail with the name of what is missing. The feature `whisper` compiles whisper.cpp in.
//!
//! Decoders and engines need the feature `engines`. Without it a [`Pool`] starts no worker and returns
//! [`Missing::Engines`].

#[cfg(feature = "engines")]
pub mod audio;
#[cfg(feature = "engines")]
pub mod document;
mod extracted;
mod framing;
#[cfg(feature = "engines")]
pub mod image;
pub mod located_text;
#[cfg(feature = "engines")]
pub mod native;
mod ocr_result;
mod pool;
mod protocol;
mod transcript;
pub mod wav;
#[cfg(feature = "engines")]
pub mod worker;

pub use extracted::{DocumentImage, Edit, Extracted, Format, Rewrite, Role, Segment};
pub use located_text::{AlternativeReading, LocatedText, Rect, TimeSpan, Word};
pub use ocr_result::{Barcode, Face, OcrResult};
pub use pool::{MediaError, Payload, Pool, PoolConfig};
pub use protocol::{
    Confinement, Excerpt, ImageChecks, Missing, OcrEngine, Request, Response, WorkerKind, WorkerLimits,
};
pub use transcript::Transcript;

/// True if this build includes decoders, OCR and speech recognition.
pub const ENGINES: bool = cfg!(feature = "engines");
/// True if this build includes whisper.cpp.
pub const WHISPER: bool = cfg!(feature = "whisper");
