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

/// The stretches of `text` within `reach` bytes of an ASCII digit, as offset and text, in ascending order and apart.
pub(crate) fn digits(text: &str, reach: usize) -> Vec<(usize, &str)> {
    let mut stretches: Vec<(usize, &str)> = Vec::new();
    let mut end = 0;
    for place in text.bytes().enumerate().filter(|(_, byte)| byte.is_ascii_digit()).map(|(place, _)| place) {
        let until = place + after(text, place, reach).len();
        let start = place - before(text, place, reach).len();
        match stretches.last_mut().filter(|_| start < end) {
            Some(last) => last.1 = &text[last.0..until],
            None => stretches.push((start, &text[start..until])),
        }
        end = until;
    }
    stretches
}
