//! A topic of Kafka.

use std::path::PathBuf;

use crate::config::{ConfigError, Secret, settings::Reader};

const BROKERS: &str = "must be names or IPv4 addresses with ports, without user and password, separated by commas, such as kafka-1.example.com:9092";
const TOPIC: &str =
    "must be a name of at most 249 letters, digits, full stops, - and _, such as guardengine_logs";
const MECHANISM: &str = "must be plain, scram-sha-256 or scram-sha-512";
const BOOLEAN: &str = "must be true or false";
/// Source: `LEGAL_CHARS` and `MAX_NAME_LENGTH` of org.apache.kafka.common.internals.Topic.
const LONGEST: usize = 249;

/// A topic of Kafka.
#[derive(Clone, Debug)]
pub struct Kafka {
    /// Brokers of one cluster that are asked for the others, as `host:port`.
    pub brokers: Vec<String>,
    /// The topic's name.
    pub topic: String,
    /// Whether a topic that is new to us gets every row that there is.
    pub from_beginning: bool,
    /// Whether a topic that is missing is made.
    pub create_topic: Option<NewTopic>,
    /// Whether brokers are spoken to over TLS.
    pub tls: bool,
    /// The authorities that certificates are held against, in PEM; the machine's where unset.
    pub ca_file: Option<PathBuf>,
    /// How we sign in; not at all where `None`.
    pub login: Option<Login>,
}

/// A topic to be made; what is `None` is as the cluster has it by default.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewTopic {
    /// Its partitions.
    pub partitions: Option<i32>,
    /// Copies of each.
    pub replication: Option<i16>,
}

/// A name and a password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// How the password is shown.
    pub mechanism: Mechanism,
    /// The name.
    pub username: String,
    /// The password.
    pub password: Secret,
}

/// How a password is shown, by SASL.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// RFC 4616.
    Plain,
    /// RFC 7677.
    ScramSha256,
    /// The same with SHA-512.
    ScramSha512,
}

