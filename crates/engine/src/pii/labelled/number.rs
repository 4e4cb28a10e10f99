//! Numbers behind their label, in any grouping and any decimal digits.

use super::{
    Value,
    labels::{is_number_word, is_verb},
};
use crate::{pii::nearby, span::Span};

/// Bytes between a label and its number.
const GAP: usize = 40;
/// Words between them.
const WORDS: usize = 3;
/// Longest number with its separators, in bytes.
const LONGEST: usize = 64;

/// The number behind a label that ends at `end`.
pub(super) fn read(text: &str, end: usize) -> Option<Value> {
    let start = end + gap(nearby::after(text, end, GAP))?;
    let length = length(nearby::after(text, start, LONGEST));
    let is_quoted = text[..start].ends_with(['"', '\'']);
    let value = Value { span: Span::new(start, start + length), is_quoted, is_ended: false };
    (length > 0).then_some(value)
}

/// Length of the words and signs before the first group with a digit; words say that a number follows.
fn gap(reach: &str) -> Option<usize> {
    let mut at = 0;
    for _ in 0..=WORDS {
        let rest = &reach[at..];
        let signs = rest.find(char::is_alphanumeric)?;
        let is_free =
            !rest[..signs].contains(['\n', ',', ';', '!', '?', '|', '<', '{', '}', '$', '€', '£', '%']);
        at += is_free.then_some(signs)?;
        let word = group(&reach[at..]);
        if word.contains(is_digit) {
            return Some(at);
        }
        let word = word_of_any_script(&reach[at..]);
        let lower = word.to_lowercase();
        let other_script = word.chars().all(|c| c >= '\u{590}') && word.chars().count() <= 4;
        let may_be = is_number_word(&lower) || is_verb(&lower) || other_script;
        at += may_be.then_some(word.len())?;
    }
    None
}

fn word_of_any_script(rest: &str) -> &str {
    let end = rest.find(|c: char| !c.is_alphabetic() && !matches!(c, '°' | 'º' | '№'));
    &rest[..end.unwrap_or(rest.len())]
}

/// A decimal digit of any script, not a numeral like `½`.
pub(super) fn is_digit(c: char) -> bool {
    c.is_ascii_digit()
        || matches!(c, '٠'..='٩' | '۰'..='۹' | '०'..='९' | '০'..='৯' | '௦'..='௯' | '๐'..='๙' | '０'..='９')
}

/// Writes the decimal digits of any script in ASCII.
pub(in crate::pii) fn in_ascii(written: &str) -> String {
    const ZEROS: [char; 7] = ['٠', '۰', '०', '০', '௦', '๐', '０'];
    let fold = |c: char| {
        let value =
            ZEROS.iter().find_map(|zero| (c as u32).checked_sub(*zero as u32).filter(|value| *value < 10));
        value.and_then(|value| char::from_digit(value, 10)).unwrap_or(c)
    };
    written.chars().map(fold).collect()
}

fn group(rest: &str) -> &str {
    let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && !is_digit(c));
    &rest[..end.unwrap_or(rest.len())]
}

/// Length of the groups of digits and capitals that belong together.
fn length(reach: &str) -> usize {
    let mut end = group(reach).len();
    loop {
        let mut rest = reach[end..].chars();
        let Some(joint @ ('-' | '.' | '/' | ' ' | '\u{a0}' | '\u{202f}')) = rest.next() else { return end };
        let next = group(rest.as_str());
        let is_part = |c: char| is_digit(c) || (c.is_ascii_uppercase() && joint != ' ');
        if next.is_empty() || !next.chars().all(is_part) || !next.contains(is_digit) && next.len() > 2 {
            return end;
        }
        end += joint.len_utf8() + next.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(text: &str) -> Option<&str> {
        read(text, 0).map(|value| value.span.of(text))
    }

    #[test]
    fn a_number_behind_signs_and_words_for_a_number_is_read_whole() {
        for (text, expected) in [
            (": 4471 8820 13, thanks", "4471 8820 13"),
            (" nr. 12.34.56.789 bij", "12.34.56.789"),
            (" # 4458-221907", "4458-221907"),
            (" is AB123456", "AB123456"),
            ("：普通 7654321", "7654321"),
            ("는 110-234-567890입니다", "110-234-567890"),
            (": ٤٤٧١٨٨٢٠", "٤٤٧١٨٨٢٠"),
            ("\":\"X4471882\"}", "X4471882"),
        ] {
            assert_eq!(number(text), Some(expected), "{text}");
        }
    }

    #[test]
    fn a_number_that_belongs_to_something_else_is_none() {
        for text in [" balance 447188", ", order 447188", " costs $447188", "\n447188", " holders: 4471"] {
            assert_eq!(number(text), None, "{text}");
        }
    }
}
