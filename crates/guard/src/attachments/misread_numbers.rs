//! Card and account numbers that OCR or transcription misread.
//!
//! A misread digit makes the check digit fail. Text with the distinctive format of a card or account number is still
//! reported, with a confidence that masks it but blocks nothing.

use std::ops::Range;

use guardengine_engine::{pii::Entity, span::Span};

/// Confidence of these entities: enough to mask, below every blocking threshold.
const CONFIDENCE: f32 = 0.6;
/// Digit groups of card numbers, as issuers print them (ISO/IEC 7812).
const CARD_GROUPS: [&[usize]; 2] = [&[4, 4, 4, 4], &[4, 6, 5]];
/// Length of an IBAN after country code and check digits (ISO 13616: 15 to 34 in all).
const ACCOUNT_LENGTH: Range<usize> = 11..31;
/// Minimum number of digits in an IBAN after country code and check digits.
const MIN_DIGITS: usize = 8;

/// Returns card and account numbers recognized by their format alone.
pub fn find(text: &str) -> Vec<Entity> {
    let groups = groups(text);
    let mut all = Vec::new();
    for (at, first) in groups.iter().enumerate() {
        let run = &groups[at..];
        if let Some(last) = card_end(text, run) {
            all.push(entity("credit_card", text, first.start..last));
        } else if let Some(last) = account_end(text, run) {
            all.push(entity("iban", text, first.start..last));
        }
    }
    all
}

fn entity(kind: &'static str, text: &str, Range { start, end }: Range<usize>) -> Entity {
    let (span, value) = (Span::new(start, end), text[start..end].to_owned());
    Entity { kind: kind.into(), span, confidence: CONFIDENCE, value, transforms: Vec::new() }
}

/// Returns the runs of ASCII letters and digits.
fn groups(text: &str) -> Vec<Range<usize>> {
    let mut groups: Vec<Range<usize>> = Vec::new();
    for (at, letter) in text.char_indices().filter(|(_, letter)| letter.is_ascii_alphanumeric()) {
        match groups.last_mut().filter(|last| last.end == at) {
            Some(last) => last.end += letter.len_utf8(),
            None => groups.push(at..at + 1),
        }
    }
    groups
}

/// Returns true if only one separator character lies between two groups.
fn are_joined(text: &str, pair: &[Range<usize>]) -> bool {
    matches!(&text[pair[0].end..pair[1].start], " " | "-" | ".")
}

/// Returns the end of a card number that starts with the first group.
fn card_end(text: &str, run: &[Range<usize>]) -> Option<usize> {
    let is_written = |lengths: &&[usize]| {
        let Some(groups) = run.get(..lengths.len()) else { return false };
        let are_digits =
            groups.iter().all(|group| text[group.clone()].bytes().all(|one| one.is_ascii_digit()));
        let fit = groups.iter().zip(lengths.iter()).all(|(group, length)| group.len() == *length);
        are_digits && fit && groups.windows(2).all(|pair| are_joined(text, pair))
    };
    CARD_GROUPS.iter().find(|lengths| is_written(lengths)).map(|lengths| run[lengths.len() - 1].end)
}

/// Returns the end of an IBAN that starts with the first group: two capitals, two digits, then groups with digits.
fn account_end(text: &str, run: &[Range<usize>]) -> Option<usize> {
    let [country, check] = [0..2, 2..4].map(|half| text[run[0].clone()].get(half));
    let is_prefix = country?.bytes().all(|one| one.is_ascii_uppercase())
        && check?.bytes().all(|one| one.is_ascii_digit());
    if !is_prefix {
        return None;
    }
    let (mut length, mut digits) = (run[0].len() - 4, count_digits(&text[run[0].clone()][4..]));
    let mut end = run[0].end;
    for pair in run.windows(2).take_while(|pair| are_joined(text, pair)) {
        let group = &text[pair[1].clone()];
        let belongs = count_digits(group) > 0 && !group.bytes().any(|one| one.is_ascii_lowercase());
        if !belongs || length + group.len() >= ACCOUNT_LENGTH.end {
            break;
        }
        (length, digits, end) = (length + group.len(), digits + count_digits(group), pair[1].end);
    }
    (ACCOUNT_LENGTH.contains(&length) && digits >= MIN_DIGITS).then_some(end)
}

fn count_digits(group: &str) -> usize {
    group.bytes().filter(u8::is_ascii_digit).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find_values(text: &str) -> Vec<(String, String)> {
        find(text).into_iter().map(|found| (found.kind.to_string(), found.value)).collect()
    }

    #[test]
    fn recognizes_cards_and_accounts_by_their_format() {
        for (text, kind, value) in [
            ("Card: 4111 1111-1111 1131\nthanks", "credit_card", "4111 1111-1111 1131"),
            ("3782-822463-10006 expires", "credit_card", "3782-822463-10006"),
            ("IBAN DE89 3704 0044 0532 01 30 90", "iban", "DE89 3704 0044 0532 01 30 90"),
            ("GB29NWBK60161331926818 is it", "iban", "GB29NWBK60161331926818"),
        ] {
            assert_eq!(find_values(text), [(kind.to_owned(), value.to_owned())], "{text}");
        }
    }

    #[test]
    fn ignores_other_numbers() {
        for text in [
            "4111 1111 1111",
            "2024 2025\n2026 2027",
            "AB12 is the room, 3 the floor",
            "order 12345678 of 2024",
            "1234x5678x9012x3456",
        ] {
            assert_eq!(find_values(text), [], "{text}");
        }
    }
}
