//! OCR and speech recognition as in workers, but in this process. Needs the packages of `scripts/install-deps test`.

mod documents;
mod faces;
mod formats;
mod nsfw;
mod ocr;
mod oversized_files;
mod paddle;
mod quality;
mod speech;
mod speech_quality;
#[cfg(feature = "whisper")]
mod whisper;
