//! Encodings that hide a text from filters but not from a model.
//!
//! An encoding is one file and one line in [`DECODERS`].

mod base32;
mod base64;
mod confusables;
mod entities;
mod escapes;
mod hex;
mod leetspeak;
mod morse;
mod numbers;
pub(super) mod payload;
mod percent;
mod reversed;
mod spacing;
mod substitution;

use super::Transform;
use super::scan::Source;
use super::view_builder::ViewBuilder;

/// Decodes one encoding.
pub(super) trait Decoder: Sync {
    /// Returns the name of the transform.
    fn transform(&self) -> Transform;

    /// Returns the decoded text; `None` if `source` does not use the encoding. Takes linear time, and almost none if the
    /// scan has no hint of the encoding.
    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder>;
}

/// Every decoder.
pub(super) const DECODERS: &[&dyn Decoder] = &[
    &confusables::Confusables,
    &leetspeak::Leetspeak,
    &spacing::Spacing,
    &percent::Percent,
    &entities::Entities,
    &escapes::Escapes,
    &base64::Base64,
    &base32::Base32,
    &hex::Hex,
    &numbers::Binary,
    &numbers::Decimal,
    &morse::Morse,
    &substitution::ROT13,
    &substitution::CAESAR,
    &substitution::ATBASH,
    &reversed::Lines,
    &reversed::Words,
];
