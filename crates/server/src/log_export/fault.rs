//! Why nothing is exported for now.

/// Why nothing is exported for now; the text is for operators.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// No server can be reached, or the connection broke.
    #[error("no NATS server can be reached: {0}")]
    Unreachable(String),
    /// The server does not let us in.
    #[error("the NATS server refuses the sign-in: {0}")]
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
    /// JetStream keeps no row: it is full, or sealed.
    #[error("JetStream refuses a row: {0}")]
    Refused(String),
    /// JetStream did not say in time that it has a row.
    #[error("JetStream did not acknowledge a row in time")]
    Unacknowledged,
    /// The database failed.
    #[error("rows cannot be read, or their position not kept: {0}")]
    Store(#[from] guardengine_store::Error),
}

/// Every reason, as metrics name them.
pub const REASONS: [&str; 8] =
    ["unreachable", "sign_in", "no_jetstream", "no_stream", "subject", "refused", "unacknowledged", "store"];

impl Fault {
    /// What metrics and `/readyz` call it.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Unreachable(_) => "unreachable",
            Self::SignIn(_) => "sign_in",
            Self::NoJetStream => "no_jetstream",
            Self::NoStream(_) => "no_stream",
            Self::Subject { .. } => "subject",
            Self::Refused(_) => "refused",
            Self::Unacknowledged => "unacknowledged",
            Self::Store(_) => "store",
        }
    }
}
