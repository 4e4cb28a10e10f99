//! Reads the names of custom types in markers. Which there are is not known here, so a name ends at a blank, unless a
//! bracket opens the marker.

use super::{GAPS, begins, ends, ends_in_bracket, gap_after, gap_before, is_encoded};
use crate::pii::mask::tokens::open::{is_beginning, reads_id};

/// Characters of the longest name.
const LONGEST: usize = 40;
/// Bytes of the longest joint.
const LONGEST_JOINT: usize = 8;
const TOKEN: &str = "token";
/// Blanks as strings escape them.
const ESCAPES: [&str; 3] = ["\\n", "\\r", "\\t"];

/// Signs that may be between the words of a name, in lower case.
const JOINTS: [&str; 10] =
    ["_", "\\_", "-", "\\-", "%5f", "&#95;", "&#x5f;", "&lowbar;", "\\u005f", "\u{ff3f}"];

/// Returns where the name begins that a joint before `end` follows.
pub(super) fn kind_start(text: &str, end: usize) -> Option<usize> {
    start(text, end, before_joint)
}

/// Returns where the name begins that ends before `end` and follows a bracket. Blanks may be between its words.
pub(super) fn bracketed_kind_start(text: &str, end: usize) -> Option<usize> {
    start(text, end, before_gap).filter(|start| ends_in_bracket(&text[..*start]))
}

/// Returns where the name begins whose words are apart as `before_between` says.
fn start(text: &str, end: usize, before_between: fn(&str, usize) -> Option<usize>) -> Option<usize> {
    let mut at = before_between(text, end)?;
    let mut start = None;
    for _ in 0..LONGEST {
        let before = &text[..at];
        match before_between(text, at) {
            _ if ends_in_bracket(before) => break,
            Some(joint) => at = joint,
            None if ends_in_code(before) => break,
            None if before.ends_with(|c: char| c.is_ascii_alphanumeric()) => {
                at -= 1;
                start = Some(at);
            }
            None => break,
        }
    }
    let start = start.filter(|start| text.as_bytes()[*start].is_ascii_alphabetic())?;
    let before = &text[..start];
    let goes_on = before.ends_with(|c: char| c.is_ascii_alphanumeric());
    (!goes_on || ends_in_code(before) || ends_in_bracket(before)).then_some(start)
}

/// Returns whether an encoded sign or blank is at the end of `text`.
fn ends_in_code(text: &str) -> bool {
    is_encoded(text) || ESCAPES.iter().any(|escape| text.ends_with(escape))
}

fn before_gap(text: &str, end: usize) -> Option<usize> {
    Some(gap_before(text, end)).filter(|start| *start < end)
}

fn before_joint(text: &str, end: usize) -> Option<usize> {
    // The longest first: `\_` ends in `_`.
    let joints = JOINTS.iter().filter(|joint| ends(&text[..end], joint));
    joints.map(|joint| end - joint.len()).min()
}

/// Returns whether what stands from `start` on is the beginning of a name, `TOKEN` and an identifier.
pub(super) fn may_go_on(text: &str, start: usize) -> bool {
    let is_escape = text[..start].ends_with('\\') && text[start..].starts_with('u');
    if is_escape || !text.as_bytes()[start].is_ascii_alphabetic() {
        return false;
    }
    let is_bracketed = ends_in_bracket(&text[..start]);
    let mut at = start;
    for _ in 0..=LONGEST + TOKEN.len() {
        let rest = &text[at..];
        if rest.is_empty() {
            return true;
        }
        if let Some(after) = after_between(text, at, is_bracketed) {
            at = after;
            if begins(&text[at..], TOKEN) && reads_id(text, at + TOKEN.len()) {
                return true;
            }
        } else if rest.as_bytes()[0].is_ascii_alphanumeric() {
            at += 1;
        } else {
            return rest.len() < LONGEST_JOINT && GAPS.iter().any(|joint| is_beginning(rest, joint));
        }
    }
    false
}

/// Returns the end of what is between two words of a name at `at`.
fn after_between(text: &str, at: usize, is_bracketed: bool) -> Option<usize> {
    if is_bracketed {
        return Some(gap_after(text, at)).filter(|end| *end > at);
    }
    JOINTS.iter().find(|joint| begins(&text[at..], joint)).map(|joint| at + joint.len())
}
