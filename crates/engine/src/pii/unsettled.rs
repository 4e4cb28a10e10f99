//! Finds from where on a text that goes on may still change what is personal data in it.
//!
//! Each word waits for as many characters as detectors look ahead from such a word. Plain prose waits for the next word;
//! numbers, capitals, other scripts and what follows a label wait for the words that may give them a meaning. An entity
//! waits until nothing nearby can extend it or change its type.

mod words;

use super::{Entity, labelled, nearby};
use crate::{span::Span, text::char_boundary};
use words::{Word, words};

/// Characters after an entity that may extend it, or speak of it ([`super::context`]: 30 and the sign behind).
const ENTITY: usize = 36;
/// Bytes that a chain of words that wait has at most.
const CHAIN: usize = 128;
/// Bytes between two words of a chain.
const GAP: usize = 24;
/// Bytes after a label in which its value begins.
const LABEL: usize = 64;
/// Bytes of a quoted value.
const QUOTED: usize = 512;

/// Returns the first byte of `text` from `floor` on that text behind its end may still make part of an entity or change
/// the entity of. `found` holds the entities of `text`, and `open` is where custom types may still change.
pub fn unsettled(text: &str, floor: usize, found: &[Entity], open: usize) -> usize {
    let mut words = words(text, floor);
    wait_for_labels(text, floor, &mut words);
    let waiting = words.iter().position(|word| !has_after(text, word.span.end, word.waits));
    let start = waiting.map_or(text.len(), |word| with_signs(text, floor, chain(text, &words, word)));
    let waits = |entity: &&Entity| waits_for_label(text, entity.span.end);
    let start = found.iter().filter(waits).map(|entity| entity.span.start).fold(start.min(open), usize::min);
    outside(start, found).max(floor)
}

/// Returns whether text behind the end of `text` may extend a value that ends at `end`, or speak of it.
pub(super) fn waits_for_label(text: &str, end: usize) -> bool {
    !has_after(text, end, ENTITY)
}

/// Returns `place`, or the start of the entity that covers it.
fn outside(place: usize, found: &[Entity]) -> usize {
    let covers = |entity: &&Entity| entity.span.start < place && place < entity.span.end;
    found.iter().rev().find(covers).map_or(place, |entity| outside(entity.span.start, found))
}

/// Returns whether `characters` follow `end`, or a blank line does.
fn has_after(text: &str, end: usize, characters: usize) -> bool {
    let rest = &text[end..];
    let near = &rest[..char_boundary::ceil(rest, (characters + 1) * 4)];
    near.chars().nth(characters).is_some() || near.contains("\n\n") || near.contains("\n\r\n")
}

/// Words in reach of a label wait like numbers, and so does the word before one.
fn wait_for_labels(text: &str, floor: usize, words: &mut [Word]) {
    let from = char_boundary::floor(text, floor.saturating_sub(QUOTED));
    for label in labelled::label_spans(&text[from..]) {
        let label = Span::new(from + label.start, from + label.end);
        let end = open_quote(text, label.end).map_or(label.end + LABEL, |_| text.len());
        let first = words.partition_point(|word| word.span.end <= label.start).saturating_sub(1);
        for word in words[first..].iter_mut().take_while(|word| word.span.start < end) {
            word.wait_like_number();
        }
    }
}

/// Returns the quote behind a label that has not closed.
fn open_quote(text: &str, end: usize) -> Option<usize> {
    let near = nearby::after(text, end, LABEL);
    let place = near.find(['"', '\'', '`', '“', '«'])?;
    let open = near[place..].chars().next()?;
    let inner = &text[end + place + open.len_utf8()..];
    // A key in quotes closes before its value opens.
    let is_key = place == 0 || near[..place].trim().is_empty();
    if is_key {
        return open_quote(text, end + place + open.len_utf8()).filter(|_| inner.len() < QUOTED);
    }
    (inner.len() < QUOTED && !inner.contains([open, '\n', '”', '»'])).then_some(end + place)
}

/// Returns where the chain of waiting words begins that goes on at `words[open]`.
fn chain(text: &str, words: &[Word], open: usize) -> usize {
    let mut start = words[open].span.start;
    for before in words[..open].iter().rev() {
        let gap = &text[before.span.end..start];
        let is_near = gap.len() <= GAP && gap.matches('\n').count() < 2;
        if !before.chains || !is_near || text.len() - before.span.start > CHAIN {
            break;
        }
        start = before.span.start;
    }
    start
}

/// Returns `start` with the signs directly before it: brackets, quotes, `+`, `@`.
fn with_signs(text: &str, floor: usize, start: usize) -> usize {
    let is_sign = |c: char| !c.is_alphanumeric() && !c.is_whitespace();
    floor + text[floor..start].trim_end_matches(is_sign).len()
}
