//! The speech engine on this machine that transcribes audio.

use std::path::Path;

use guardengine_media::{MediaError, Missing};

use crate::MediaSettings;

/// The speech engine of this machine.
#[derive(Clone, Debug)]
pub struct SpeechEngine {
    /// Name of the engine, with the model's file name if the operator configured one.
    pub name: String,
    /// Seconds to mute before and after a word, for the inaccuracy of its times.
    pub margin: f32,
    has_own_model: bool,
}

impl SpeechEngine {
    /// Returns the configured engine.
    pub fn of(media: &MediaSettings) -> Self {
        let file = media.whisper_model.as_deref().and_then(Path::file_name);
        // PocketSphinx times words to a hundredth of a second; whisper.cpp estimates the times from the lengths of the
        // words in a segment.
        file.map_or_else(
            || Self { name: "pocketsphinx".to_owned(), margin: 0.1, has_own_model: false },
            |file| {
                let name = format!("whisper:{}", file.to_string_lossy());
                Self { name, margin: 0.5, has_own_model: true }
            },
        )
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
