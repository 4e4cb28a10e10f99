//! OCR and speech recognition as in workers, but in this process. Needs the packages of `scripts/install-deps test`.

mod bombs;
mod formats;
mod pictures;
mod speech;
#[cfg(feature = "whisper")]
mod whisper;
