//! Service configuration: defaults, overridden by a file, the environment and flags, in this order. Errors name the
//! key, the value and the accepted values.

use std::borrow::Cow;

mod descriptions;
mod form;
mod keys;
mod layers;
mod log_export;
mod media;
mod models;
mod schema;
mod settings;
mod traces;
mod value;

pub use descriptions::{Described, Section, sections};
pub use form::Form;
pub use keys::{KEYS, Key, RetiredKey, key};
pub use layers::{Layers, Source};
pub use schema::schema;
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
        accepted: Cow<'static, str>,
    },
    /// The file cannot be read.
    #[error("{path}: {why}")]
    Unreadable {
        /// Path of the file.
        path: String,
        /// Description of the error.
        why: String,
    },
}
