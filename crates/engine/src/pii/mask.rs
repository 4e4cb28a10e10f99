//! Masking: five ways to take a private value out of a text.
//!
//! What lies outside the finds stays byte for byte. Markers that an earlier masking left are never masked again
//! ([`markers`]), so masking twice with `full`, `hash` or `token` equals masking once.

mod form;
mod keys;
mod marker;
mod merge;
mod strategy;

pub use keys::MaskKeys;
pub use marker::{markers, restore, tokens_in};
pub use strategy::Strategy;

use super::{Found, kinds::kind};
use merge::Place;

/// A masked text and what is needed to restore it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masked {
    /// The text with every find replaced.
    pub text: String,
    /// The values that stand behind token markers, each once, ordered by identifier; empty for other strategies.
    pub tokens: Vec<Token>,
}

/// A value that a token marker stands for; to be sealed in a vault.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    /// What the marker names, unique for kind and value within an organisation.
    pub id: String,
    /// Wire name of the kind.
    pub kind: &'static str,
    /// What stood in the original, as it was written there (still encoded where it was).
    pub value: String,
}

/// `original` with every find replaced as `strategy` says; overlapping finds are one, of the strongest's kind.
///
/// Finds inside an existing marker, and spans that do not lie on character boundaries of `original`, are passed over.
pub fn mask(original: &str, found: &[Found], strategy: Strategy, keys: &MaskKeys) -> Masked {
    let mut masked = Masked { text: String::with_capacity(original.len()), tokens: Vec::new() };
    let mut at = 0;
    for place in merge::places(original, found) {
        masked.text.push_str(&original[at..place.span.start]);
        at = place.span.end;
        masked.put(&place, strategy, keys);
    }
    masked.text.push_str(&original[at..]);
    masked.tokens.sort();
    masked.tokens.dedup();
    masked
}

impl Masked {
    fn put(&mut self, place: &Place<'_>, strategy: Strategy, keys: &MaskKeys) {
        let Place { kind, value, .. } = *place;
        let shown = match strategy {
            Strategy::Full => None,
            Strategy::Partial => partial(kind, value),
            Strategy::FormatPreserving => form::other(kind, value, keys),
            Strategy::Hash => Some(marker::hash(kind, &keys.digest(kind, value))),
            Strategy::Token => Some(self.token(place, keys)),
        };
        match shown.filter(|shown| shown != place.written) {
            Some(shown) => self.text.push_str(&shown),
            None => self.text.push_str(&marker::full(kind)),
        }
    }

    /// The marker that stands for what was written, which is kept so that restoring gives the original back.
    fn token(&mut self, place: &Place<'_>, keys: &MaskKeys) -> String {
        let id = keys.token(place.kind, place.written);
        let marker = marker::token(place.kind, &id);
        self.tokens.push(Token { id, kind: place.kind, value: place.written.to_owned() });
        marker
    }
}

fn partial(name: &str, value: &str) -> Option<String> {
    let starred = kind(name).map_or_else(|| keep_last_four(value), |kind| kind.partial(value));
    (starred != value).then_some(starred)
}

/// The value with every letter and digit but the last four replaced by `*`, separators kept.
pub fn keep_last_four(value: &str) -> String {
    let total = value.chars().filter(|c| c.is_alphanumeric()).count();
    let mut seen = 0;
    value
        .chars()
        .map(|c| {
            if !c.is_alphanumeric() {
                return c;
            }
            seen += 1;
            if seen + 4 > total && total > 4 { c } else { '*' }
        })
        .collect()
}

/// The value with every letter and digit replaced by `*` but the first character of each word.
pub fn keep_initials(value: &str) -> String {
    let mut inside = false;
    value
        .chars()
        .map(|c| {
            let starred = inside && c.is_alphanumeric();
            inside = c.is_alphanumeric() || (inside && matches!(c, '\'' | '’'));
            if starred { '*' } else { c }
        })
        .collect()
}

/// The value with every letter and digit replaced by `*`.
pub fn keep_nothing(value: &str) -> String {
    value.chars().map(|c| if c.is_alphanumeric() { '*' } else { c }).collect()
}

#[cfg(test)]
mod tests;
