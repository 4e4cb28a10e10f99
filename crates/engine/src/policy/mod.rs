//! From a written policy and findings to a verdict.

pub mod written;

use std::fmt;

/// What is wrong with a policy, told as clients read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Invalid {
    /// Path of the field, for example `guardrails.0.threshold`.
    pub field: String,
    /// What is accepted; `None` when the field is missing.
    pub accepted: Option<String>,
}

impl Invalid {
    /// The field is missing.
    pub fn required(field: impl Into<String>) -> Self {
        Self { field: field.into(), accepted: None }
    }

    /// The field's value is not among what is accepted.
    pub fn value(field: impl Into<String>, accepted: impl Into<String>) -> Self {
        Self { field: field.into(), accepted: Some(accepted.into()) }
    }

    /// The same, with `prefix.` before the field.
    #[must_use]
    pub fn under(mut self, prefix: &str) -> Self {
        self.field = format!("{prefix}.{}", self.field);
        self
    }
}

impl fmt::Display for Invalid {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.accepted {
            None => write!(f, "field required: {}", self.field),
            Some(accepted) => write!(f, "{}: {accepted}", self.field),
        }
    }
}

impl std::error::Error for Invalid {}
