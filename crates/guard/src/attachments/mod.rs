//! Images, audio and documents of a request: reading, transcription and redaction.
//!
//! Files are read in separate worker processes (`guardengine-media`). A file that could not be read fails the call, so that
//! nothing is allowed without evaluation.

mod contents;
mod document;
mod file;
mod misread_numbers;
mod read;
mod speech_engine;
mod transcriber;
mod worker_pools;

pub(crate) use contents::FACE;
pub use contents::{Attachments, Audio, MediaText, Transcript};
pub use document::{DocumentFile, ReadDocument};
pub use file::{ImageFile, decode_base64, parse_images};
pub use speech_engine::SpeechEngine;
pub use transcriber::Transcriber;
pub use worker_pools::{MediaStatus, MediaWorkers};
