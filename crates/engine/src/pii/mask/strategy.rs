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

    /// Every accepted name with the canonical one.
    pub const NAMES: [(&'static str, &'static str); Self::ALL.len()] = {
        let mut names = [("", ""); Self::ALL.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = (Self::ALL[at].0, Self::ALL[at].1.name());
            at += 1;
        }
        names
    };

    /// Returns the canonical name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Full => "full",
            Self::Partial => "partial",
            Self::FormatPreserving => "format_preserving",
            Self::Hash => "hash",
            Self::Token => "token",
        }
    }

    /// Returns the strategy with this canonical name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, strategy)| strategy)
    }
}
