//! Where rows of the log are exported to: one destination, or none.

#[cfg(feature = "kafka")]
mod kafka;
#[cfg(feature = "nats")]
mod nats;

#[cfg(feature = "kafka")]
pub use kafka::{Kafka, Login, Mechanism, NewTopic};
#[cfg(feature = "nats")]
pub use nats::{Nats, SignIn};

use super::{ConfigError, settings::Reader};

#[cfg(all(feature = "nats", feature = "kafka"))]
const ONE: &str = "must be unset where log_export.nats.url is set: rows are exported to one of the two";
#[cfg(not(feature = "nats"))]
const NO_NATS: &str = "must be unset: this program was built without the feature `nats`";
#[cfg(not(feature = "kafka"))]
const NO_KAFKA: &str = "must be unset: this program was built without the feature `kafka`";

/// Where rows of the log are exported to.
#[derive(Clone, Debug)]
pub enum LogExport {
    /// A JetStream stream.
    #[cfg(feature = "nats")]
    Nats(Nats),
    /// A topic.
    #[cfg(feature = "kafka")]
    Kafka(Kafka),
}

impl LogExport {
    /// What its position and its lease are kept under. A stream's name has no colon: none is a topic's.
    pub fn name(&self) -> String {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref wanted) => wanted.stream.clone(),
            #[cfg(feature = "kafka")]
            Self::Kafka(ref wanted) => format!("kafka:{}", wanted.topic),
        }
    }

    /// Whether an export that is new begins with the first row that there is.
    pub const fn from_beginning(&self) -> bool {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref wanted) => wanted.from_beginning,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref wanted) => wanted.from_beginning,
        }
    }

    /// Whether whoever sees the connection reads the password.
    pub fn shows_password(&self) -> bool {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(_) => false,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref kafka) => {
                !kafka.tls && kafka.login.as_ref().is_some_and(|login| login.mechanism == Mechanism::Plain)
            }
        }
    }
}

impl Reader<'_> {
    pub(super) fn log_export(&self) -> Result<Option<LogExport>, ConfigError> {
        match (self.stream_export()?, self.topic_export()?) {
            #[cfg(all(feature = "nats", feature = "kafka"))]
            (Some(_), Some(_)) => Err(self.fault("log_export.kafka.brokers", ONE)),
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

    /// Refuses a key that this build has no use for.
    #[cfg(not(all(feature = "nats", feature = "kafka")))]
    fn unset(&self, key: &str, why: &'static str) -> Result<Option<LogExport>, ConfigError> {
        if self.text(key).is_some() { Err(self.fault(key, why)) } else { Ok(None) }
    }

    #[cfg(any(feature = "nats", feature = "kafka"))]
    fn is_from_beginning(&self, key: &str) -> Result<bool, ConfigError> {
        match self.text(key).as_deref() {
            Some("now") => Ok(false),
            Some("beginning") => Ok(true),
            _ => Err(self.fault(key, "must be now or beginning")),
        }
    }

    #[cfg(any(feature = "nats", feature = "kafka"))]
    /// The parts of a list that is separated by commas.
    fn list(&self, key: &str) -> Vec<String> {
        let written = self.text(key).unwrap_or_default();
        written.split(',').map(str::trim).filter(|one| !one.is_empty()).map(str::to_owned).collect()
    }
}

#[cfg(all(test, feature = "nats", feature = "kafka"))]
mod tests {
    use super::*;
    use crate::config::{Layers, Settings, Source};

    /// What is read where these keys under `log_export` are set.
    fn settings(set: &[(String, &str)]) -> Result<Settings, String> {
        let mut layers = Layers::defaults();
        for (key, value) in set {
            let key = format!("log_export.{key}");
            layers.set(&key, (*value).to_owned(), Source::Flag("--set".to_owned())).unwrap();
        }
        Settings::from_layers(&layers).map_err(|fault| fault.to_string())
    }

    /// The export to a destination by keys of its own.
    pub(super) fn export(to: &str, set: &[(&str, &str)]) -> Result<LogExport, String> {
        let set: Vec<_> = set.iter().map(|(key, value)| (format!("{to}.{key}"), *value)).collect();
        settings(&set).map(|settings| settings.log_export.unwrap())
    }

    #[test]
    fn nothing_is_exported_unless_it_is_said_where() {
        assert!(settings(&[]).unwrap().log_export.is_none());
    }

    #[test]
    fn rows_go_to_one_destination() {
        let both = [("nats.url", "nats://127.0.0.1"), ("kafka.brokers", "127.0.0.1:9092")];
        let told = settings(&both.map(|(key, value)| (key.to_owned(), value))).unwrap_err();
        assert!(told.contains("log_export.nats.url") && told.contains("log_export.kafka.brokers"), "{told}");
    }

    #[test]
    fn a_topic_and_a_stream_of_one_name_are_two_exports() {
        let nats = export("nats", &[("url", "nats://127.0.0.1")]).unwrap();
        let kafka = export("kafka", &[("brokers", "127.0.0.1:9092")]).unwrap();
        assert_eq!((nats.name(), kafka.name()), ("guardengine_logs".into(), "kafka:guardengine_logs".into()));
    }
}
