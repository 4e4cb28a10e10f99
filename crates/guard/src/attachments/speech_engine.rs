//! The speech engine on this machine that transcribes audio.

use std::path::Path;

use guardengine_media::{MediaError, Missing};

use crate::MediaSettings;

/// Whisper in Rust, with the model that `scripts/fetch-models` fetches.
const BUILT_IN: &str = "whisper:base";

/// Seconds to mute around a word. Whisper in Rust takes the times of words from what the model reads of the audio, and puts
/// the end of a word before a pause up to 0.4 s early. whisper.cpp estimates the times from the lengths of the words.
const MARGIN: f32 = 0.5;

/// The speech engine of this machine.
#[derive(Clone, Debug)]
pub struct SpeechEngine {
    /// Name of the engine and its model; the file's name if the operator configured one.
    pub name: String,
    /// Seconds to mute before and after a word, for the inaccuracy of its times.
    pub margin: f32,
    has_own_model: bool,
}

impl SpeechEngine {
    /// Returns the configured engine.
    pub fn of(media: &MediaSettings) -> Self {
        let file = media.whisper_model.as_deref().and_then(Path::file_name);
        let name =
            file.map_or_else(|| BUILT_IN.to_owned(), |file| format!("whisper:{}", file.to_string_lossy()));
        Self { name, margin: MARGIN, has_own_model: file.is_some() }
    }

    /// Replaces a worker failure by an error that names the model setting: whisper.cpp aborts on a bad model without a
    /// message.
    pub fn explain(&self, error: MediaError) -> MediaError {
        match error {
            MediaError::Failed(reason) if self.has_own_model => {
                Missing::Model(format!("its worker failed: {reason}")).into()
            }
            error => error,
        }
    }
}
