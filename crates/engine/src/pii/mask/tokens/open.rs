//! Finds what may be the beginning of a token marker at the end of a text that goes on.

use super::{
    BRACKETS, GAPS, KINDS, LONGEST_GAP, begins, custom, ends, gap_after, is_free_before, is_id_letter,
};
use crate::pii::mask::marker::TOKEN_LENGTH;

/// Bytes after an identifier in which its closing bracket may stand.
const CLOSING: usize = 28;

/// Returns where the first marker may begin, at `from` or behind it, that text behind the end may complete; the length of
/// `text` if there is none.
pub fn open_token(text: &str, from: usize) -> usize {
    let starts = (from..text.len()).filter(|at| text.as_bytes()[*at].is_ascii_alphanumeric());
    let word = starts.filter(|at| is_free_before(text, *at)).find(|at| may_go_on(text, *at));
    let start = with_bracket(text, word.unwrap_or(text.len()));
    start.min(open_bracket(text)).max(from)
}

/// Returns whether what stands from `start` on is the beginning of a type name, `TOKEN` and an identifier.
fn may_go_on(text: &str, start: usize) -> bool {
    let first = text.as_bytes()[start].to_ascii_lowercase();
    let kinds = KINDS.iter().filter(|kind| kind.as_bytes().first() == Some(&first));
    let mut kinds = kinds.into_iter();
    kinds.any(|kind| reads(text, start, kind).is_none_or(|end| reads_id(text, end)))
        || custom::may_go_on(text, start)
}

/// Reads `kind` and `TOKEN` from `start` on: `None` if the text ends before they do; its length if something else
/// stands there.
fn reads(text: &str, start: usize, kind: &str) -> Option<usize> {
    let mut at = start;
    for letter in kind.bytes().chain(*b"token") {
        at = gap(text, at)?;
        match text.as_bytes().get(at) {
            None => return None,
            Some(read) if read.to_ascii_lowercase() == letter => at += 1,
            Some(_) => return Some(usize::MAX),
        }
    }
    Some(at)
}

/// Returns whether an identifier may stand from `start` on, and has not ended long ago.
pub(super) fn reads_id(text: &str, start: usize) -> bool {
    if start > text.len() {
        return false;
    }
    let mut at = start;
    for _ in 0..TOKEN_LENGTH {
        let Some(next) = gap(text, at) else { return true };
        match text.as_bytes().get(next) {
            None => return true,
            Some(letter) if is_id_letter(letter.to_ascii_lowercase()) => at = next + 1,
            Some(_) => return false,
        }
    }
    text.len() - at < CLOSING
}

/// Returns the end of the gap at `at`; `None` if the text ends inside one.
fn gap(text: &str, at: usize) -> Option<usize> {
    let end = gap_after(text, at);
    let rest = &text[at..];
    let is_cut = (0..rest.len().min(LONGEST_GAP * 2)).any(|skipped| {
        rest.get(skipped..)
            .is_some_and(|rest| rest.len() < 8 && GAPS.iter().any(|gap| is_beginning(rest, gap)))
            && gap_after(text, at) >= at + skipped
    });
    (!is_cut).then_some(end)
}

/// Returns whether `rest` is a beginning of `whole` and not all of it.
pub(super) fn is_beginning(rest: &str, whole: &str) -> bool {
    rest.len() < whole.len() && begins(whole, rest)
}

/// Returns `start` with an opening bracket before it, and the blanks between.
fn with_bracket(text: &str, start: usize) -> usize {
    let before = text[..start].trim_end_matches([' ', '\n', '\r', '\t']);
    let open = BRACKETS.iter().find(|(open, _)| ends(before, open));
    open.filter(|_| start - before.len() <= LONGEST_GAP).map_or(start, |(open, _)| before.len() - open.len())
}

/// Returns where an opening bracket begins that is cut by the end of `text`.
fn open_bracket(text: &str) -> usize {
    let longest = BRACKETS.iter().map(|(open, _)| open.len()).max().unwrap_or(0);
    let from = text.len().saturating_sub(longest);
    let is_cut = |at: &usize| {
        text.get(*at..).is_some_and(|rest| BRACKETS.iter().any(|(open, _)| is_beginning(rest, open)))
    };
    (from..text.len()).find(is_cut).unwrap_or(text.len())
}
