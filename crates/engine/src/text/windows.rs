//! Chunks and windows of a text.
//!
//! A classifier sums the features of a chunk once and judges windows, each of which is two consecutive chunks: every
//! sentence that is shorter than a chunk is whole in some window, and no byte is read twice.

use super::char_boundary::floor;
use crate::span::Span;

/// Bytes of a chunk, and so the distance from one window to the next.
pub const CHUNK: usize = 256;

/// Chunks are cut at a blank when one stands within this many bytes before the full length; the last may be longer by as much.
pub const SLACK: usize = 64;

/// Contiguous spans that cover `text`, each about [`CHUNK`] bytes, cut at blanks where there are some, never inside a character.
pub fn chunks(text: &str) -> Vec<Span> {
    let mut chunks = Vec::with_capacity(text.len() / (CHUNK - SLACK) + 1);
    let mut start = 0;
    while text.len() - start > CHUNK + SLACK {
        let end = cut(text, start);
        chunks.push(Span::new(start, end));
        start = end;
    }
    chunks.push(Span::new(start, text.len()));
    chunks
}

/// Pairs of consecutive chunks; the whole for a text of one or two.
pub fn windows(chunks: &[Span]) -> Vec<Span> {
    match chunks {
        [only] => vec![*only],
        _ => chunks.windows(2).map(|pair| pair[0].cover(pair[1])).collect(),
    }
}

/// Where the chunk that begins at `start` ends: after its last blank if that stands near the full length.
fn cut(text: &str, start: usize) -> usize {
    let near = &text.as_bytes()[start + CHUNK - SLACK..start + CHUNK];
    match near.iter().rposition(u8::is_ascii_whitespace) {
        Some(blank) => start + CHUNK - SLACK + blank + 1,
        None => floor(text, start + CHUNK),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_of_at_most_512_bytes_is_one_window() {
        for length in [0, 1, 320, 321, 512] {
            let text = "word ".repeat(103)[..length].to_owned();
            assert_eq!(windows(&chunks(&text)), [Span::new(0, length)]);
        }
    }

    #[test]
    fn windows_of_a_long_text_are_cut_between_words() {
        let text = "some words here ".repeat(200);
        for window in windows(&chunks(&text)) {
            assert!(window.end == text.len() || text[..window.end].ends_with(' '), "{window:?}");
            assert!(window.len() <= 2 * CHUNK + SLACK);
        }
    }

    proptest! {
        #[test]
        fn chunks_are_contiguous_and_cover_everything(text in "(\\PC| |é|語){0,2000}") {
            let mut end = 0;
            for chunk in chunks(&text) {
                prop_assert_eq!(chunk.start, end);
                prop_assert!(text.get(chunk.start..chunk.end).is_some());
                prop_assert!(chunk.len() <= CHUNK + SLACK);
                end = chunk.end;
            }
            prop_assert_eq!(end, text.len());
        }
    }
}
