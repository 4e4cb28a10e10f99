//! Why nothing is exported for now.

/// Why nothing is exported for now; the text is for operators.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No broker can be reached, or the connection broke.
    #[error("no broker can be reached: {0}")]
    Unreachable(String),
    /// The broker does not let us in.
    #[error("the broker refuses the sign-in: {0}")]
    SignIn(String),
    /// JetStream is off, or may not be asked.
    #[error("JetStream does not answer: it is off, or this user may not ask it")]
    NoJetStream,
    /// There is no such stream.
    #[error("there is no stream {0}: make it, or set log_export.nats.create_stream")]
    NoStream(String),
    /// The stream takes other subjects.
    #[error("the stream {stream} does not take the subject {subject}")]
    Subject {
        /// The stream.
        stream: String,
        /// Ours.
        subject: String,
    },
    /// There is no such topic, or we may not see it: Kafka does not tell which.
    #[error(
        "there is no topic {0}, or this user may not see it: make it, or set log_export.kafka.create_topic, and let the user DESCRIBE and WRITE it"
    )]
    NoTopic(String),
    /// Kafka knows us, and does not let us write, or make the topic.
    #[error(
        "the broker forbids it: let the user WRITE the topic {0}, and CREATE it where log_export.kafka.create_topic is set"
    )]
    Forbidden(String),
    /// Nobody takes records for a partition now.
    #[error("a partition of the topic has no leader that takes records: {0}")]
    NoLeader(String),
    /// The broker keeps no row, or makes no topic: it is full, sealed, or has other rules.
    #[error("the broker refuses what it is asked: {0}")]
    Refused(String),
    /// A row cannot be written as JSON.
    #[error("a row cannot be written: {0}")]
    Unwritable(#[from] serde_json::Error),
    /// The broker did not say in time that it has a row.
    #[error(
        "the broker did not acknowledge a row in time: where it is Kafka, too few replicas may be in sync, or a quota slows this user down"
    )]
    Unacknowledged,
    /// The database failed.
    #[error("rows cannot be read, or their position not kept: {0}")]
    Store(#[from] guardengine_store::Error),
}

/// Every reason, as metrics name them.
pub const REASONS: [&str; 11] = [
    "unreachable",
    "sign_in",
    "no_jetstream",
    "no_stream",
    "subject",
    "no_topic",
    "forbidden",
    "no_leader",
    "refused",
    "unacknowledged",
    "store",
];

impl Error {
    /// What metrics and `/readyz` call it.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::SignIn(_) => "sign_in",
            Self::NoJetStream => "no_jetstream",
            Self::NoStream(_) => "no_stream",
            Self::Subject { .. } => "subject",
            Self::NoTopic(_) => "no_topic",
            Self::Forbidden(_) => "forbidden",
            Self::NoLeader(_) => "no_leader",
            Self::Refused(_) | Self::Unwritable(_) => "refused",
            Self::Unacknowledged => "unacknowledged",
            Self::Store(_) => "store",
        }
    }
}
