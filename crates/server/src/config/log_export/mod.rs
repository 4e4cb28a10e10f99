//! Destination of exported log entries: NATS JetStream, Kafka or none.

#[cfg(feature = "kafka")]
mod kafka;
#[cfg(feature = "nats")]
mod nats;

use guardengine_log_export::LogExport;

use super::{ConfigError, settings::Reader};

#[cfg(all(feature = "nats", feature = "kafka"))]
const ONE_DESTINATION: &str =
    "must be unset when log_export.nats.url is set: log entries have one destination";
#[cfg(not(feature = "nats"))]
const NO_NATS: &str = "must be unset: this program was built without the feature `nats`";
#[cfg(not(feature = "kafka"))]
const NO_KAFKA: &str = "must be unset: this program was built without the feature `kafka`";

impl Reader<'_> {
    pub(super) fn log_export(&self) -> Result<Option<LogExport>, ConfigError> {
        match (self.stream_export()?, self.topic_export()?) {
            #[cfg(all(feature = "nats", feature = "kafka"))]
            (Some(_), Some(_)) => Err(self.bad_value("log_export.kafka.brokers", ONE_DESTINATION)),
            (stream, topic) => Ok(stream.or(topic)),
        }
    }

    #[cfg(feature = "nats")]
    fn stream_export(&self) -> Result<Option<LogExport>, ConfigError> {
        Ok(self.nats()?.map(LogExport::Nats))
    }

    #[cfg(not(feature = "nats"))]
    fn stream_export(&self) -> Result<Option<LogExport>, ConfigError> {
        self.unset("log_export.nats.url", NO_NATS)
    }

    #[cfg(feature = "kafka")]
    fn topic_export(&self) -> Result<Option<LogExport>, ConfigError> {
        Ok(self.kafka()?.map(LogExport::Kafka))
    }

    #[cfg(not(feature = "kafka"))]
    fn topic_export(&self) -> Result<Option<LogExport>, ConfigError> {
        self.unset("log_export.kafka.brokers", NO_KAFKA)
    }

    /// Refuses a key that this build does not support.
    #[cfg(not(all(feature = "nats", feature = "kafka")))]
    fn unset(&self, key: &str, why: &'static str) -> Result<Option<LogExport>, ConfigError> {
        if self.text(key).is_some() { Err(self.bad_value(key, why)) } else { Ok(None) }
    }

    #[cfg(any(feature = "nats", feature = "kafka"))]
    fn is_from_beginning(&self, key: &str) -> Result<bool, ConfigError> {
        self.word(key)?.map(|word| word == "beginning").ok_or_else(|| self.refuse(key))
    }

    /// Splits a comma-separated list into its trimmed parts.
    #[cfg(any(feature = "nats", feature = "kafka"))]
    fn list(&self, key: &str) -> Vec<String> {
        let list = self.text(key).unwrap_or_default();
        list.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect()
    }
}

#[cfg(all(test, feature = "nats", feature = "kafka"))]
mod tests {
    use super::*;
    use crate::config::{Layers, Settings, Source};

    /// Reads the settings with these keys set under `log_export`.
    fn settings(set: &[(String, &str)]) -> Result<Settings, String> {
        let mut layers = Layers::defaults();
        for (key, value) in set {
            let key = format!("log_export.{key}");
            layers.set(&key, (*value).to_owned(), Source::Flag("--set".to_owned())).unwrap();
        }
        Settings::from_layers(&layers).map_err(|error| error.to_string())
    }

    /// Reads the export with these keys set for one destination.
    pub(super) fn export(to: &str, set: &[(&str, &str)]) -> Result<LogExport, String> {
        let set: Vec<_> = set.iter().map(|(key, value)| (format!("{to}.{key}"), *value)).collect();
        settings(&set).map(|settings| settings.log_export.unwrap())
    }

    #[test]
    fn exports_nothing_by_default() {
        assert!(settings(&[]).unwrap().log_export.is_none());
    }

    #[test]
    fn refuses_two_destinations() {
        let both = [("nats.url", "nats://127.0.0.1"), ("kafka.brokers", "127.0.0.1:9092")];
        let error = settings(&both.map(|(key, value)| (key.to_owned(), value))).unwrap_err();
        assert!(
            error.contains("log_export.nats.url") && error.contains("log_export.kafka.brokers"),
            "{error}"
        );
    }

    #[test]
    fn names_a_topic_and_a_stream_differently() {
        let nats = export("nats", &[("url", "nats://127.0.0.1")]).unwrap();
        let kafka = export("kafka", &[("brokers", "127.0.0.1:9092")]).unwrap();
        assert_eq!((nats.name(), kafka.name()), ("guardengine_logs".into(), "kafka:guardengine_logs".into()));
    }
}
