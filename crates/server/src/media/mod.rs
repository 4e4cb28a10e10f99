//! Pictures and recordings: what comes with a request, what is read of it, and what is taken out of it.
//!
//! Files are read in processes of their own (`guardengine-media`). A file that cannot be read is 422, one that was not
//! read 503: nothing is allowed unseen.

mod attachments;
mod file;
mod misread_numbers;
mod speech_engine;
mod transcriber;
mod upload;
mod worker_pools;

pub use attachments::{Attachments, MediaText, Transcript};
pub use file::{Picture, pictures};
pub use speech_engine::SpeechEngine;
pub use transcriber::Transcriber;
pub use upload::Upload;
pub use worker_pools::{MediaStatus, MediaWorkers};
