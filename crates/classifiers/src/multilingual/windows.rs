//! Cuts a text into windows that overlap, at ends of sentences where there are any.

use std::ops::Range;

use super::{config::WindowRules, tokenizer::Piece};

/// The windows of a text, as ranges of its pieces. Every piece is in one at least; a text without pieces is one window.
pub fn windows(pieces: &[Piece], rules: &WindowRules) -> impl Iterator<Item = Range<usize>> {
    let mut next = Some(0);
    std::iter::from_fn(move || {
        let start = next?;
        let end = end(pieces, start, rules);
        next = (end < pieces.len()).then(|| start_after(pieces, end, rules));
        Some(start..end)
    })
}

/// The end of the last sentence that leaves the window long enough, or of the longest window.
fn end(pieces: &[Piece], start: usize, rules: &WindowRules) -> usize {
    let longest = start + rules.content;
    if longest >= pieces.len() {
        return pieces.len();
    }
    let is_end = |end: &usize| pieces[end - 1].ends_sentence;
    (start + rules.shortest + 1..=longest).rev().find(is_end).unwrap_or(longest)
}

/// The begin of the first sentence within the overlap, or of the overlap.
fn start_after(pieces: &[Piece], end: usize, rules: &WindowRules) -> usize {
    let first = end - rules.overlap;
    (first.max(1)..end).find(|start| pieces[start - 1].ends_sentence).unwrap_or(first)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn rules() -> WindowRules {
        let (stops, wide_stops) = (String::new(), String::new());
        WindowRules { content: 10, shortest: 5, overlap: 3, begin: 0, end: 2, stops, wide_stops }
    }

    /// Windows over so many pieces, of which these end a sentence.
    fn cut(count: usize, ends: &[usize]) -> Vec<[usize; 2]> {
        let piece =
            |place| Piece { id: 4, start: place, end: place + 1, ends_sentence: ends.contains(&place) };
        windows(&(0..count).map(piece).collect::<Vec<_>>(), &rules())
            .map(|window| [window.start, window.end])
            .collect()
    }

    #[test]
    fn a_short_text_is_one_window() {
        assert_eq!(cut(0, &[]), [[0, 0]]);
        assert_eq!(cut(10, &[7]), [[0, 10]]);
    }

    #[test]
    fn windows_end_and_begin_with_sentences() {
        assert_eq!(cut(14, &[4, 6, 7]), [[0, 8], [5, 14]]);
        assert_eq!(cut(14, &[]), [[0, 10], [7, 14]]);
        assert_eq!(cut(14, &[3]), [[0, 10], [7, 14]]);
    }

    proptest! {
        #[test]
        fn every_piece_is_read_and_windows_move_on(count in 0_usize..200, ends in prop::collection::vec(0_usize..200, 0..40)) {
            let found = cut(count, &ends);
            prop_assert_eq!(found.first().unwrap()[0], 0);
            prop_assert_eq!(found.last().unwrap()[1], count);
            prop_assert!(found.iter().all(|[start, end]| end - start <= 10));
            prop_assert!(found.windows(2).all(|two| two[0][0] < two[1][0] && two[1][0] <= two[0][1]));
        }
    }
}