impl Reader<'_> {
    pub(super) fn kafka(&self) -> Result<Option<Kafka>, ConfigError> {
        let kafka = Kafka {
            brokers: self.brokers("log_export.kafka.brokers")?,
            topic: self.topic("log_export.kafka.topic")?,
            from_beginning: self.is_from_beginning("log_export.kafka.from")?,
            create_topic: self.new_topic()?,
            tls: self.parsed("log_export.kafka.tls", BOOLEAN)?,
            ca_file: self.text("log_export.kafka.ca_file").map(PathBuf::from),
            login: self.login()?,
        };
        if kafka.ca_file.is_some() && !kafka.tls {
            return Err(self.fault("log_export.kafka.ca_file", "must stand beside tls = true"));
        }
        Ok(Some(kafka).filter(|kafka| !kafka.brokers.is_empty()))
    }

    fn brokers(&self, key: &str) -> Result<Vec<String>, ConfigError> {
        let is_part = |c: char| c.is_ascii_alphanumeric() || ".-_".contains(c);
        let is_host = |host: &str| !host.is_empty() && host.chars().all(is_part);
        let is_port = |port: &str| port.parse().is_ok_and(|port: u16| port > 0);
        let brokers = self.list(key);
        if brokers.iter().any(|one| one.contains('@')) {
            return Err(self.hidden(key, BROKERS));
        }
        let is_broker =
            |one: &String| one.split_once(':').is_some_and(|(host, port)| is_host(host) && is_port(port));
        if brokers.iter().all(is_broker) { Ok(brokers) } else { Err(self.fault(key, BROKERS)) }
    }

    fn topic(&self, key: &str) -> Result<String, ConfigError> {
        let name = self.text(key).unwrap_or_default();
        let is_accepted = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        let is_folder = [".", ".."].contains(&name.as_str());
        if (1..=LONGEST).contains(&name.len()) && name.chars().all(is_accepted) && !is_folder {
            return Ok(name);
        }
        Err(self.fault(key, TOPIC))
    }

    fn new_topic(&self) -> Result<Option<NewTopic>, ConfigError> {
        let count = |key: &str, most: i32| {
            let is_set = self.text(key).is_some();
            let count = is_set.then(|| self.parsed(key, "must be a whole number")).transpose()?;
            match count {
                Some(count) if !(1..=most).contains(&count) => {
                    Err(self.fault(key, "must be a whole number of at least 1, or unset"))
                }
                count => Ok(count),
            }
        };
        let partitions = count("log_export.kafka.partitions", i32::MAX)?;
        let replication =
            count("log_export.kafka.replication", i32::from(i16::MAX))?.map(|count| count as i16);
        let is_wanted = self.parsed("log_export.kafka.create_topic", BOOLEAN)?;
        Ok(Some(NewTopic { partitions, replication }).filter(|_| is_wanted))
    }

    fn login(&self) -> Result<Option<Login>, ConfigError> {
        let set = |key: &str| self.text(&format!("log_export.kafka.{key}"));
        let mechanism = match set("mechanism").as_deref() {
            None => None,
            Some("plain") => Some(Mechanism::Plain),
            Some("scram-sha-256") => Some(Mechanism::ScramSha256),
            Some("scram-sha-512") => Some(Mechanism::ScramSha512),
            Some(_) => return Err(self.fault("log_export.kafka.mechanism", MECHANISM)),
        };
        match (mechanism, set("username"), set("password")) {
            (None, None, None) => Ok(None),
            (Some(mechanism), Some(username), Some(password)) => {
                Ok(Some(Login { mechanism, username, password: Secret::new(password) }))
            }
            (None, Some(_), _) => {
                Err(self.fault("log_export.kafka.username", "must stand beside a mechanism"))
            }
            (Some(_), None, _) => {
                Err(self.fault("log_export.kafka.mechanism", "must stand beside a username"))
            }
            (_, Some(_), None) => {
                Err(self.fault("log_export.kafka.username", "must stand beside a password"))
            }
            (None, None, Some(_)) => {
                Err(self.hidden("log_export.kafka.password", "must stand beside a mechanism"))
            }
        }
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use super::*;
    use crate::config::{LogExport, Settings, log_export::tests::export};

    const BROKERS: (&str, &str) = ("brokers", "127.0.0.1:9092");
    const LOGIN: [(&str, &str); 3] = [("mechanism", "plain"), ("username", "me"), ("password", "hunter2")];

    fn read(set: &[(&str, &str)]) -> Result<Kafka, String> {
        match export("kafka", &[&[BROKERS], set].concat())? {
            LogExport::Kafka(kafka) => Ok(kafka),
            LogExport::Nats(nats) => panic!("{nats:?}"),
        }
    }

    #[test]
    fn a_topic_is_not_made_and_begins_now_unless_that_is_wanted() {
        let kafka = read(&[("brokers", "a.example.com:9092, b_1:9093")]).unwrap();
        assert_eq!(kafka.brokers, ["a.example.com:9092", "b_1:9093"]);
        assert_eq!(
            (kafka.topic.as_str(), kafka.from_beginning, kafka.tls),
            ("guardengine_logs", false, false)
        );
        assert_eq!((kafka.create_topic, kafka.login), (None, None));
    }

    #[test]
    fn a_topic_that_is_made_is_as_the_cluster_has_it_unless_it_is_said() {
        let made =
            |set: &[_]| read(&[&[("create_topic", "true")], set].concat()).unwrap().create_topic.unwrap();
        assert_eq!(made(&[]), NewTopic { partitions: None, replication: None });
        let said = made(&[("partitions", "12"), ("replication", "3")]);
        assert_eq!(said, NewTopic { partitions: Some(12), replication: Some(3) });
    }

    #[test]
    fn what_is_not_accepted_is_said() {
        let long = "a".repeat(LONGEST + 1);
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
            let told = read(&[(key, value)]).unwrap_err();
            assert!(told.starts_with(&format!("--set: log_export.kafka.{key} = {value:?}: must ")), "{told}");
        }
        assert!(read(&[("topic", &long[1..]), ("tls", "true"), ("ca_file", "x")]).is_ok());
    }

    #[test]
    fn a_password_that_anybody_can_read_on_the_way_is_noticed() {
        let shows = |set: &[_]| LogExport::Kafka(read(&[&LOGIN, set].concat()).unwrap()).shows_password();
        assert!(shows(&[]));
        assert!(!shows(&[("tls", "true")]) && !shows(&[("mechanism", "scram-sha-512")]));
    }

    #[test]
    fn secrets_are_not_told() {
        let brokers = read(&[("brokers", "me:hunter2@127.0.0.1:9092")]).unwrap_err();
        let alone = read(&LOGIN[2..]).unwrap_err();
        let all = read(&LOGIN).unwrap();
        for told in [brokers, alone, format!("{all:?}")] {
            assert!(told.contains("(hidden)") && !told.contains("hunter2"), "{told}");
        }
        assert!(Settings::is_secret("log_export.kafka.password"));
    }
}
