//! PII types that an organization defines: a pattern, label words and a checksum.

mod checksum;
mod custom_types;

use std::fmt;

use regex_syntax::hir::Hir;

pub use checksum::Checksum;
pub use custom_types::CustomTypes;

use crate::{fields::FieldError, patterns::NamedPattern};

/// A PII type of a policy.
///
/// Two are equal if they are defined alike, so that a policy and its copy share them.
pub struct CustomType {
    pattern: NamedPattern,
    written: String,
    labels: Vec<String>,
    checksum: Option<Checksum>,
}

impl CustomType {
    /// Compiles a type. Empty matches of the pattern are left out.
    pub fn new(
        name: &str,
        pattern: &str,
        labels: Vec<String>,
        checksum: Option<Checksum>,
    ) -> Result<Self, FieldError> {
        let compiled = NamedPattern::new(name, pattern)?;
        Ok(Self { pattern: compiled, written: pattern.to_owned(), labels, checksum })
    }

    /// Returns the name in the API.
    pub fn name(&self) -> &str {
        &self.pattern.name
    }

    /// Returns `value` with its last characters changed until the checksum holds.
    pub(super) fn with_checksum(&self, value: String) -> String {
        match self.checksum {
            Some(checksum) => checksum.settled(value),
            None => value,
        }
    }

    /// Returns the bytes that it takes.
    pub fn memory_usage(&self) -> usize {
        let labels: usize = self.labels.iter().map(|label| label.len() + size_of::<String>()).sum();
        size_of::<Self>() + self.pattern.memory_usage() + self.written.len() + labels
    }

    fn hir(&self) -> Hir {
        self.pattern.hir.clone()
    }
}

impl PartialEq for CustomType {
    fn eq(&self, other: &Self) -> bool {
        self.name() == other.name()
            && self.written == other.written
            && self.labels == other.labels
            && self.checksum == other.checksum
    }
}

impl Eq for CustomType {}

impl fmt::Debug for CustomType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CustomType")
            .field("name", &self.name())
            .field("pattern", &self.written)
            .field("labels", &self.labels)
            .field("checksum", &self.checksum)
            .finish()
    }
}
