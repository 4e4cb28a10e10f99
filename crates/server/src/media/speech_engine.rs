//! Who hears recordings on this machine.

use std::path::Path;

use guardengine_media::{MediaError, Missing};

use crate::config::Media;

/// The recogniser of this machine.
#[derive(Clone, Debug)]
pub struct SpeechEngine {
    /// Its name, with its model's file where that is the operator's.
    pub name: String,
    /// Seconds that are silenced around a word, which it places only so well.
    pub margin: f32,
    has_own_model: bool,
}

impl SpeechEngine {
    /// The one that is set up.
    pub fn of(media: &Media) -> Self {
        let file = media.whisper_model.as_deref().and_then(Path::file_name);
        // PocketSphinx tells the hundredths of a second in which a word stands; whisper.cpp estimates them from the
        // length of the words of a segment.
        file.map_or_else(
            || Self { name: "pocketsphinx".to_owned(), margin: 0.1, has_own_model: false },
            |file| {
                let name = format!("whisper:{}", file.to_string_lossy());
                Self { name, margin: 0.5, has_own_model: true }
            },
        )
    }

    /// A fault of its worker's, with the setting to look at: a model at which whisper.cpp ends its process cannot say so.
    pub fn blamed(&self, fault: MediaError) -> MediaError {
        match fault {
            MediaError::Failed(why) if self.has_own_model => {
                Missing::Model(format!("its worker failed: {why}")).into()
            }
            fault => fault,
        }
    }
}
