//! Errors of the log export.

/// Error that stops the export until it is retried. The text is for operators.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No broker can be reached, or the connection was lost.
    #[error("cannot reach a broker: {0}")]
    Unreachable(String),
    /// The broker refuses our credentials.
    #[error("the broker refuses the credentials: {0}")]
    SignIn(String),
    /// JetStream is disabled, or this user may not use it.
    #[error("JetStream does not respond: it is disabled, or this user lacks permission")]
    NoJetStream,
    /// The stream does not exist.
    #[error("stream {0} does not exist: create it, or set log_export.nats.create_stream")]
    NoStream(String),
    /// The stream does not accept our subject.
    #[error("stream {stream} does not accept the subject {subject}")]
    Subject {
        /// Name of the stream.
        stream: String,
        /// Our subject.
        subject: String,
    },
    /// The topic does not exist, or this user may not see it: Kafka does not say which.
    #[error(
        "topic {0} does not exist or is not visible: create it, or set log_export.kafka.create_topic, and grant this user DESCRIBE and WRITE"
    )]
    NoTopic(String),
    /// This user may not write to the topic, or not create it.
    #[error(
        "permission denied: grant this user WRITE on topic {0}, and CREATE if log_export.kafka.create_topic is set"
    )]
    Forbidden(String),
    /// A partition has no leader at the moment.
    #[error("a partition of the topic has no leader: {0}")]
    NoLeader(String),
    /// The broker refuses a message or a topic: it is full, sealed or has other limits.
    #[error("the broker refuses the request: {0}")]
    Refused(String),
    /// A log entry cannot be serialized as JSON.
    #[error("cannot serialize a log entry: {0}")]
    Unwritable(#[from] serde_json::Error),
    /// The broker did not acknowledge a log entry in time.
    #[error(
        "the broker did not acknowledge a log entry in time; with Kafka, too few replicas may be in sync, or a quota throttles this user"
    )]
    Unacknowledged,
    /// The database failed.
    #[error("cannot read log entries or store the position: {0}")]
    Store(#[from] guardengine_store::Error),
}

/// All reasons, as metric labels.
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
    /// Returns the reason as shown in metrics and `/readyz`.
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
