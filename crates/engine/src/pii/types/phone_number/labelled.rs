//! Labels of a phone number: the nearest decides.

use super::words::{
    CONTEXT, COPULAS, FILLERS, NAMES, NUMBER, OTHER_NUMBERS, POSSESSIVES, PREPOSITIONS, TOLD, WHOSE,
};
use crate::pii::nearby;

/// Bytes before a number in which its label may be.
const REACH: usize = 64;
/// Bytes after a number in which its label may be.
const REACH_ON: usize = 40;
/// Words between label and number at most.
const BETWEEN: usize = 5;
/// First letter of the scripts that write words without blanks, or join particles to them.
const UNSPACED: char = '\u{590}';

/// What the nearest label before a number says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// It is a phone number.
    Phone,
    /// It counts something else: an order, a ticket.
    Other,
    Missing,
}

/// Returns what the nearest label before `place` says. Only small words, and names behind a preposition
/// (`call Ann at …`), may be between.
pub(super) fn nearest(text: &str, place: usize) -> Label {
    let before = nearby::before(text, place, REACH);
    let mut line = before.rsplit('\n').next().unwrap_or_default();
    let has_number_sign = line.trim_end().ends_with('#');
    let (mut counts_only, mut names_may_follow) = (true, false);
    for nth in 0..=BETWEEN {
        let Some((rest, word)) = last_word(line) else { break };
        line = rest;
        if names(word) {
            return Label::Phone;
        }
        if counts_only && (has_number_sign || is_one_of(word, OTHER_NUMBERS)) {
            return Label::Other;
        }
        names_may_follow |= nth == 0 && is_one_of(word, PREPOSITIONS);
        counts_only &= is_one_of(word, NUMBER);
        let is_name = names_may_follow && word.starts_with(char::is_uppercase);
        if !is_filler(word) && !is_name {
            return Label::Missing;
        }
    }
    if has_number_sign { Label::Other } else { Label::Missing }
}

/// Returns whether a label is joined to the number that begins at `place`: `tel630-555-0143`.
pub(super) fn is_joined(text: &str, place: usize) -> bool {
    let before = nearby::before(text, place, REACH);
    before.ends_with(char::is_alphabetic) && last_word(before).is_some_and(|(_, word)| names(word))
}

/// Returns whether what follows `end` names the number: `(cell)`, `is my mobile`.
pub(super) fn is_named_after(text: &str, end: usize) -> bool {
    let after = nearby::after(text, end, REACH_ON).trim_start_matches(' ');
    let line = after.split('\n').next().unwrap_or_default();
    let mut words = line.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty());
    if line.starts_with('(') {
        return words.next().is_some_and(names);
    }
    let Some(first) = words.next().filter(|_| line.starts_with(char::is_alphabetic)) else { return false };
    unspaced_name(first)
        || (is_one_of(first, COPULAS) && words.find(|word| !is_one_of(word, POSSESSIVES)).is_some_and(names))
}

/// Returns whether a sentence states a number at `place`, or a line of a signature names it by a letter.
pub(super) fn is_told(text: &str, place: usize) -> bool {
    let before = nearby::before(text, place, REACH);
    let line = before.rsplit('\n').next().unwrap_or_default().trim_end_matches([' ', ':', '.']);
    is_letter(line) || is_told_in(&line.to_lowercase())
}

/// `T`, `M` and the like at the beginning of a line or behind `|`.
fn is_letter(line: &str) -> bool {
    let before = line.strip_suffix(['T', 'M', 'P', 'F', 'H']);
    before
        .map(str::trim_end)
        .is_some_and(|before| before.is_empty() || before.ends_with(['|', '·', '•', '/']))
}

fn is_told_in(line: &str) -> bool {
    let Some(before) = TOLD.iter().find_map(|told| line.strip_suffix(told)) else { return false };
    let word = before.trim_end().rsplit(' ').next().unwrap_or_default();
    !before.ends_with(char::is_alphanumeric)
        && (word.is_empty()
            || word.ends_with([',', '.', '!', ';', ':'])
            || is_one_of(word, WHOSE)
            || is_of_phones(line))
}

/// Short words for a number that are used for phone numbers alone.
fn is_of_phones(line: &str) -> bool {
    line.contains("num c")
        || line.ends_with("disdire")
        || line.ends_with("prenotare")
        || line.ends_with("numaram")
}

/// Returns the last word of `line` and what is before it. Words end at a capital inside: `homePhone`.
fn last_word(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_end_matches(|c: char| !c.is_alphabetic());
    let mut start = line.len();
    let mut is_capital = false;
    for (place, letter) in line.char_indices().rev() {
        if !letter.is_alphabetic() || (is_capital && letter.is_lowercase()) {
            break;
        }
        start = place;
        is_capital = letter.is_uppercase();
    }
    (start < line.len()).then(|| line.split_at(start))
}

// A word of one or two letters is seldom a noun.
fn is_filler(word: &str) -> bool {
    word.chars().nth(2).is_none() || is_one_of(word, FILLERS)
}

fn is_one_of(word: &str, list: &str) -> bool {
    list.split_ascii_whitespace().any(|other| begins(word, other) == Some(true))
}

fn names(word: &str) -> bool {
    unspaced_name(word)
        || NAMES
            .split_ascii_whitespace()
            .any(|name| begins(word, name).is_some_and(|is_whole| is_whole || name.chars().nth(3).is_some()))
}

fn unspaced_name(word: &str) -> bool {
    word.starts_with(|c| c >= UNSPACED)
        && CONTEXT.iter().any(|name| name.starts_with(|c| c >= UNSPACED) && word.contains(name))
}

/// Returns whether `word` is `name` in any case; `None` if it does not even begin so.
fn begins(word: &str, name: &str) -> Option<bool> {
    let mut letters = word.chars().flat_map(char::to_lowercase);
    name.chars().all(|letter| letters.next() == Some(letter)).then(|| letters.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn before(text: &str) -> Label {
        nearest(text, text.len())
    }

    #[test]
    fn the_nearest_label_decides() {
        assert_eq!(before("order by phone: "), Label::Phone);
        assert_eq!(before("phone order "), Label::Other);
        assert_eq!(before("call about ticket number "), Label::Other);
        assert_eq!(before("phone #"), Label::Phone);
        assert_eq!(before("item #"), Label::Other);
    }

    #[test]
    fn only_small_words_and_names_behind_a_preposition_are_between() {
        for text in
            ["reach our team at ", "call Ann Lee at ", "customerPhoneNumber=", "Mano telefonas ", "Тел.: "]
        {
            assert_eq!(before(text), Label::Phone, "{text}");
        }
        for text in ["phone battery ", "hotline stats ", "call Ann Lee ", "phone\n"] {
            assert_eq!(before(text), Label::Missing, "{text}");
        }
    }

    #[test]
    fn a_label_behind_is_in_parentheses_or_a_statement() {
        assert!(is_named_after(" (cell) or", 0) && is_named_after(" is my mobile", 0));
        assert!(!is_named_after(" calls were made", 0) && !is_named_after(" of the phone app", 0));
    }
}
