//! Speech recognition engines.

use std::path::Path;

use super::transcribe;
#[cfg(feature = "whisper")]
use super::whisper::Whisper;
use crate::{
    Transcript,
    native::pocketsphinx::PocketSphinx,
    protocol::{Missing, WorkerLimits},
};

/// A speech recognition engine with its model.
pub enum Engine {
    /// PocketSphinx, the default.
    PocketSphinx(PocketSphinx),
    /// whisper.cpp with the operator's model file.
    #[cfg(feature = "whisper")]
    Whisper(Whisper),
}

impl Engine {
    /// Returns the memory in bytes that the operator's model file and its computations need: 1.5 times the file's size.
    ///
    /// The documentation of whisper.cpp implies 1.25 times the file for its models (75 MiB to 2.9 GiB) plus about 250
    /// MiB, which fit into the memory of every worker.
    pub fn memory(limits: &WorkerLimits) -> u64 {
        let file = limits.whisper.as_deref().and_then(|file| std::fs::metadata(file).ok());
        file.map_or(0, |file| file.len() + file.len() / 2)
    }

    /// Loads the configured engine. Does not fall back to another one if that fails.
    pub fn load(limits: &WorkerLimits, phrases: &Path) -> Result<Self, Missing> {
        match &limits.whisper {
            Some(file) => Self::whisper(file),
            None => PocketSphinx::load(&limits.model, phrases).map(Self::PocketSphinx),
        }
    }

    #[cfg(feature = "whisper")]
    fn whisper(file: &Path) -> Result<Self, Missing> {
        Whisper::load(file).map(Self::Whisper)
    }

    #[cfg(not(feature = "whisper"))]
    fn whisper(_: &Path) -> Result<Self, Missing> {
        Err(Missing::Model("this program was built without the feature `whisper`".to_owned()))
    }

    /// Transcribes samples of 16 kHz.
    pub fn transcribe(&mut self, samples: &[i16]) -> Result<Transcript, Missing> {
        match self {
            Self::PocketSphinx(engine) => Ok(transcribe(engine, samples)),
            #[cfg(feature = "whisper")]
            Self::Whisper(engine) => engine.transcribe(samples),
        }
    }
}
