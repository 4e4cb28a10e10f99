//! Bank account numbers other than IBANs.

use std::{ops::RangeInclusive, sync::LazyLock};

use regex::Regex;

use crate::{
    pii::{
        Candidate, Certainty, Match, PiiType, Scanner,
        check_digits::settle,
        checksum::{is_digits, number, weighted},
        labelled::{self, Field, Kind},
        nearby,
        shape::{fits, fits_any, is_date, is_placeholder},
        tables::Column,
    },
    regex::pattern,
    span::Span,
};

/// An account number, an American routing number (ABA routing number policy: weights 3, 7, 1), a British sort code with
/// or without its account (Pay.UK), or a bank's identifier code (ISO 9362) after its name.
pub struct BankAccount;

impl PiiType for BankAccount {
    fn name(&self) -> &'static str {
        "bank_account"
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(6..=17)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let compact = candidate.compact;
        if !is_digits(compact) || is_placeholder(compact) {
            return None;
        }
        match candidate.written {
            written if is_routing_number(written) => Some(Certainty::WithContext(0.92)),
            written if fits_any(written, &["99-99-99 99999999", "99-99-99 - 99999999"]) => {
                Some(Certainty::Distinctive(0.8))
            }
            written if fits(written, "99-99-99") && !may_be_date(written) => {
                Some(Certainty::WithContext(0.85))
            }
            written if fits_any(written, &["999-999 999999999", "999-999"]) => {
                Some(Certainty::WithContext(0.8))
            }
            written if is_digits(written) && !is_day(written) => Some(Certainty::WithContext(0.8)),
            _ => None,
        }
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        let span = field.value.span;
        let is_known = field.kind == Kind::BankAccount
            && (!field.is_weak || speaks_of_banks(scan.text, field.key.start));
        let is_one = is_known && is_account(span.of(scan.text));
        is_one.then_some(Match { span, confidence: LABELLED })
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let listed = scan.cells_of(Column::BankAccount).filter(|span| is_account(span.of(scan.text)));
        found.extend(listed.map(|span| Match { span, confidence: LABELLED }));
        found.extend(bank_codes(scan.text).map(|span| Match { span, confidence: 0.85 }));
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8], is_routing_number)
    }
}

/// Bytes on both sides of an account in which a bank is spoken of.
const REACH: usize = 80;

fn speaks_of_banks(text: &str, place: usize) -> bool {
    let lower = |part: &str| part.to_lowercase();
    let (before, after) =
        (lower(nearby::before(text, place, REACH)), lower(nearby::after(text, place, REACH)));
    labelled::words("bank").any(|(word, _)| before.contains(word) || after.contains(word))
}

/// Confidence of a number behind its label.
const LABELLED: f32 = 0.85;

/// Whether it is written as an account number: digits in groups, neither an amount, a date nor an address.
fn is_account(written: &str) -> bool {
    let groups: Vec<_> =
        written.split(|c: char| !c.is_alphanumeric()).map(|group| group.chars().count()).collect();
    let digits: usize = groups.iter().sum();
    let is_amount = groups.len() == 2 && groups[1] < 3 && written.contains('.');
    let is_dated = matches!(groups[..], [4, 1..=2, 1..=2] | [1..=2, 1..=2, 4]);
    !written.contains(char::is_alphabetic)
        && (5..=20).contains(&digits)
        && !is_amount
        && !is_dated
        && !is_day(written)
        && !written.chars().all(|c| written.starts_with(c))
}

// Four letters, a country, two characters and perhaps a branch, named as such just before.
static BANK_CODE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?-u:\b)(?i:swift|bic)(?i:(?:/bic)?(?:[ -]?code)?)(?: is)?[ :#=]{1,3}([A-Z]{6}[A-Z0-9]{2}(?:[A-Z0-9]{3})?)(?-u:\b)",
    )
});

fn bank_codes(text: &str) -> impl Iterator<Item = Span> {
    BANK_CODE
        .captures_iter(text)
        .filter_map(|captures| captures.get(1))
        .map(|code| Span::new(code.start(), code.end()))
}

fn is_routing_number(written: &str) -> bool {
    fits(written, "999999999")
        && matches!(number(&written[..2]), 0..=12 | 21..=32 | 61..=72 | 80)
        && weighted(written, &[3, 7, 1, 3, 7, 1, 3, 7, 1]).is_multiple_of(10)
}

fn may_be_date(written: &str) -> bool {
    let [one, two, three] = [0, 3, 6].map(|from| number(&written[from..from + 2]) as u32);
    is_date(2000 + three, two, one) || is_date(2000 + three, one, two) || is_date(2000 + one, two, three)
}

// Year, month and day without separators.
fn is_day(digits: &str) -> bool {
    let part = |from: usize, to: usize| number(&digits[from..to]) as u32;
    digits.len() == 8 && matches!(part(0, 2), 19 | 20) && is_date(part(0, 4), part(4, 6), part(6, 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is, stand_alone};

    fn found(text: &str) -> Vec<&str> {
        bank_codes(text).map(|place| place.of(text)).collect()
    }

    #[test]
    fn account_and_routing_numbers_need_context() {
        need_context(&BankAccount, &["021000021", "000123456780", "31926819", "60-16-13"]);
    }

    #[test]
    fn a_sort_code_with_its_account_stands_alone() {
        stand_alone(&BankAccount, &["60-16-13 31926819"]);
    }

    #[test]
    fn dates_placeholders_and_other_groupings_are_no_accounts() {
        none_is(&BankAccount, &["2026-05-14", "20260514", "14-05-26", "1111111111", "4155-550-132", "12345"]);
    }

    #[test]
    fn a_bank_code_is_found_after_its_name() {
        assert_eq!(found("SWIFT code: DEUTDEFF500, thanks"), ["DEUTDEFF500"]);
        assert_eq!(found("a swift PASSWORD1234 change; BIC code unknown"), [""; 0]);
    }
}
