//! What stands near a place in a text.

/// The part of `text` of about `reach` bytes that ends at `end`, cut on a character boundary.
pub(crate) fn before(text: &str, end: usize, reach: usize) -> &str {
    let mut start = end.saturating_sub(reach);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    &text[start..end]
}

/// The part of `text` of about `reach` bytes that begins at `start`, cut on a character boundary.
pub(crate) fn after(text: &str, start: usize, reach: usize) -> &str {
    let mut end = (start + reach).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    &text[start..end]
}
