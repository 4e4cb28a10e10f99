//! Service configuration: defaults, overridden by a file, the environment and flags, in this order. Errors name the
//! key, the value and the accepted values.

mod layers;
mod llm;
mod log_export;
mod media;
mod models;
mod settings;
mod value;

pub use layers::{Layers, Source};
pub use settings::{Limits, Settings};
pub use value::Secret;

/// Default configuration: a commented TOML file with every key.
pub const DEFAULTS: &str = include_str!("default.toml");

/// Reason for refusing the configuration, in one line.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum ConfigError {
    /// The key does not exist.
    #[error("{place}: unknown key {key}; `guardengine config show` lists the keys")]
    UnknownKey {
        /// File, variable or flag that sets it.
        place: String,
        /// The key.
        key: String,
    },
    /// The value is not accepted.
    #[error("{place}: {key} = {value:?}: {accepted}")]
    BadValue {
        /// File, variable or flag that sets it.
        place: String,
        /// The key.
        key: String,
        /// The value; hidden if it is a secret.
        value: String,
        /// Accepted values, as a sentence that follows the value.
        accepted: &'static str,
    },
    /// The file cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Path of the file.
        path: String,
        /// What went wrong.
        why: String,
    },
}
