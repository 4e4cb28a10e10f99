//! Settings of the export to a Kafka topic.

use std::path::PathBuf;

use guardengine_log_export::{BrokerSecret, Kafka, Login, Mechanism, NewTopic};

use crate::config::{ConfigError, settings::Reader};

/// Source: `LEGAL_CHARS` and `MAX_NAME_LENGTH` of org.apache.kafka.common.internals.Topic.
const MAX_TOPIC_LENGTH: usize = 249;

impl Reader<'_> {
    pub(super) fn kafka(&self) -> Result<Option<Kafka>, ConfigError> {
        let kafka = Kafka {
            brokers: self.brokers("log_export.kafka.brokers")?,
            topic: self.topic("log_export.kafka.topic")?,
            from_beginning: self.is_from_beginning("log_export.kafka.from")?,
            create_topic: self.new_topic()?,
            tls: self.parsed("log_export.kafka.tls")?,
            ca_file: self.text("log_export.kafka.ca_file").map(PathBuf::from),
            login: self.login()?,
        };
        if kafka.ca_file.is_some() && !kafka.tls {
            return Err(self.bad_value("log_export.kafka.ca_file", "must be set together with tls = true"));
        }
        Ok(Some(kafka).filter(|kafka| !kafka.brokers.is_empty()))
    }

    fn brokers(&self, key: &str) -> Result<Vec<String>, ConfigError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        let is_host = |host: &str| !host.is_empty() && host.chars().all(is_part);
        let is_port = |port: &str| port.parse().is_ok_and(|port: u16| port > 0);
        let brokers = self.list(key);
        if brokers.iter().any(|one| one.contains('@')) {
            return Err(self.refuse_hidden(key));
        }
        let is_broker =
            |one: &String| one.split_once(':').is_some_and(|(host, port)| is_host(host) && is_port(port));
        if brokers.iter().all(is_broker) { Ok(brokers) } else { Err(self.refuse(key)) }
    }

    fn topic(&self, key: &str) -> Result<String, ConfigError> {
        let name = self.text(key).unwrap_or_default();
        let is_accepted = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        // Kafka names folders after topics.
        let is_folder = [".", ".."].contains(&name.as_str());
        if (1..=MAX_TOPIC_LENGTH).contains(&name.len()) && name.chars().all(is_accepted) && !is_folder {
            return Ok(name);
        }
        Err(self.refuse(key))
    }

    fn new_topic(&self) -> Result<Option<NewTopic>, ConfigError> {
        let partitions = self.optional_count("log_export.kafka.partitions")?;
        let replication = self.optional_count("log_export.kafka.replication")?;
        let is_enabled = self.parsed("log_export.kafka.create_topic")?;
        Ok(Some(NewTopic { partitions, replication }).filter(|_| is_enabled))
    }

    fn login(&self) -> Result<Option<Login>, ConfigError> {
        let set = |key: &str| self.text(&format!("log_export.kafka.{key}"));
        let mechanism = self.word("log_export.kafka.mechanism")?.map(|word| match word {
            "scram-sha-256" => Mechanism::ScramSha256,
            "scram-sha-512" => Mechanism::ScramSha512,
            _ => Mechanism::Plain,
        });
        match (mechanism, set("username"), set("password")) {
            (None, None, None) => Ok(None),
            (Some(mechanism), Some(username), Some(password)) => {
                Ok(Some(Login { mechanism, username, password: BrokerSecret::new(password) }))
            }
            (None, Some(_), _) => {
                Err(self.bad_value("log_export.kafka.username", "must be set together with a mechanism"))
            }
            (Some(_), None, _) => {
                Err(self.bad_value("log_export.kafka.mechanism", "must be set together with a username"))
            }
            (_, Some(_), None) => {
                Err(self.bad_value("log_export.kafka.username", "must be set together with a password"))
            }
            (None, None, Some(_)) => {
                Err(self
                    .bad_hidden_value("log_export.kafka.password", "must be set together with a mechanism"))
            }
        }
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use super::*;
    use guardengine_log_export::LogExport;

    use crate::config::{Settings, log_export::tests::export};

    const BROKERS: (&str, &str) = ("brokers", "127.0.0.1:9092");
    const LOGIN: [(&str, &str); 3] = [("mechanism", "plain"), ("username", "me"), ("password", "hunter2")];

    fn read(set: &[(&str, &str)]) -> Result<Kafka, String> {
        match export("kafka", &[&[BROKERS], set].concat())? {
            LogExport::Kafka(kafka) => Ok(kafka),
            LogExport::Nats(nats) => panic!("{nats:?}"),
        }
    }

    #[test]
    fn creates_no_topic_and_starts_now_by_default() {
        let kafka = read(&[("brokers", "a.example.com:9092, b_1:9093")]).unwrap();
        assert_eq!(kafka.brokers, ["a.example.com:9092", "b_1:9093"]);
        assert_eq!(
            (kafka.topic.as_str(), kafka.from_beginning, kafka.tls),
            ("guardengine_logs", false, false)
        );
        assert_eq!((kafka.create_topic, kafka.login), (None, None));
    }

    #[test]
    fn a_created_topic_uses_the_cluster_defaults_for_unset_keys() {
        let new_topic =
            |set: &[_]| read(&[&[("create_topic", "true")], set].concat()).unwrap().create_topic.unwrap();
        assert_eq!(new_topic(&[]), NewTopic { partitions: None, replication: None });
        let topic = new_topic(&[("partitions", "12"), ("replication", "3")]);
        assert_eq!(topic, NewTopic { partitions: Some(12), replication: Some(3) });
    }

    #[test]
    fn refuses_bad_values() {
        let long = "a".repeat(MAX_TOPIC_LENGTH + 1);
        for (key, value) in [
            ("brokers", "127.0.0.1"),
            ("brokers", "127.0.0.1:0"),
            ("brokers", "kafka://127.0.0.1:9092"),
            ("brokers", "127.0.0.1:9092,[::1]:9092"),
            ("topic", "a/b"),
            ("topic", ".."),
            ("topic", long.as_str()),
            ("from", "yesterday"),
            ("create_topic", "maybe"),
            ("partitions", "0"),
            ("replication", "40000"),
            ("tls", "maybe"),
            ("ca_file", "ca.pem"),
            ("mechanism", "gssapi"),
            ("mechanism", "plain"),
            ("username", "me"),
        ] {
            let error = read(&[(key, value)]).unwrap_err();
            assert!(
                error.starts_with(&format!("--set: log_export.kafka.{key} = {value:?}: must ")),
                "{error}"
            );
        }
        assert!(read(&[("topic", &long[1..]), ("tls", "true"), ("ca_file", "x")]).is_ok());
    }

    #[test]
    fn notices_a_password_in_clear_text() {
        let shows = |set: &[_]| LogExport::Kafka(read(&[&LOGIN, set].concat()).unwrap()).shows_password();
        assert!(shows(&[]));
        assert!(!shows(&[("tls", "true")]) && !shows(&[("mechanism", "scram-sha-512")]));
    }

    #[test]
    fn hides_secrets() {
        let brokers = read(&[("brokers", "me:hunter2@127.0.0.1:9092")]).unwrap_err();
        let alone = read(&LOGIN[2..]).unwrap_err();
        let all = read(&LOGIN).unwrap();
        for text in [brokers, alone, format!("{all:?}")] {
            assert!(text.contains("(hidden)") && !text.contains("hunter2"), "{text}");
        }
        assert!(Settings::is_secret("log_export.kafka.password"));
    }
}
