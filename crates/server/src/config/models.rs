//! Models of the operator's own.

use std::{path::PathBuf, time::Duration};

use guardengine_custom_models::{ACCEPTED, LOCAL, Labels, RemoteEndpoint};

use super::{ConfigError, settings::Reader};

const URL: &str =
    "must be an http or https address without user and password, such as http://127.0.0.1:8081/predict";
const NO_MODELS: &str = "must be unset: this program was built without the feature `custom-models`";
const TIMEOUT: &str = "must be a duration of 10ms to 60s";

/// Which models count instead of ours, and for what.
#[derive(Clone, Default)]
pub struct Models {
    /// A folder, and its model's labels.
    pub encoder: Option<(PathBuf, Labels)>,
    /// A service, and its labels.
    pub remote: Option<(RemoteEndpoint, Labels)>,
}

// The service holds a token.
impl std::fmt::Debug for Models {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let remote = self.remote.as_ref().map(|(_, labels)| labels);
        formatter.debug_struct("Models").field("encoder", &self.encoder).field("remote", &remote).finish()
    }
}

impl Reader<'_> {
    pub(super) fn models(&self) -> Result<Models, ConfigError> {
        let encoder = self.text("models.encoder.path").map(PathBuf::from);
        if encoder.is_some() && !LOCAL {
            return Err(self.fault("models.encoder.path", NO_MODELS));
        }
        let encoder = encoder.map(|path| Ok((path, self.parsed("models.encoder.labels", ACCEPTED)?)));
        let remote = self.text("models.remote.url");
        let remote = remote.map(|_| Ok((self.service()?, self.parsed("models.remote.labels", ACCEPTED)?)));
        Ok(Models { encoder: encoder.transpose()?, remote: remote.transpose()? })
    }

    fn service(&self) -> Result<RemoteEndpoint, ConfigError> {
        let service = RemoteEndpoint {
            url: self.parsed("models.remote.url", URL)?,
            token: self.text("models.remote.token"),
            timeout: self.duration("models.remote.timeout")?,
        };
        let range = Duration::from_millis(10)..=Duration::from_mins(1);
        if !matches!(service.url.scheme(), "http" | "https") {
            return Err(self.fault("models.remote.url", URL));
        }
        if !service.url.username().is_empty() || service.url.password().is_some() {
            return Err(self.hidden("models.remote.url", URL));
        }
        if !range.contains(&service.timeout) {
            return Err(self.fault("models.remote.timeout", TIMEOUT));
        }
        Ok(service)
    }
}

#[cfg(test)]
mod tests {
    use crate::config::{Layers, Settings, Source};

    fn settings(set: &[(&str, &str)]) -> Result<Settings, String> {
        let mut layers = Layers::defaults();
        for (key, value) in set {
            layers.set(key, (*value).to_owned(), Source::Flag("--set".to_owned())).unwrap();
        }
        Settings::from_layers(&layers).map_err(|fault| fault.to_string())
    }

    const URL: (&str, &str) = ("models.remote.url", "http://127.0.0.1:8081/predict");

    #[test]
    fn nothing_is_overruled_by_default() {
        let models = settings(&[]).unwrap().models;
        assert!(models.encoder.is_none() && models.remote.is_none());
    }

    #[test]
    fn a_model_needs_labels_of_guardrails() {
        for labels in ["", "INJECTION=injection", "INJECTION"] {
            let told =
                settings(&[("models.encoder.path", "."), ("models.encoder.labels", labels)]).unwrap_err();
            let key = format!("models.encoder.labels = {labels:?}: must be LABEL=GUARDRAIL pairs");
            assert!(told.contains(&key) && told.contains("prompt_injection, model_jailbreak"), "{told}");
            assert!(settings(&[URL, ("models.remote.labels", labels)]).is_err());
        }
    }

    #[test]
    fn a_remote_classifier_has_an_address_and_a_time() {
        let labels = ("models.remote.labels", "x=toxicity");
        let (service, _) = settings(&[URL, labels]).unwrap().models.remote.unwrap();
        assert_eq!((service.url.port(), service.timeout.as_secs(), service.token), (Some(8081), 2, None));
        for (key, value) in [
            ("models.remote.url", "127.0.0.1:8081"),
            ("models.remote.url", "file:///etc/passwd"),
            ("models.remote.timeout", "0s"),
            ("models.remote.timeout", "2h"),
        ] {
            let told = settings(&[URL, labels, (key, value)]).unwrap_err();
            assert!(told.starts_with(&format!("--set: {key} = {value:?}: must be ")), "{told}");
        }
    }

    #[test]
    fn a_password_in_the_address_is_refused_and_not_told() {
        let url = ("models.remote.url", "https://me:hunter2@host/predict");
        let told = settings(&[url, ("models.remote.labels", "x=toxicity")]).unwrap_err();
        assert!(told.contains("(hidden)") && !told.contains("hunter2"), "{told}");
    }

    #[test]
    fn labels_may_be_written_as_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.toml");
        std::fs::write(&file, "models.encoder.labels = { INJECTION = \"prompt_injection\", B = \"bias\" }")
            .unwrap();
        let mut layers = Layers::defaults();
        layers.file(&file).unwrap();
        assert_eq!(layers.get("models.encoder.labels").0, "B=bias,INJECTION=prompt_injection");
    }

    #[test]
    fn the_token_is_not_told() {
        let set = [URL, ("models.remote.labels", "x=toxicity"), ("models.remote.token", "s3cret")];
        let settings = settings(&set).unwrap();
        assert!(!format!("{settings:?}").contains("s3cret") && Settings::is_secret("models.remote.token"));
        assert_eq!(settings.models.remote.unwrap().0.token.as_deref(), Some("s3cret"));
    }
}
