//! Ways to hide a text from a reader that a model understands all the same.
//!
//! A disguise is one file and one line in [`DISGUISES`].

mod base32;
mod base64;
mod confusables;
mod entities;
mod escapes;
mod hex;
mod leetspeak;
mod look_alikes;
mod morse;
mod numbers;
pub(super) mod payload;
mod percent;
mod reversed;
mod spacing;
mod substitution;

use super::Transform;
use super::draft::Draft;
use super::source::Source;

/// A way to hide a text.
pub(super) trait Disguise: Sync {
    /// The name of its undoing.
    fn transform(&self) -> Transform;

    /// What `source` shows without it; `None` where it is not used. Takes time linear in the text, and next to none
    /// where the source has no hint of it.
    fn undo(&self, source: &Source<'_>) -> Option<Draft>;
}

/// Every disguise there is.
pub(super) const DISGUISES: &[&dyn Disguise] = &[
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
