//! Entities that are longer than a stream holds back.

use super::LONGEST_HOLD;
use crate::{pii::Entity, span::Span, text::char_boundary};

/// Bytes of the beginning of an entity that show what it is: the first line of a PEM block, the scheme of a URL.
const OPENING: usize = 96;
/// Length from which a run that begins like a JSON Web Token is one, though its second part has not ended.
const TOKEN: usize = 256;

/// Returns `hold`, moved on so that at most [`LONGEST_HOLD`] characters of `text` are behind it.
pub(super) fn bounded(text: &str, hold: usize) -> usize {
    let held = text[hold..].chars().count();
    let excess = held.saturating_sub(LONGEST_HOLD);
    text[hold..].char_indices().nth(excess).map_or(text.len(), |(place, _)| hold + place)
}

/// Returns the beginning of a JSON Web Token (RFC 7519) that goes on behind the end of `text`.
pub(super) fn open_token(text: &str, released: usize) -> Option<Entity> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let run = text.trim_end_matches(is_part).len();
    let start = run + text[run..].find("eyJ")?;
    let is_long = text.len() - start >= TOKEN && text.len() > released;
    is_long.then(|| Entity {
        kind: "api_key".into(),
        span: Span::new(start, text.len()),
        confidence: 0.99,
        value: text[start..].to_owned(),
        transforms: Vec::new(),
    })
}

/// Returns the part of the entity that begins at `start` which must stay, so that the rest is known for what it is.
pub(super) fn opening(text: &str, start: usize, released: usize) -> Span {
    let reach = &text[start..released.min(char_boundary::floor(text, start + OPENING)).max(start)];
    Span::new(start, start + reach.find('\n').map_or(reach.len(), |line| line + 1))
}
