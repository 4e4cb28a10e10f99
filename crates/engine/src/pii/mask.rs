//! Masks entities in a text with one of six strategies.
//!
//! Text outside the entities is unchanged, and a JSON document stays one. Markers of an earlier masking are never masked again ([`markers`]), so masking
//! twice with `full`, `hash` or `token` equals masking once.

mod format_preserving;
mod keys;
mod marker;
mod merge;
mod strategy;
mod structure;
mod synthetic;
mod tokens;

pub use keys::MaskKeys;
pub(crate) use marker::full;
pub use marker::{has_marker, markers};
pub use strategy::{Strategies, Strategy, StrategyChoice};
pub(crate) use structure::escaped;
pub(crate) use tokens::open_token;
pub use tokens::{restore, tokens_in};

use super::{Entity, EntityType, types::pii_type};
use crate::span::Span;
pub(crate) use merge::{Place, places};
use structure::Structure;

/// A masked text and the values needed to restore it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Masked {
    /// The text with every entity replaced.
    pub text: String,
    /// Replacements, in order.
    pub replacements: Vec<Replacement>,
    /// The values of token markers, each once, ordered by identifier; empty for other strategies.
    pub tokens: Vec<Token>,
}

/// A part of a text and what stands in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replacement {
    /// Place in bytes of the original.
    pub span: Span,
    /// Name of the PII type.
    pub kind: EntityType,
    /// New text.
    pub text: String,
}

/// The value of a token marker, to be stored sealed.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Token {
    /// Identifier in the marker, unique for type and value within an organization.
    pub id: String,
    /// Name of the PII type in the API.
    pub kind: String,
    /// The text of the original, still encoded if it was.
    pub value: String,
}

/// Replaces every entity in `original` by the strategy for its type. Overlapping entities are one, of the most certain type.
///
/// Entities inside an existing marker, and spans off the character boundaries of `original`, are ignored.
pub fn mask(
    original: &str,
    found: &[Entity],
    strategies: impl StrategyChoice + Copy,
    keys: &MaskKeys,
) -> Masked {
    let mut masked = Masked { text: String::with_capacity(original.len()), ..Masked::default() };
    let structure = Structure::new(original);
    let mut at = 0;
    for place in places(original, found, strategies.custom_types()) {
        masked.text.push_str(&original[at..place.span.start]);
        at = place.span.end;
        let shown = masked.replacement(&place, strategies.of(place.kind), keys);
        let quote = structure.quote(place.span, &shown);
        let text = if quote.is_empty() { shown } else { [quote.as_str(), &shown, &quote].concat() };
        masked.text.push_str(&text);
        masked.replacements.push(Replacement { span: place.span, kind: place.kind.clone(), text });
    }
    masked.text.push_str(&original[at..]);
    masked.tokens.sort();
    masked.tokens.dedup();
    masked
}

impl Masked {
    /// Returns what stands in place of a value.
    pub(crate) fn replacement(&mut self, place: &Place<'_>, strategy: Strategy, keys: &MaskKeys) -> String {
        let Place { kind, value, .. } = *place;
        let shown = match strategy {
            Strategy::Full => None,
            Strategy::Partial => partial(kind, value),
            Strategy::FormatPreserving => other(kind, value, keys),
            Strategy::Hash => Some(marker::hash(kind, &keys.digest(kind, value))),
            Strategy::Token => Some(self.token(place, keys)),
            Strategy::Synthetic => invented(kind, value, keys),
        };
        shown.filter(|shown| shown != place.written).unwrap_or_else(|| full(kind))
    }

    /// Returns the marker of a value, and keeps the value as written so that restoring returns the original.
    fn token(&mut self, place: &Place<'_>, keys: &MaskKeys) -> String {
        let id = keys.token(place.kind, place.written);
        let marker = marker::token(place.kind, &id);
        self.tokens.push(Token { id, kind: place.kind.to_string(), value: place.written.to_owned() });
        marker
    }
}

/// An invented value; what stands in a string with escapes is escaped.
fn invented(kind: &EntityType, value: &str, keys: &MaskKeys) -> Option<String> {
    match structure::unescaped(value) {
        Some(decoded) => synthetic::other(kind, &decoded, keys).map(|other| structure::escaped(&other)),
        None => synthetic::other(kind, value, keys),
    }
}

/// Another value of the same format; escapes of a string stay escapes.
fn other(kind: &EntityType, value: &str, keys: &MaskKeys) -> Option<String> {
    match structure::unescaped(value) {
        Some(decoded) => {
            format_preserving::other(kind, &decoded, keys).map(|other| structure::escaped(&other))
        }
        None => format_preserving::other(kind, value, keys),
    }
}

fn partial(name: &str, value: &str) -> Option<String> {
    let starred = pii_type(name).map_or_else(|| keep_last_four(value), |kind| kind.partial(value));
    (starred != value).then_some(starred)
}

/// Replaces every letter and digit but the last four by `*`, and keeps separators.
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

/// Replaces every letter and digit by `*`, except the first character of each word.
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

/// Replaces every letter and digit by `*`.
pub fn keep_nothing(value: &str) -> String {
    value.chars().map(|c| if c.is_alphanumeric() { '*' } else { c }).collect()
}

#[cfg(test)]
mod tests;
