//! Settings for images and audio.

use std::path::{Path, PathBuf};

use guardengine_guard::MediaSettings;
use guardengine_media::WHISPER;

use super::{ConfigError, settings::Reader};

const NO_WHISPER: &str =
    "must be unset: this program was built without whisper.cpp (cargo build --release --features whisper)";

impl Reader<'_> {
    pub(super) fn media(&self, data_dir: &Path) -> Result<MediaSettings, ConfigError> {
        Ok(MediaSettings {
            max_images: self.count("media.max_images")?,
            max_pixels: self.count("media.max_pixels")?,
            max_duration: self.duration("media.max_duration")?,
            async_above: self.duration("media.async_above")?,
            workers: self.count("media.workers")?,
            queue: self.count("media.queue")?,
            memory: self.size("media.memory")? as u64,
            image_timeout: self.duration("media.image_timeout")?,
            audio_timeout: self.duration("media.audio_timeout")?,
            ocr: self.parsed("media.ocr")?,
            models: self.models_folder("media.models", data_dir),
            languages: self.languages("media.languages")?,
            whisper_model: self.whisper_model("media.whisper_model")?,
            require_sandbox: self.parsed("media.require_sandbox")?,
            program: self.text("media.program").map(PathBuf::from),
        })
    }

    fn models_folder(&self, key: &str, data_dir: &Path) -> PathBuf {
        absolute(self.text(key).map_or_else(|| data_dir.join("models"), PathBuf::from))
    }

    fn whisper_model(&self, key: &str) -> Result<Option<PathBuf>, ConfigError> {
        let file = self.text(key).map(|file| absolute(file.into()));
        if file.is_some() && !WHISPER { Err(self.bad_value(key, NO_WHISPER)) } else { Ok(file) }
    }

    fn languages(&self, key: &str) -> Result<String, ConfigError> {
        let languages = self.text(key).unwrap_or_default();
        let is_code =
            |code: &str| !code.is_empty() && code.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if languages.split('+').all(is_code) {
            return Ok(languages);
        }
        Err(self.refuse(key))
    }
}

/// Returns an absolute path: workers run in their own folder.
fn absolute(path: PathBuf) -> PathBuf {
    std::path::absolute(&path).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use crate::config::{Layers, Settings, Source};

    fn settings(key: &str, value: &str) -> Result<Settings, String> {
        let mut layers = Layers::defaults();
        layers.set(key, value.to_owned(), Source::Flag("--set".to_owned())).unwrap();
        Settings::from_layers(&layers).map_err(|error| error.to_string())
    }

    #[cfg(not(feature = "whisper"))]
    #[test]
    fn refuses_a_whisper_model_without_the_feature() {
        let error = settings("media.whisper_model", "ggml-base.bin").unwrap_err();
        let start = "--set: media.whisper_model = \"ggml-base.bin\": must be unset: ";
        assert!(error.starts_with(start) && error.contains("--features whisper"), "{error}");
    }

    #[cfg(feature = "whisper")]
    #[test]
    fn makes_the_path_of_the_whisper_model_absolute() {
        let named =
            settings("media.whisper_model", "ggml-base.bin").unwrap().guard.media.whisper_model.unwrap();
        assert!(named.is_absolute() && named.ends_with("ggml-base.bin"), "{}", named.display());
        assert_eq!(settings("media.whisper_model", "").unwrap().guard.media.whisper_model, None);
    }

    #[test]
    fn models_are_below_the_data_folder_unless_configured() {
        let models = |key, value| settings(key, value).unwrap().guard.media.models;
        assert_eq!(models("data_dir", "/var/lib/guardengine"), Path::new("/var/lib/guardengine/models"));
        assert_eq!(models("media.models", "/opt/models"), Path::new("/opt/models"));
        let relative = models("media.models", "some/models");
        assert!(relative.is_absolute() && relative.ends_with("some/models"), "{}", relative.display());
    }

    #[test]
    fn checks_worker_limits() {
        for (key, value) in [
            ("media.memory", "1MiB"),
            ("media.languages", "eng+"),
            ("media.languages", "../eng"),
            ("media.ocr", "Paddle"),
            ("media.workers", "0"),
            ("media.max_duration", "0s"),
            ("media.async_above", "0s"),
        ] {
            let error = settings(key, value).unwrap_err();
            assert!(error.starts_with(&format!("--set: {key} = {value:?}: must be ")), "{error}");
        }
        assert_eq!(settings("media.languages", "eng+chi_sim").unwrap().guard.media.languages, "eng+chi_sim");
    }
}
