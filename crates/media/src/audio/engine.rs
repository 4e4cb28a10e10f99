//! Who hears recordings on this machine.

use std::path::Path;

use super::transcribe;
#[cfg(feature = "whisper")]
use super::whisper::Whisper;
use crate::{
    Transcript,
    native::pocketsphinx::PocketSphinx,
    protocol::{Missing, WorkerLimits},
};

/// A recogniser with its model loaded.
pub enum Engine {
    /// The one that is there without any setting.
    PocketSphinx(PocketSphinx),
    /// The one for a model file of the operator's.
    #[cfg(feature = "whisper")]
    Whisper(Whisper),
}

impl Engine {
    /// Bytes of memory that the operator's model file takes, and what is computed with it: half as much again as the
    /// file. What whisper.cpp's documentation tells of its models, from 75 MiB to 2.9 GiB, is 1.25 times the file and
    /// some 250 MiB, which the memory of any worker has room for.
    pub fn memory(setup: &WorkerLimits) -> u64 {
        let file = setup.whisper.as_deref().and_then(|file| std::fs::metadata(file).ok());
        file.map_or(0, |file| file.len() + file.len() / 2)
    }

    /// The one that is set up. No other takes its place where it cannot be loaded.
    pub fn load(setup: &WorkerLimits, phrases: &Path) -> Result<Self, Missing> {
        match &setup.whisper {
            Some(file) => Self::whisper(file),
            None => PocketSphinx::load(&setup.model, phrases).map(Self::PocketSphinx),
        }
    }

    #[cfg(feature = "whisper")]
    fn whisper(file: &Path) -> Result<Self, Missing> {
        Whisper::load(file).map(Self::Whisper)
    }

    #[cfg(not(feature = "whisper"))]
    fn whisper(_: &Path) -> Result<Self, Missing> {
        Err(Missing::Model("the workers were built without the feature whisper".to_owned()))
    }

    /// What is heard in samples of 16 kHz.
    pub fn heard(&mut self, samples: &[i16]) -> Result<Transcript, Missing> {
        match self {
            Self::PocketSphinx(engine) => Ok(transcribe(engine, samples)),
            #[cfg(feature = "whisper")]
            Self::Whisper(engine) => engine.heard(samples),
        }
    }
}
