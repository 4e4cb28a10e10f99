//! Settings for custom models.

use std::path::PathBuf;

use guardengine_custom_models::{LOCAL, RemoteEndpoint};
use guardengine_guard::ModelSettings;

use super::{ConfigError, settings::Reader};

const NO_MODELS: &str = "must be unset: this program was built without the feature `custom-models`";

impl Reader<'_> {
    pub(super) fn models(&self) -> Result<ModelSettings, ConfigError> {
        let encoder = self.text("models.encoder.path").map(PathBuf::from);
        if encoder.is_some() && !LOCAL {
            return Err(self.bad_value("models.encoder.path", NO_MODELS));
        }
        let encoder = encoder.map(|path| Ok((path, self.parsed("models.encoder.labels")?)));
        let remote = self.text("models.remote.url");
        let remote = remote.map(|_| Ok((self.remote_endpoint()?, self.parsed("models.remote.labels")?)));
        Ok(ModelSettings { encoder: encoder.transpose()?, remote: remote.transpose()? })
    }

    fn remote_endpoint(&self) -> Result<RemoteEndpoint, ConfigError> {
        let endpoint = RemoteEndpoint {
            url: self.parsed("models.remote.url")?,
            token: self.text("models.remote.token"),
            timeout: self.duration("models.remote.timeout")?,
        };
        if !matches!(endpoint.url.scheme(), "http" | "https") {
            return Err(self.refuse("models.remote.url"));
        }
        if !endpoint.url.username().is_empty() || endpoint.url.password().is_some() {
            return Err(self.refuse_hidden("models.remote.url"));
        }
        Ok(endpoint)
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
        Settings::from_layers(&layers).map_err(|error| error.to_string())
    }

    const URL: (&str, &str) = ("models.remote.url", "http://127.0.0.1:8081/predict");

    #[test]
    fn no_custom_model_is_used_by_default() {
        let models = settings(&[]).unwrap().guard.models;
        assert!(models.encoder.is_none() && models.remote.is_none());
    }

    #[test]
    fn requires_labels_that_name_guardrails() {
        for labels in ["", "INJECTION=injection", "INJECTION"] {
            let error =
                settings(&[("models.encoder.path", "."), ("models.encoder.labels", labels)]).unwrap_err();
            let key = format!("models.encoder.labels = {labels:?}: must be LABEL=GUARDRAIL pairs");
            assert!(error.contains(&key) && error.contains("prompt_injection, model_jailbreak"), "{error}");
            assert!(settings(&[URL, ("models.remote.labels", labels)]).is_err());
        }
    }

    #[test]
    fn checks_the_url_and_timeout_of_a_remote_classifier() {
        let labels = ("models.remote.labels", "x=toxicity");
        let (endpoint, _) = settings(&[URL, labels]).unwrap().guard.models.remote.unwrap();
        assert_eq!((endpoint.url.port(), endpoint.timeout.as_secs(), endpoint.token), (Some(8081), 2, None));
        for (key, value) in [
            ("models.remote.url", "127.0.0.1:8081"),
            ("models.remote.url", "file:///etc/passwd"),
            ("models.remote.timeout", "0s"),
            ("models.remote.timeout", "2h"),
        ] {
            let error = settings(&[URL, labels, (key, value)]).unwrap_err();
            assert!(error.starts_with(&format!("--set: {key} = {value:?}: must be ")), "{error}");
        }
    }

    #[test]
    fn refuses_and_hides_a_password_in_the_url() {
        let url = ("models.remote.url", "https://me:hunter2@host/predict");
        let error = settings(&[url, ("models.remote.labels", "x=toxicity")]).unwrap_err();
        assert!(error.contains("(hidden)") && !error.contains("hunter2"), "{error}");
    }

    #[test]
    fn accepts_labels_as_a_table() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("own.toml");
        std::fs::write(&file, "models.encoder.labels = { INJECTION = \"prompt_injection\", B = \"bias\" }")
            .unwrap();
        let mut layers = Layers::defaults();
        layers.file(&file).unwrap();
        assert_eq!(layers.get("models.encoder.labels").0, "B=bias,INJECTION=prompt_injection");
    }

    #[test]
    fn hides_the_token() {
        let set = [URL, ("models.remote.labels", "x=toxicity"), ("models.remote.token", "s3cret")];
        let settings = settings(&set).unwrap();
        assert!(!format!("{settings:?}").contains("s3cret") && Settings::is_secret("models.remote.token"));
        assert_eq!(settings.guard.models.remote.unwrap().0.token.as_deref(), Some("s3cret"));
    }
}
