//! PII: detection and masking.
//!
//! A PII type is one file under `types/` and one line in [`types::PII_TYPES`]. Number-like types (identifiers, cards,
//! accounts) check candidates that one shared pass over the text cuts out ([`PiiType::check`]). Other types search the
//! view themselves ([`PiiType::find`]). Types that an organization defines are [`CustomTypes`].

pub mod candidate;
mod check_digits;
mod checksum;
mod commands;
mod context;
mod custom;
mod entity_type;
pub mod key_value;
pub mod labelled;
pub mod mask;
pub(crate) mod nearby;
mod prose_credentials;
mod scanner;
mod shape;

mod tables;
pub mod tagger;
#[cfg(test)]
pub(crate) mod test_support;
pub mod types;
mod unsettled;

pub use candidate::Candidate;
pub use custom::{Checksum, CustomType, CustomTypes};
pub use entity_type::EntityType;
pub use scanner::{Scanner, find_all};
pub(crate) use tables::open_table;
pub(crate) use unsettled::unsettled;

use crate::span::Span;

/// Certainty of a candidate by its shape.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certainty {
    /// Reported on its own, with this confidence.
    Distinctive(f32),
    /// Reported only near one of the type's context words, with this confidence.
    WithContext(f32),
}

/// A PII value in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Entity {
    /// PII type, which reads as its name in the API.
    pub kind: EntityType,
    /// Location in bytes of the original text.
    pub span: Span,
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
    /// The value, decoded if the original is encoded.
    pub value: String,
    /// Transforms of the view in which it was found; empty for plain text.
    pub transforms: Vec<crate::text::Transform>,
}

/// A type of PII.
pub trait PiiType: Sync {
    /// Returns the name in the API, for example `credit_card`.
    fn name(&self) -> &'static str;

    /// Returns true if the type counts only where a policy names it.
    fn is_opt_in(&self) -> bool {
        false
    }

    /// Returns words that make an ambiguous candidate nearby an entity of this type: lower case, any language.
    fn context(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns the number of letters and digits of a candidate, without separators; `None` for types that are not
    /// number-like.
    fn compact_length(&self) -> Option<std::ops::RangeInclusive<usize>> {
        None
    }

    /// Checks a candidate of a fitting length, including its checksum.
    fn check(&self, _candidate: &Candidate<'_>) -> Option<Certainty> {
        None
    }

    /// Adds the matches of a type that is not number-like.
    fn find(&self, _scan: &Scanner<'_>, _found: &mut Vec<Match>) {}

    /// Returns how sure it is that the value of a label is of this type, and where it is.
    fn labelled(&self, _scan: &Scanner<'_>, _field: &labelled::Field) -> Option<Match> {
        None
    }

    /// Replaces all but a recognizable part of the value by `*`.
    fn partial(&self, value: &str) -> String {
        mask::keep_last_four(value)
    }

    /// Corrects the check digits of a format-preserving replacement. Types without a checksum return it unchanged.
    fn with_checksum(&self, value: String) -> String {
        value
    }
}

/// A match in a scanned view, before it is mapped to the original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Location in bytes of the scanned view.
    pub span: Span,
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
}
