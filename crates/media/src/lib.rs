//! Words of pictures and of speech.
//!
//! Files that strangers send are decoded and recognised in worker processes ([`worker`]) that have little memory, little
//! time, no files and no network. The service holds a few of each in a [`Pool`], asks them questions ([`Question`]), and
//! gets words with their places. A file that crashes its worker costs that request alone.
//!
//! Tesseract and PocketSphinx are looked for at run time, in the workers only: a machine without them runs everything
//! else, and is told which package is missing. whisper.cpp is compiled in with the feature `whisper`.

pub mod foreign;
mod frame;
pub mod passage;
pub mod pictures;
mod pool;
mod protocol;
pub mod recordings;
pub mod worker;

pub use passage::{Area, Moment, Passage, Reading, Word};
pub use pictures::{Code, Seen};
pub use pool::{Pool, Unread, Workers};
pub use protocol::{Answer, Missing, Question, Setup};
pub use recordings::{Heard, silence};
pub use worker::Kind;
