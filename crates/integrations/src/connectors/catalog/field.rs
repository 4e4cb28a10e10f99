//! Fields of a connector type.

use serde_json::Value;

use crate::connectors::field_format::Format;

/// Requirement for the presence of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// Required.
    Always,
    /// Required if the named field is not set.
    Without(&'static str),
    /// Optional.
    Never,
}

/// A field of a connector type.
#[derive(Debug)]
pub struct Field {
    /// Wire name.
    pub name: &'static str,
    /// Label in the console.
    pub label: &'static str,
    /// Help text: what the field is and where to find its value.
    pub help: &'static str,
    /// Format of the value.
    pub format: Format,
    /// Requirement for the presence of the field.
    pub need: Requirement,
    /// True if the value is encrypted and never returned.
    pub secret: bool,
    /// Characters that a new value has at least.
    pub min_chars: usize,
    /// Default value; `true` and `false` are booleans.
    pub default: Option<&'static str>,
}

impl Field {
    /// Creates a required field.
    pub(super) const fn new(
        name: &'static str,
        format: Format,
        label: &'static str,
        help: &'static str,
    ) -> Self {
        let secret = matches!(format, Format::Key | Format::Password);
        Self { name, label, help, format, need: Requirement::Always, secret, min_chars: 0, default: None }
    }

    /// Makes the value a secret whatever its format.
    pub(super) const fn sealed(mut self) -> Self {
        self.secret = true;
        self
    }

    pub(super) const fn optional(mut self) -> Self {
        self.need = Requirement::Never;
        self
    }

    pub(super) const fn at_least(mut self, characters: usize) -> Self {
        self.min_chars = characters;
        self
    }

    pub(super) const fn without(mut self, other: &'static str) -> Self {
        self.need = Requirement::Without(other);
        self
    }

    pub(super) const fn or(mut self, default: &'static str) -> Self {
        self.default = Some(default);
        self.optional()
    }

    /// Returns the default as a JSON value.
    pub fn default_value(&self) -> Option<Value> {
        let default = self.default?;
        Some(if self.format == Format::Boolean { Value::Bool(default == "true") } else { default.into() })
    }
}
