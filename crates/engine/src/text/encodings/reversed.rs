//! Reversed text: whole lines, or each word in place.
//!
//! Letter pairs tell that words run backwards, but not in which order they stand, so both orders are made.

use super::Decoder;
use super::payload::Payloads;
use crate::span::Span;
use crate::text::Transform;
use crate::text::char_boundary::{ceil, floor};
use crate::text::letter_pairs::cost;
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// Bytes of the line that are turned around on either side of a stretch at most.
const NEAR: usize = 200;

/// Lines from their end to their beginning.
pub struct Lines;

impl Decoder for Lines {
    fn transform(&self) -> Transform {
        Transform::Reversed
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        reverse(source, '\n')
    }
}

/// Words from their end to their beginning, in their order.
pub struct Words;

impl Decoder for Words {
    fn transform(&self) -> Transform {
        Transform::Reversed
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        reverse(source, ' ')
    }
}

/// Turns around what stands between separators (line ends and `separator`) in every stretch that reads better so.
fn reverse(source: &Source<'_>, separator: char) -> Option<ViewBuilder> {
    let mut payloads = Payloads::default();
    let mut done = 0;
    for stretch in source
        .backward
        .iter()
        .filter(|it| is_backward(it.of(source.text)))
        .map(|it| widened(source.text, *it))
    {
        if stretch.start < done {
            continue;
        }
        done = stretch.end;
        let draft = payloads.part(source.text, stretch);
        let mut start = stretch.start;
        for piece in stretch.of(source.text).split_inclusive(['\n', separator]) {
            let whole = piece.trim_end_matches(['\n', separator]);
            put_reversed(draft, whole, start);
            let end = start + piece.len();
            draft.copy(source.text, Span::new(start + whole.len(), end));
            start = end;
        }
    }
    payloads.finish()
}

/// Whether words read much better from their end: as a whole, since a word or two of any language may.
fn is_backward(text: &str) -> bool {
    let cost = cost(text);
    cost.pairs >= 14
        && cost.backward * 10 <= cost.pairs * 27
        && cost.forward * 10 >= cost.backward * 10 + cost.pairs * 6
}

/// `stretch` with the rest of its line, as far as it is near: half of the words pass for language both ways.
fn widened(text: &str, stretch: Span) -> Span {
    let left = floor(text, stretch.start.saturating_sub(NEAR));
    let right = ceil(text, stretch.end + NEAR);
    let start = text[left..stretch.start].rfind('\n').map_or(left, |at| left + at + 1);
    let end = text[stretch.end..right].find('\n').map_or(right, |at| stretch.end + at);
    Span::new(start, end)
}

fn put_reversed(draft: &mut ViewBuilder, piece: &str, start: usize) {
    for (at, character) in piece.char_indices().rev() {
        draft.put_char(character, Span::new(start + at, start + at + character.len_utf8()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_read_worse_from_their_end_are_not_backward() {
        for text in
            ["in on a sees reader area rates", "on a deed seen on a see level", "it seems a nine in ten"]
        {
            assert!(cost(text).backward >= cost(text).forward && !is_backward(text), "{text}");
        }
    }
}
