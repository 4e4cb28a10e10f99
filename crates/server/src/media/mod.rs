//! Pictures and recordings: what comes with a request, what is read of it, and what is taken out of it.
//!
//! Files are read in processes of their own (`guardengine-media`). A file that cannot be read is 422, one that was not
//! read 503: nothing is allowed unseen.

mod attached;
mod file;
mod misread;
mod readers;
mod recogniser;
mod transcriber;
mod upload;

pub use attached::{Attached, Medium, Transcript};
pub use file::{Picture, pictures};
pub use readers::{Readers, Standing};
pub use recogniser::Recogniser;
pub use transcriber::Transcriber;
pub use upload::Upload;
