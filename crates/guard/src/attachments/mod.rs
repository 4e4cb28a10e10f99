//! Images and audio of a request: reading, transcription and redaction.
//!
//! Files are read in separate worker processes (`guardengine-media`). A file that could not be read fails the call, so that
//! nothing is allowed without evaluation.

mod contents;
mod file;
mod misread_numbers;
mod read;
mod speech_engine;
mod transcriber;
mod worker_pools;

pub use contents::{Attachments, Audio, MediaText, Transcript};
pub use file::{ImageFile, parse_images};
pub use speech_engine::SpeechEngine;
pub use transcriber::Transcriber;
pub use worker_pools::{MediaStatus, MediaWorkers};
