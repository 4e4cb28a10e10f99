//! Masking strategies.

use serde::{Deserialize, Serialize};

/// How PII is masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// A marker, such as `[EMAIL_REDACTED]`.
    Full,
    /// Keeps a recognizable part; the rest becomes `*`.
    Partial,
    /// Another value of the same format.
    FormatPreserving,
    /// A keyed digest, the same for the same value.
    Hash,
    /// A token from which the value can be restored.
    Token,
}

impl Strategy {
    /// Every strategy with the names that are accepted for it.
    pub const ALL: [(&'static str, Self); 6] = [
        ("full", Self::Full),
        ("partial", Self::Partial),
        ("format_preserving", Self::FormatPreserving),
        ("format-preserving", Self::FormatPreserving),
        ("hash", Self::Hash),
        ("token", Self::Token),
    ];
}
