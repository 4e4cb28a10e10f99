//! Settings of the log export.

use std::fmt;

#[cfg(feature = "nats")]
use async_nats::ServerAddr;
#[cfg(any(feature = "nats", feature = "kafka"))]
use std::path::PathBuf;

#[cfg(feature = "nats")]
use crate::Subject;

/// A password or token for a broker. Its `Debug` output hides it.
#[derive(Clone, PartialEq, Eq)]
pub struct BrokerSecret(String);

impl BrokerSecret {
    /// Wraps `value`.
    pub const fn new(value: String) -> Self {
        Self(value)
    }

    /// Returns the secret itself.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for BrokerSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("(hidden)")
    }
}

/// Destination of exported log entries.
#[derive(Clone, Debug)]
pub enum LogExport {
    /// A JetStream stream.
    #[cfg(feature = "nats")]
    Nats(Nats),
    /// A Kafka topic.
    #[cfg(feature = "kafka")]
    Kafka(Kafka),
}

impl LogExport {
    /// Returns the key of the export's stored position and lease. Stream names have no colon, so the keys never clash.
    pub fn name(&self) -> String {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref config) => config.stream.clone(),
            #[cfg(feature = "kafka")]
            Self::Kafka(ref config) => format!("kafka:{}", config.topic),
        }
    }

    /// Returns true if a new export starts with the oldest stored entry.
    pub const fn from_beginning(&self) -> bool {
        match *self {
            #[cfg(feature = "nats")]
            Self::Nats(ref config) => config.from_beginning,
            #[cfg(feature = "kafka")]
            Self::Kafka(ref config) => config.from_beginning,
        }
    }

    /// Returns true if the connection sends the password in clear text.
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

/// Export to a Kafka topic.
#[cfg(feature = "kafka")]
#[derive(Clone, Debug)]
pub struct Kafka {
    /// Bootstrap brokers of one cluster, as `host:port`.
    pub brokers: Vec<String>,
    /// Name of the topic.
    pub topic: String,
    /// True if a new export starts with the oldest stored entry.
    pub from_beginning: bool,
    /// Settings for creating a missing topic; `None` never creates it.
    pub create_topic: Option<NewTopic>,
    /// True if brokers are reached over TLS.
    pub tls: bool,
    /// Trusted certificate authorities in PEM. `None` trusts those of the system.
    pub ca_file: Option<PathBuf>,
    /// SASL authentication, if any.
    pub login: Option<Login>,
}

/// A topic to create. `None` uses the cluster's default.
#[cfg(feature = "kafka")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NewTopic {
    /// Number of partitions.
    pub partitions: Option<i32>,
    /// Replication factor.
    pub replication: Option<i16>,
}

/// SASL username and password.
#[cfg(feature = "kafka")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// SASL mechanism.
    pub mechanism: Mechanism,
    /// Username.
    pub username: String,
    /// Password.
    pub password: BrokerSecret,
}

/// SASL mechanism.
#[cfg(feature = "kafka")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mechanism {
    /// PLAIN, RFC 4616.
    Plain,
    /// SCRAM-SHA-256, RFC 7677.
    ScramSha256,
    /// SCRAM-SHA-512, the same exchange with SHA-512.
    ScramSha512,
}

/// Export to a NATS JetStream stream.
#[cfg(feature = "nats")]
#[derive(Clone, Debug)]
pub struct Nats {
    /// Servers of one NATS system.
    pub servers: Vec<ServerAddr>,
    /// Name of the stream.
    pub stream: String,
    /// Subject that entries are published to.
    pub subject: Subject,
    /// True if a new export starts with the oldest stored entry.
    pub from_beginning: bool,
    /// True if a missing stream is created.
    pub create_stream: bool,
    /// Authentication.
    pub sign_in: SignIn,
    /// Trusted certificate authorities in PEM. `None` trusts those of the system.
    pub ca_file: Option<PathBuf>,
}

/// Authentication with NATS.
#[cfg(feature = "nats")]
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SignIn {
    /// None.
    Open,
    /// Username and password.
    Password(String, BrokerSecret),
    /// Token.
    Token(BrokerSecret),
    /// Credentials file with a JWT and a key, as `nsc` writes it.
    File(PathBuf),
}
