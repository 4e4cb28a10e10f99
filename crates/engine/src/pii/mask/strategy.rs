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
    /// An invented value of the same type, which cannot be restored.
    Synthetic,
}

/// Chooses a strategy for each PII type.
pub trait StrategyChoice {
    /// Returns the strategy for a type.
    fn of(&self, kind: &str) -> Strategy;

    /// Returns the names of the custom types of the policy.
    fn custom_types(&self) -> &[String] {
        &[]
    }
}

impl StrategyChoice for Strategy {
    fn of(&self, _: &str) -> Strategy {
        *self
    }
}

/// A strategy, and others for some PII types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strategies {
    usual: Strategy,
    by_type: Vec<(String, Strategy)>,
    custom_types: Vec<String>,
}

impl Strategies {
    /// Creates the choice of `usual` for every type but those in `by_type`.
    pub const fn new(usual: Strategy, by_type: Vec<(String, Strategy)>) -> Self {
        Self { usual, by_type, custom_types: Vec::new() }
    }

    /// Adds the names of the custom types of the policy, whose markers are not masked again.
    #[must_use]
    pub fn with_custom_types(self, custom_types: Vec<String>) -> Self {
        Self { custom_types, ..self }
    }

    /// Returns the names of the custom types of the policy.
    pub fn custom_types(&self) -> &[String] {
        &self.custom_types
    }

    /// Returns the strategy for a type.
    pub fn of(&self, kind: &str) -> Strategy {
        self.by_type.iter().find(|(name, _)| name == kind).map_or(self.usual, |(_, strategy)| *strategy)
    }
}

impl From<Strategy> for Strategies {
    fn from(usual: Strategy) -> Self {
        Self::new(usual, Vec::new())
    }
}

impl StrategyChoice for &Strategies {
    fn of(&self, kind: &str) -> Strategy {
        Strategies::of(self, kind)
    }

    fn custom_types(&self) -> &[String] {
        Strategies::custom_types(self)
    }
}

impl Strategy {
    /// Every strategy with the names that are accepted for it.
    pub const ALL: [(&'static str, Self); 7] = [
        ("full", Self::Full),
        ("partial", Self::Partial),
        ("format_preserving", Self::FormatPreserving),
        ("format-preserving", Self::FormatPreserving),
        ("hash", Self::Hash),
        ("token", Self::Token),
        ("synthetic", Self::Synthetic),
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
            Self::Synthetic => "synthetic",
        }
    }

    /// Returns the strategy with this canonical name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, strategy)| strategy)
    }
}
