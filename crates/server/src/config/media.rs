//! Pictures and recordings.

use std::{path::PathBuf, time::Duration};

use guardengine_media::WHISPER;

use super::{ConfigError, settings::Reader, value::size};

const NO_WHISPER: &str =
    "must be unset: this program was built without whisper.cpp (cargo build --release --features whisper)";

/// What pictures and recordings may be, and how they are read.
#[derive(Clone, Debug)]
pub struct Media {
    /// Pictures of a request.
    pub max_images: usize,
    /// Pixels of a picture.
    pub max_pixels: u64,
    /// How long a recording may be.
    pub max_duration: Duration,
    /// Workers of each kind.
    pub workers: usize,
    /// Files that may wait for one.
    pub queue: usize,
    /// Bytes of memory of each.
    pub memory: u64,
    /// How long a picture may take.
    pub image_timeout: Duration,
    /// How long a recording may take.
    pub audio_timeout: Duration,
    /// Languages of tesseract.
    pub languages: String,
    /// The folder of PocketSphinx's model; Debian's where empty.
    pub speech_model: String,
    /// The model file with which whisper.cpp hears in place of PocketSphinx; whether it is one, its workers find out.
    pub whisper_model: Option<PathBuf>,
    /// The program that workers are; our own binary where unset.
    pub program: Option<PathBuf>,
}

impl Reader<'_> {
    pub(super) fn media(&self) -> Result<Media, ConfigError> {
        Ok(Media {
            max_images: self.at_least_one("media.max_images")? as usize,
            max_pixels: u64::from(self.at_least_one("media.max_pixels")?),
            max_duration: self.lasting("media.max_duration")?,
            workers: self.at_least_one("media.workers")? as usize,
            queue: self.at_least_one("media.queue")? as usize,
            memory: self.memory("media.memory")?,
            image_timeout: self.lasting("media.image_timeout")?,
            audio_timeout: self.lasting("media.audio_timeout")?,
            languages: self.languages("media.languages")?,
            speech_model: self.text("media.speech_model").unwrap_or_default(),
            whisper_model: self.whisper_model("media.whisper_model")?,
            program: self.text("media.program").map(PathBuf::from),
        })
    }

    fn whisper_model(&self, key: &str) -> Result<Option<PathBuf>, ConfigError> {
        // Workers run in a folder of their own.
        let named = self.text(key).map(|file| std::path::absolute(&file).unwrap_or_else(|_| file.into()));
        if named.is_some() && !WHISPER { Err(self.fault(key, NO_WHISPER)) } else { Ok(named) }
    }

    fn memory(&self, key: &str) -> Result<u64, ConfigError> {
        const LEAST: usize = 256 << 20;
        let bytes = size(&self.text(key).unwrap_or_default()).filter(|bytes| *bytes >= LEAST);
        bytes.map(|bytes| bytes as u64).ok_or_else(|| self.fault(key, "must be a size of at least 256MiB"))
    }

    fn languages(&self, key: &str) -> Result<String, ConfigError> {
        let languages = self.text(key).unwrap_or_default();
        let is_code =
            |code: &str| !code.is_empty() && code.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if languages.split('+').all(is_code) {
            return Ok(languages);
        }
        Err(self.fault(key, "must be languages of tesseract, such as eng or eng+deu"))
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Layers, Settings, Source};

    fn settings(key: &str, value: &str) -> Result<Settings, String> {
        let mut layers = Layers::defaults();
        layers.set(key, value.to_owned(), Source::Flag("--set".to_owned())).unwrap();
        Settings::from_layers(&layers).map_err(|fault| fault.to_string())
    }

    #[cfg(not(feature = "whisper"))]
    #[test]
    fn a_whisper_model_is_refused_where_nobody_could_hear_with_it() {
        let told = settings("media.whisper_model", "ggml-base.bin").unwrap_err();
        let begins = "--set: media.whisper_model = \"ggml-base.bin\": must be unset: ";
        assert!(told.starts_with(begins) && told.contains("--features whisper"), "{told}");
    }

    #[cfg(feature = "whisper")]
    #[test]
    fn a_whisper_model_is_found_from_any_folder() {
        let named = settings("media.whisper_model", "ggml-base.bin").unwrap().media.whisper_model.unwrap();
        assert!(named.is_absolute() && named.ends_with("ggml-base.bin"), "{}", named.display());
        assert_eq!(settings("media.whisper_model", "").unwrap().media.whisper_model, None);
    }

    #[test]
    fn the_bounds_of_workers_are_checked() {
        for (key, value) in [
            ("media.memory", "1MiB"),
            ("media.languages", "eng+"),
            ("media.languages", "../eng"),
            ("media.workers", "0"),
            ("media.max_duration", "0s"),
        ] {
            let told = settings(key, value).unwrap_err();
            assert!(told.starts_with(&format!("--set: {key} = {value:?}: must be ")), "{told}");
        }
        assert_eq!(settings("media.languages", "eng+chi_sim").unwrap().media.languages, "eng+chi_sim");
    }
}
