//! Number-like candidates, cut out of a text once for all PII types.
//!
//! A stretch is a run of groups of letters and digits. Groups joined by `-`, `.` or `/` belong together. A blank may
//! separate two numbers or the halves of one, so every run of up to `MAX_GROUPS` groups between blanks is a candidate, the
//! longest first. An underscore counts as a blank, and a dash after a word too. Parts of a decimal or a clock time are
//! never candidates. Numbers that are joined to something longer (an amount, a path, a word) are candidates for numbers
//! of distinctive form alone: this rules out most harmless numbers, and no sign beside a number hides it.

pub(super) mod edges;

use std::{borrow::Cow, ops::RangeInclusive};

use super::nearby::next_digit;
use crate::span::Span;
use edges::{Edge, Joint};

/// Maximum number of letters and digits of a candidate: an IBAN has up to 34 (ISO 13616).
pub(super) const MAX_LENGTH: usize = 34;
const MAX_GROUPS: usize = 9;
const MIN_DIGITS: usize = 4;
// Longest group of letters alone inside an identifier: the surname part of a British driving licence.
const MAX_LETTERS: usize = 5;
// Lengths of a number that counts alone, whatever is joined to it: those of payment cards.
const LONG: RangeInclusive<usize> = 13..=19;

/// A run of groups of ASCII letters and digits joined by single separators (blank, `-`, `.`, `/`), with at least one digit.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'t> {
    /// Location in the scanned view.
    pub span: Span,
    /// Text with separators.
    pub written: &'t str,
    /// Letters and digits only, letters in upper case.
    pub compact: &'t str,
    /// Whether it is joined to something longer, so that only a distinctive form counts.
    pub is_joined: bool,
}

impl Candidate<'_> {
    /// Values of the digits, if `compact` has only digits.
    pub fn digits(&self) -> Option<impl Iterator<Item = u32> + Clone> {
        self.compact
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| self.compact.bytes().map(|byte| u32::from(byte - b'0')))
    }
}

/// Calls `offer` for every candidate in `text` whose number of letters and digits `fits`.
pub(super) fn each(text: &str, fits: impl Fn(usize) -> bool, mut offer: impl FnMut(&Candidate<'_>)) {
    let text = &*with_blanks(text);
    let mut stretch = Stretch::default();
    let mut at = 0;
    while let Some(digit) = next_digit(text.as_bytes(), at) {
        stretch.read(text, digit, at);
        stretch.offer(text, &fits, &mut offer);
        at = stretch.end();
    }
}

/// Returns `text` with blanks for underscores, which are as long.
fn with_blanks(text: &str) -> Cow<'_, str> {
    if memchr::memchr(b'_', text.as_bytes()).is_some() { text.replace('_', " ").into() } else { text.into() }
}

#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    // Length of the stretch's compact form, and digits in it, up to this group.
    compact: usize,
    digits: usize,
    // The joint to the group before; a blank for the first.
    joint: Joint,
}

/// The groups of one stretch; its buffers serve all stretches of a text.
#[derive(Default)]
struct Stretch {
    groups: Vec<Group>,
    compact: String,
}

impl Stretch {
    fn end(&self) -> usize {
        self.groups.last().map_or(0, |group| group.end)
    }

    // Reads the stretch around the digit at `digit`, beginning nowhere before `floor`.
    fn read(&mut self, text: &str, digit: usize, floor: usize) {
        self.groups.clear();
        self.compact.clear();
        let mut start = edges::first_group(text, digit, floor, MAX_GROUPS);
        let mut joint = Joint::Blank;
        loop {
            let end = edges::group_end(text, start);
            self.push(text, Span::new(start, end), joint);
            let Some(next) = edges::next_group(text, end) else { return };
            (start, joint) = next;
        }
    }

    fn push(&mut self, text: &str, place: Span, joint: Joint) {
        let written = place.of(text);
        let (compact, digits) = (self.compact.len(), self.digits());
        self.compact.push_str(written);
        self.compact[compact..].make_ascii_uppercase();
        self.groups.push(Group { start: place.start, end: place.end, compact, digits, joint });
    }

    // Digits up to the end of what has been read.
    fn digits(&self) -> usize {
        self.groups.last().map_or(0, |group| group.digits + count_digits(&self.compact[group.compact..]))
    }

