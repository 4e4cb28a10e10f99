//! OCR and speech recognition as in workers, but in this process. Needs the packages of `scripts/install-deps test`.

mod documents;
mod formats;
mod ocr;
mod oversized_files;
mod paddle;
mod quality;
mod speech;
#[cfg(feature = "whisper")]
mod whisper;
