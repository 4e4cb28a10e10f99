//! A policy as it is written, stored and sent.

use serde::{Deserialize, Serialize};

/// What happens when a guardrail triggers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Action {
    /// Stop the text.
    #[default]
    Block,
    /// Let it through and tell.
    Allow,
    /// Stop it until the user confirms.
    Challenge,
    /// Stop it until a reviewer decides.
    Escalate,
}

/// How PII is masked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Strategy {
    /// The marker, `[EMAIL_REDACTED]`.
    Full,
    /// A recognisable rest, the others starred.
    Partial,
    /// Another value of the same form.
    FormatPreserving,
    /// A keyed digest, the same for the same value.
    Hash,
    /// A token from which the value can be restored.
    Token,
}

/// A named pattern of `custom_regex`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pattern {
    /// What a finding is called.
    pub name: String,
    /// The regular expression (Rust `regex` syntax).
    pub pattern: String,
}

/// A guardrail in a policy.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Item {
    /// Wire name.
    pub guardrail: String,
    /// The author's words.
    pub description: String,
    /// Confidence from which it triggers, 0 to 1.
    pub threshold: f32,
    /// Whether it runs.
    pub enabled: bool,
    /// What happens then.
    pub action: Action,
    /// Ticket settings, opaque to the engine.
    pub ticket: Option<serde_json::Value>,
    /// `pii`: mask instead of block.
    pub pii_masking_enabled: bool,
    /// `pii`: how.
    pub pii_masking_strategy: Strategy,
    /// `pii`: which kinds; `None` for all.
    pub pii_kinds: Option<Vec<String>>,
    /// `custom_regex`: the patterns.
    pub patterns: Vec<Pattern>,
    /// `confidential_terms`: the terms.
    pub terms: Vec<String>,
    /// `confidential_terms`, `copyright_infringement`: texts recognised when they reappear.
    pub documents: Vec<String>,
}
