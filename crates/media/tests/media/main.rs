//! Pictures and recordings read as workers read them, in this process. They need what `scripts/packages test` installs.

mod bombs;
mod formats;
mod paper;
mod pictures;
mod speech;
mod voice;
#[cfg(feature = "whisper")]
mod whisper;
#[cfg(feature = "whisper")]
mod whisper_model;
