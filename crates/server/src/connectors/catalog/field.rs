//! What connectors consist of.

use serde_json::Value;

use crate::connectors::field_format::Format;

/// Whether a field has to be there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Requirement {
    /// It has.
    Always,
    /// It has where that other one is not.
    Without(&'static str),
    /// It may be absent.
    Never,
}

/// A field of a type.
#[derive(Debug)]
pub struct Field {
    /// Wire name.
    pub name: &'static str,
    /// For people.
    pub label: &'static str,
    /// What it is and where it is found, for people.
    pub help: &'static str,
    /// How it is written.
    pub format: Format,
    /// Whether it has to be there.
    pub need: Requirement,
    /// Sealed, and never answered.
    pub secret: bool,
    /// Its value where none is given; `true` and `false` are booleans.
    pub default: Option<&'static str>,
}

impl Field {
    /// A field that has to be there.
    pub(super) const fn new(
        name: &'static str,
        format: Format,
        label: &'static str,
        help: &'static str,
    ) -> Self {
        let secret = matches!(format, Format::Key | Format::Password);
        Self { name, label, help, format, need: Requirement::Always, secret, default: None }
    }

    pub(super) const fn optional(mut self) -> Self {
        self.need = Requirement::Never;
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

    /// Its default as it is kept.
    pub fn default_value(&self) -> Option<Value> {
        let written = self.default?;
        Some(if self.format == Format::Boolean { Value::Bool(written == "true") } else { written.into() })
    }
}
