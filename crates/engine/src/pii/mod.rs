//! Personal data: found in text, and masked.
//!
//! A kind of personal data is one file under `kinds/` and one line in [`kinds::KINDS`]. Kinds that look like numbers
//! (identifiers, cards, accounts) answer [`Kind::check`] for candidates that one shared pass over the text has cut
//! out; kinds of another shape look for themselves in [`Kind::find`].

#[cfg(test)]
pub(crate) mod asked;
pub mod assignment;
pub mod candidate;
mod checksum;
mod commands;
mod context;
mod form;
pub mod kinds;
pub mod mask;
pub(crate) mod near;
mod reach;
mod scan;
mod settle;
mod tables;
pub mod tagger;
mod told;

pub use candidate::Candidate;
pub use scan::{Scan, find_all};

use crate::span::Span;

/// How sure the form of a candidate alone makes us.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Distinctive enough to be reported alone, with this confidence.
    Distinctive(f32),
    /// Reported only with one of the kind's context words near it, with this confidence.
    WithContext(f32),
}

/// Something personal in a text.
#[derive(Clone, Debug, PartialEq)]
pub struct Found {
    /// Wire name of the kind.
    pub kind: &'static str,
    /// Where, in bytes of the original text.
    pub span: Span,
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
    /// The value, as a reader sees it (decoded, if the original is encoded).
    pub value: String,
    /// Names of the transforms behind which it was found; empty for plain text.
    pub transforms: Vec<crate::text::Transform>,
}

/// One kind of personal data.
pub trait Kind: Sync {
    /// Wire name in lower case, for example `credit_card`.
    fn name(&self) -> &'static str;

    /// Words that make an ambiguous candidate this kind when they stand near it: lower case, any language.
    fn context(&self) -> &'static [&'static str] {
        &[]
    }

    /// The number of letters and digits that a candidate of this kind has, separators not counted; `None` for kinds
    /// that are not number-like.
    fn compact_length(&self) -> Option<std::ops::RangeInclusive<usize>> {
        None
    }

    /// Whether a candidate of fitting length is of this kind, checksum included.
    fn check(&self, _candidate: &Candidate<'_>) -> Option<Form> {
        None
    }

    /// Looks for itself in kinds that are not number-like.
    fn find(&self, _scan: &Scan<'_>, _found: &mut Vec<Match>) {}

    /// The value with all but what may be shown replaced by `*`.
    fn partial(&self, value: &str) -> String {
        mask::keep_last_four(value)
    }

    /// Sets a format-preserving replacement's check digits right; the identity for kinds without a checksum.
    fn with_checksum(&self, value: String) -> String {
        value
    }
}

/// A match in the view that is scanned, before it is mapped to the original.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Match {
    /// Bytes of the scanned view.
    pub span: Span,
    /// Calibrated confidence, 0 to 1.
    pub confidence: f32,
}
