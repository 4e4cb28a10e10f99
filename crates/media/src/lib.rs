//! Words of pictures and of speech.
//!
//! Files that strangers send are decoded and recognised in worker processes ([`worker`]) that have little memory, little
//! time, no files and no network. The service holds a few of each in a [`Pool`], asks them questions ([`Request`]), and
//! gets words with their places. A file that crashes its worker costs that request alone.
//!
//! Tesseract and PocketSphinx are looked for at run time, in the workers only: a machine without them runs everything
//! else, and is told which package is missing. whisper.cpp is compiled in with the feature `whisper`.
//!
//! Decoders and recognisers are behind the feature `engines`. Without it a [`Pool`] starts no worker and answers
//! [`Missing::Engines`].

#[cfg(feature = "engines")]
pub mod audio;
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
#[cfg(feature = "engines")]
pub mod worker;

pub use located_text::{AlternativeReading, LocatedText, Rect, TimeSpan, Word};
pub use ocr_result::{Barcode, OcrResult};
pub use pool::{MediaError, Pool, PoolConfig};
pub use protocol::{Missing, Request, Response, WorkerKind, WorkerLimits};
pub use transcript::Transcript;

/// Whether this build has decoders and recognisers.
pub const ENGINES: bool = cfg!(feature = "engines");
/// Whether whisper.cpp is a part of this build.
pub const WHISPER: bool = cfg!(feature = "whisper");
