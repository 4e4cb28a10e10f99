//! Bounded looks around a place, on character boundaries.

/// The last character boundary of `text` at or before byte `at`.
pub fn floor(text: &str, at: usize) -> usize {
    (0..=at.min(text.len())).rev().find(|place| text.is_char_boundary(*place)).unwrap_or(0)
}

/// The first character boundary of `text` at or behind byte `at`.
pub fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|place| text.is_char_boundary(*place)).unwrap_or(text.len())
}
