//! Speech recognition engines.

#[cfg(feature = "whisper")]
use super::whisper_cpp::WhisperCpp;
use super::{Audio, Unreadable, whisper::Whisper};
use crate::{
    Transcript,
    protocol::{Missing, WorkerLimits},
};

/// A speech recognition engine with its model.
pub enum Engine {
    /// Whisper in Rust, the default.
    Whisper(Box<Whisper>),
    /// whisper.cpp with the operator's model file.
    #[cfg(feature = "whisper")]
    WhisperCpp(WhisperCpp),
}

impl Engine {
    /// Returns the memory in bytes that the model and its computations need: 1.5 times the operator's file for whisper.cpp,
    /// and the size of the file for Whisper in Rust, which keeps half of that.
    ///
    /// The documentation of whisper.cpp implies 1.25 times the file for its models (75 MiB to 2.9 GiB) plus about 250
    /// MiB, which fit into the memory of every worker.
    pub fn memory(limits: &WorkerLimits) -> u64 {
        let size = |file: &std::path::Path| std::fs::metadata(file).map_or(0, |file| file.len());
        match &limits.whisper {
            Some(file) => size(file) / 2 * 3,
            None => size(&Whisper::model_file(&limits.models)),
        }
    }

    /// Loads the configured engine. Does not fall back to another one if that fails.
    pub fn load(limits: &WorkerLimits) -> Result<Self, Missing> {
        match &limits.whisper {
            Some(file) => Self::whisper_cpp(file),
            None => Whisper::load(&limits.models).map(|engine| Self::Whisper(Box::new(engine))),
        }
    }

    #[cfg(feature = "whisper")]
    fn whisper_cpp(file: &std::path::Path) -> Result<Self, Missing> {
        WhisperCpp::load(file).map(Self::WhisperCpp)
    }

    #[cfg(not(feature = "whisper"))]
    fn whisper_cpp(_: &std::path::Path) -> Result<Self, Missing> {
        Err(Missing::Model("this program was built without the feature `whisper`".to_owned()))
    }

    /// Transcribes audio. `progress` gets the seconds that are transcribed, again and again.
    pub fn transcribe(
        &self,
        audio: &Audio,
        progress: &mut dyn FnMut(f32),
    ) -> Result<Transcript, NotTranscribed> {
        match self {
            Self::Whisper(engine) => Ok(engine.transcribe(audio, progress)?),
            #[cfg(feature = "whisper")]
            Self::WhisperCpp(engine) => engine.transcribe(audio, progress),
        }
    }
}

/// Reason why audio was not transcribed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum NotTranscribed {
    /// The audio cannot be decoded.
    #[error(transparent)]
    Unreadable(#[from] Unreadable),
    /// The model fails.
    #[error(transparent)]
    Missing(#[from] Missing),
}
