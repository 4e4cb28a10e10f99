//! Words of pictures and of speech.
//!
//! Files that strangers send are decoded and recognised in worker processes ([`worker`]) that have little memory, little
//! time, no files and no network. The service holds a few of each in a [`Pool`], asks them questions ([`Question`]), and
//! gets words with their places. A file that crashes its worker costs that request alone.
//!
//! Tesseract and PocketSphinx are looked for at run time, in the workers only: a machine without them runs everything
//! else, and is told which package is missing. whisper.cpp is compiled in with the feature `whisper`.
//!
//! Decoders and recognisers are behind the feature `engines`. Without it a [`Pool`] starts no worker and answers
//! [`Missing::Engines`].

#[cfg(feature = "engines")]
pub mod foreign;
mod frame;
mod ocr_result;
pub mod passage;
#[cfg(feature = "engines")]
pub mod pictures;
mod pool;
mod protocol;
#[cfg(feature = "engines")]
pub mod recordings;
mod transcript;
#[cfg(feature = "engines")]
pub mod worker;

pub use ocr_result::{Code, Seen};
pub use passage::{Area, Moment, Passage, Reading, Word};
pub use pool::{Pool, Unread, Workers};
pub use protocol::{Answer, Kind, Missing, Question, Setup};
pub use transcript::Heard;

/// Whether this build has decoders and recognisers.
pub const ENGINES: bool = cfg!(feature = "engines");
/// Whether whisper.cpp is a part of this build.
pub const WHISPER: bool = cfg!(feature = "whisper");
