//! Character boundaries near a byte of a text.

/// Returns the last character boundary at or before byte `at`, at most the end.
pub(crate) fn floor(text: &str, at: usize) -> usize {
    let at = at.min(text.len());
    (at.saturating_sub(3)..=at).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

/// Returns the first character boundary at or after byte `at`, at most the end.
pub(crate) fn ceil(text: &str, at: usize) -> usize {
    (at..text.len()).find(|at| text.is_char_boundary(*at)).unwrap_or(text.len())
}
