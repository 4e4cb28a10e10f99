//! Text near a location.

/// Returns about `reach` bytes of `text` before `end`, cut on a character boundary.
pub(crate) fn before(text: &str, end: usize, reach: usize) -> &str {
    let mut start = end.saturating_sub(reach);
    while !text.is_char_boundary(start) {
        start -= 1;
    }
    &text[start..end]
}

/// Returns about `reach` bytes of `text` after `start`, cut on a character boundary.
pub(crate) fn after(text: &str, start: usize, reach: usize) -> &str {
    let mut end = (start + reach).min(text.len());
    while !text.is_char_boundary(end) {
        end += 1;
    }
    &text[start..end]
}

/// Returns the first byte from `from` on for which `is` holds.
pub(crate) fn next(bytes: &[u8], from: usize, is: impl Fn(&u8) -> bool) -> Option<usize> {
    const CHUNK: usize = 32;
    let mut at = from;
    for chunk in bytes.get(from..)?.chunks(CHUNK) {
        // A fold without a branch: what is looked for is rare, and this is compiled to vector instructions.
        if chunk.iter().fold(false, |any, byte| any | is(byte)) {
            return chunk.iter().position(is).map(|place| at + place);
        }
        at += chunk.len();
    }
    None
}

/// Returns the first digit of `bytes` from `from` on.
pub(crate) fn next_digit(bytes: &[u8], from: usize) -> Option<usize> {
    next(bytes, from, u8::is_ascii_digit)
}

/// Returns the stretches of `text` within `reach` bytes of an ASCII digit, as offset and text, ascending and disjoint.
pub(crate) fn digits(text: &str, reach: usize) -> Vec<(usize, &str)> {
    let mut stretches: Vec<(usize, &str)> = Vec::new();
    let (mut at, mut end) = (0, 0);
    while let Some(first) = next_digit(text.as_bytes(), at) {
        at = first + text.as_bytes()[first..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let until = at - 1 + after(text, at - 1, reach).len();
        let start = first - before(text, first, reach).len();
        match stretches.last_mut().filter(|_| start < end) {
            Some(last) => last.1 = &text[last.0..until],
            None => stretches.push((start, &text[start..until])),
        }
        end = until;
    }
    stretches
}
