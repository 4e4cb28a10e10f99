//! Settings for traces.

use super::{ConfigError, Secret, settings::Reader};
use crate::trace_export::TraceSettings;

impl Reader<'_> {
    pub(super) fn traces(&self) -> Result<Option<TraceSettings>, ConfigError> {
        let key = "traces.endpoint";
        let sample_percent = self.count("traces.sample_percent")?;
        let Some(address) = self.text(key) else { return Ok(None) };
        let is_accepted = |address: &str| {
            ["http://", "https://"].iter().any(|scheme| address.starts_with(scheme))
                && address.parse::<axum::http::Uri>().is_ok()
        };
        if address.contains('@') {
            return Err(self.refuse_hidden(key));
        }
        if !is_accepted(&address) {
            return Err(self.refuse(key));
        }
        let token = self.text("traces.token").map(Secret::new);
        Ok(Some(TraceSettings { endpoint: address, token, sample_percent }))
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

    #[test]
    fn no_traces_are_sent_by_default() {
        assert!(settings(&[]).unwrap().traces.is_none());
    }

    #[test]
    fn reads_where_traces_go_and_hides_the_token() {
        let set = [("traces.endpoint", "http://127.0.0.1:4318"), ("traces.token", "s3cret")];
        let settings = settings(&set).unwrap();
        assert!(!format!("{settings:?}").contains("s3cret"));
        let traces = settings.traces.unwrap();
        assert_eq!((traces.endpoint.as_str(), traces.sample_percent), ("http://127.0.0.1:4318", 100));
        assert_eq!(traces.token.unwrap().expose(), "s3cret");
    }

    #[test]
    fn refuses_other_addresses_and_shares() {
        for (key, value) in [
            ("traces.endpoint", "collector:4317"),
            ("traces.endpoint", "grpc://collector:4317"),
            ("traces.endpoint", "http://"),
            ("traces.sample_percent", "0"),
            ("traces.sample_percent", "101"),
        ] {
            let error = settings(&[(key, value)]).unwrap_err();
            assert!(error.starts_with(&format!("--set: {key} = {value:?}: must be ")), "{error}");
        }
        let error = settings(&[("traces.endpoint", "http://me:hunter2@collector")]).unwrap_err();
        assert!(error.contains("(hidden)") && !error.contains("hunter2"), "{error}");
    }
}