    fn offer(&self, text: &str, fits: impl Fn(usize) -> bool, mut offer: impl FnMut(&Candidate<'_>)) {
        for first in 0..self.groups.len() {
            for past in (first + 1..=(first + MAX_GROUPS).min(self.groups.len())).rev() {
                if let Some(candidate) = self.candidate(text, first, past, &fits) {
                    offer(&candidate);
                }
            }
            if let Some(embedded) = self.embedded(text, first).filter(|found| fits(found.compact.len())) {
                offer(&embedded);
            }
        }
    }

    // Groups `first..past`, when they are cut off from their surroundings and worth a question.
    fn candidate<'s>(
        &'s self,
        text: &'s str,
        first: usize,
        past: usize,
        fits: impl Fn(usize) -> bool,
    ) -> Option<Candidate<'s>> {
        let (from, last) = (self.groups[first], self.groups[past - 1]);
        let next = self.groups.get(past);
        let compact = &self.compact[from.compact..next.map_or(self.compact.len(), |group| group.compact)];
        if compact.len() > MAX_LENGTH || !fits(compact.len()) {
            return None;
        }
        let digits = next.map_or_else(|| self.digits(), |group| group.digits) - from.digits;
        let span = Span::new(from.start, last.end);
        let is_long = past == first + 1 && LONG.contains(&digits);
        let edge = |edge: Edge| match edge {
            Edge::Free => Some(false),
            Edge::Joined => Some(true),
            Edge::Inside => None,
        };
        let before = edge(self.before(text, first, is_long))?;
        let after = edge(self.after(text, past, span.end, digits, is_long))?;
        (digits >= MIN_DIGITS && !edges::is_other_notation(span.of(text))).then(|| Candidate {
            span,
            written: span.of(text),
            compact,
            is_joined: before || after,
        })
    }

    fn before(&self, text: &str, first: usize, is_long: bool) -> Edge {
        match first.checked_sub(1) {
            None => edges::before(text, self.groups[0].start),
            Some(previous) => self.between(text, self.groups[first].joint, previous, is_long),
        }
    }

    fn after(&self, text: &str, past: usize, end: usize, digits: usize, is_long: bool) -> Edge {
        match self.groups.get(past) {
            None => edges::after(text, end, digits),
            Some(next) => self.between(text, next.joint, past, is_long),
        }
    }

    // The edge of a candidate with this joint between it and group `other`.
    fn between(&self, text: &str, joint: Joint, other: usize, is_long: bool) -> Edge {
        let Group { start, end, .. } = self.groups[other];
        match joint {
            Joint::Blank => Edge::Free,
            Joint::Dash if edges::is_word(&text[start..end]) => Edge::Free,
            Joint::Dash if is_long => Edge::Joined,
            Joint::Dash | Joint::Dot => Edge::Inside,
        }
    }

    // The only run of digits in a group of letters and digits, when it is as long as a number that counts alone.
    fn embedded<'s>(&self, text: &'s str, group: usize) -> Option<Candidate<'s>> {
        let Group { start, end, .. } = self.groups[group];
        let written = &text[start..end];
        let digits = written.trim_matches(|c: char| c.is_ascii_alphabetic());
        let is_number = digits.len() < written.len() && digits.bytes().all(|byte| byte.is_ascii_digit());
        (is_number && LONG.contains(&digits.len())).then(|| {
            let start =
                start + written.len() - written.trim_start_matches(|c: char| c.is_ascii_alphabetic()).len();
            let span = Span::new(start, start + digits.len());
            Candidate { span, written: digits, compact: digits, is_joined: true }
        })
    }
}

fn count_digits(text: &str) -> usize {
    text.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidates(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(
            text,
            |length| length >= 5,
            |candidate| {
                if !candidate.is_joined {
                    all.push(candidate.written.to_owned());
                }
            },
        );
        all
    }

    fn joined(text: &str) -> Vec<String> {
        let mut all = Vec::new();
        each(
            text,
            |length| length >= 5,
            |candidate| {
                if candidate.is_joined {
                    all.push(candidate.written.to_owned());
                }
            },
        );
        all
    }

    #[test]
    fn an_underscore_and_a_dash_after_a_word_part_like_blanks() {
        assert_eq!(candidates("order_12345678"), ["12345678"]);
        assert_eq!(candidates("_078-05-1120_"), ["078-05-1120"]);
        assert_eq!(candidates("card-41111111"), ["card-41111111", "41111111"]);
    }

    #[test]
    fn a_number_that_is_joined_to_something_is_offered_as_such() {
        for (text, number) in [
            ("$4111111111111111", "4111111111111111"),
            ("4111111111111111@shop", "4111111111111111"),
            ("1-4111111111111111-2", "4111111111111111"),
            ("x4111111111111111y", "4111111111111111"),
            ("é4111111111111111", "4111111111111111"),
        ] {
            assert_eq!(joined(text), [number], "{text}");
            assert!(!candidates(text).contains(&number.to_owned()), "{text}");
        }
    }

    #[test]
    fn a_number_in_prose_is_offered_without_its_neighbours() {
        assert_eq!(candidates("my number is 078-05-1120, thanks"), ["078-05-1120"]);
        assert_eq!(candidates("身份证号11010519491231002X，谢谢"), ["11010519491231002X"]);
        assert_eq!(candidates("Steuer-Nr.12345678901"), ["12345678901"]);
    }

    #[test]
    fn blanks_may_part_or_join_and_the_longest_comes_first() {
        assert_eq!(candidates("GB29 NWBK 6016"), ["GB29 NWBK 6016", "NWBK 6016"]);
        assert_eq!(candidates("4111 1111 12"), ["4111 1111 12", "4111 1111", "1111 12"]);
    }

    #[test]
    fn nothing_inside_something_longer_is_offered() {
        for text in [
            "3.14159265",
            "0.4111111111111111",
            "10:30:15.123456",
            "$12345678",
            "2024-01-15T10:30:00Z",
            "1234567,89",
            "192.168.100.200",
            "é12345678",
            "12345678@example.com",
            "550e8400-e29b-41d4-a716-446655440000",
            "%2012345678",
            "-12345678",
        ] {
            assert_eq!(candidates(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn the_compact_form_has_neither_separators_nor_lower_case() {
        let mut seen = Vec::new();
        each("de89-3704/0044", |length| length > 10, |candidate| seen.push(candidate.compact.to_owned()));
        assert_eq!(seen, ["DE8937040044"]);
    }
}
