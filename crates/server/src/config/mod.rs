//! Configuration: defaults < file < environment < flags. A fault names the key, the value and what is accepted.

mod layers;
mod llm;
mod log_export;
mod media;
mod models;
mod org_limits;
mod settings;
mod value;

pub use layers::{Layers, Source};
pub use llm::Llm;
pub use log_export::LogExport;
#[cfg(feature = "kafka")]
pub use log_export::{Kafka, Login, Mechanism, NewTopic};
#[cfg(feature = "nats")]
pub use log_export::{Nats, SignIn};
pub use media::Media;
pub use models::Models;
pub use org_limits::{ORG_LIMITS, OrgLimits, WrittenLimits};
pub use settings::{Costs, Limits, Lockout, SessionConfig, Settings, TicketConfig};
pub use value::{Limit, Secret};

/// The commented file of defaults.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Why the configuration is refused, in one line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// No such key.
    #[error("{place}: unknown key {key}; `guardengine config show` lists the keys")]
    UnknownKey {
        /// Where it was written.
        place: String,
        /// The key.
        key: String,
    },
    /// The key's value is not accepted.
    #[error("{place}: {key} = {value:?}: {accepted}")]
    BadValue {
        /// Where it was written.
        place: String,
        /// The key.
        key: String,
        /// The value, unless it is a secret.
        value: String,
        /// What is accepted.
        accepted: &'static str,
    },
    /// The file cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why.
        why: String,
    },
}
