//! Boundaries of candidates: where groups begin and end, and which groups belong together.

use super::MAX_LETTERS;

/// Where the stretch around `digit` begins: at most `groups` groups back, and not before `floor`.
pub fn first_group(text: &str, digit: usize, floor: usize, groups: usize) -> usize {
    let mut start = group_start(text, digit, floor);
    for _ in 1..groups {
        match group_before(text, start, floor) {
            Some(before) => start = before,
            None => break,
        }
    }
    start
}

/// The end of the group that begins at `start`.
pub fn group_end(text: &str, start: usize) -> usize {
    let length = text.as_bytes()[start..].iter().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    start + length
}

/// The start of the group joined to the one that ends at `end`, and what joins them.
pub fn next_group(text: &str, end: usize) -> Option<(usize, Joint)> {
    let joint = text[end..].chars().next().and_then(Joint::of)?;
    let start = end + text[end..].chars().next()?.len_utf8();
    let next = &text[start..group_end(text, start)];
    let left = group_start(text, end, 0);
    (!next.is_empty() && joint.joins(&text[left..end], next)).then_some((start, joint))
}

fn group_start(text: &str, end: usize, floor: usize) -> usize {
    let before =
        text.as_bytes()[floor..end].iter().rev().take_while(|byte| byte.is_ascii_alphanumeric()).count();
    end - before
}

fn group_before(text: &str, start: usize, floor: usize) -> Option<usize> {
    let separator = text[floor..start].chars().next_back()?;
    let joint = Joint::of(separator)?;
    let end = start - separator.len_utf8();
    let before = group_start(text, end, floor);
    let joins = before < end && joint.joins(&text[before..end], &text[start..group_end(text, start)]);
    joins.then_some(before)
}

/// The character between two groups that belong together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Joint {
    /// A blank, which may also separate two numbers.
    Blank,
    Dot,
    Dash,
}

impl Joint {
    fn of(separator: char) -> Option<Self> {
        match separator {
            ' ' | '\u{a0}' | '\u{202f}' => Some(Self::Blank),
            '.' => Some(Self::Dot),
            '-' | '/' | '\u{2010}'..='\u{2013}' | '\u{2212}' => Some(Self::Dash),
            _ => None,
        }
    }

    // After a blank only capitals can belong to an identifier (`GB29 NWBK`), other words are words. A dot after
    // a word closes an abbreviation (`Nr.12345`).
    fn joins(self, left: &str, right: &str) -> bool {
        match self {
            Self::Dash => true,
            Self::Dot => !is_word(left) || is_word(right),
            Self::Blank => may_stand_in_identifier(left) && may_stand_in_identifier(right),
        }
    }
}

pub fn is_word(group: &str) -> bool {
    group.bytes().all(|byte| byte.is_ascii_alphabetic())
}

fn may_stand_in_identifier(group: &str) -> bool {
    !is_word(group) || (group.len() <= MAX_LETTERS && group.bytes().all(|byte| byte.is_ascii_uppercase()))
}

/// The edge of a candidate, by the character beside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// A blank, a sign of a sentence, an underscore, or nothing.
    Free,
    /// A sign or letter that joins names, paths and amounts. Only numbers of distinctive form count here.
    Joined,
    /// More of the same number, time or decimal.
    Inside,
}

/// Returns what is before `start`.
pub fn before(text: &str, start: usize) -> Edge {
    let mut before = text[..start].chars().rev();
    let Some(neighbor) = before.next() else { return Edge::Free };
    match neighbor {
        '@' | '+' | '$' | '€' | '£' | '¥' | '₹' | '-' | '/' | '\\' | '~' | '^' | '%' => Edge::Joined,
        '.' if !before.next().is_some_and(char::is_alphabetic) => Edge::Inside,
        ':' if before.next().is_some_and(|c| c.is_ascii_digit() || c == ':') => Edge::Inside,
        other => beside(other),
    }
}

/// Returns what is after a candidate with that many digits that ends at `end`.
pub fn after(text: &str, end: usize, digits: usize) -> Edge {
    let mut after = text[end..].chars();
    let Some(neighbor) = after.next() else { return Edge::Free };
    match neighbor {
        '@' | '%' | '$' | '€' | '£' | '°' | '\\' | '=' | '+' => Edge::Joined,
        ':' if after.next().is_some_and(|c| c.is_ascii_digit()) => Edge::Inside,
        ',' if is_decimals(after.as_str(), digits) => Edge::Inside,
        other => beside(other),
    }
}

// Scripts with letters beyond U+0590 (Hebrew on) write numbers into the sentence without a blank.
fn beside(neighbor: char) -> Edge {
    match neighbor {
        '\u{590}'.. => Edge::Free,
        letter if letter.is_alphabetic() => Edge::Joined,
        other if other.is_alphanumeric() => Edge::Inside,
        _ => Edge::Free,
    }
}

/// Returns whether what begins at `start` is not the rest of something longer.
pub fn stands_free_before(text: &str, start: usize) -> bool {
    before(text, start) == Edge::Free
}

/// Returns whether what ends at `end`, with that many digits, is not the beginning of something longer.
pub fn stands_free_after(text: &str, end: usize, digits: usize) -> bool {
    after(text, end, digits) == Edge::Free
}

// A decimal comma: one or two digits follow, then nothing that a table row would go on with.
fn is_decimals(rest: &str, digits: usize) -> bool {
    let decimals = rest.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on =
        rest[decimals..].starts_with(|c: char| c.is_alphanumeric() || matches!(c, ',' | '/' | '-' | ';'));
    digits <= 12 && (1..=2).contains(&decimals) && !goes_on
}

/// Whether `written` is the notation of something that is no identifier: a decimal, an IPv4 address, a UUID, words.
pub fn is_other_notation(written: &str) -> bool {
    let dots = written.bytes().filter(|byte| *byte == b'.').count();
    let digits_and_dots = || written.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let octets = || written.split('.').all(|group| group.len() <= 3);
    (dots == 1 && digits_and_dots())
        || (dots == 3 && digits_and_dots() && octets())
        || is_uuid(written)
        || holds_words(written)
}

fn holds_words(written: &str) -> bool {
    written
        .split(|c: char| !c.is_ascii_alphanumeric())
        .any(|group| group.len() > MAX_LETTERS && is_word(group))
}

// RFC 9562: 8-4-4-4-12 hexadecimal digits.
fn is_uuid(written: &str) -> bool {
    let groups = || written.split('-').map(str::len);
    written.len() == 36 && groups().eq([8, 4, 4, 4, 12])
}
