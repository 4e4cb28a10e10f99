//! Payment card numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, luhn, number},
    shape::repeats,
};

/// A payment card number: issuer's range, length and Luhn's check digit (ISO/IEC 7812-1; the networks' published
/// ranges).
pub struct CreditCard;

impl PiiType for CreditCard {
    fn name(&self) -> &'static str {
        "credit_card"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "card",
            "visa",
            "mastercard",
            "amex",
            "american express",
            "maestro",
            "kreditkarte",
            "kartennummer",
            "carte bancaire",
            "carte de crédit",
            "tarjeta",
            "cartão",
            "carta di credito",
            "creditcard",
            "karta",
            "карта",
            "карты",
            "カード番号",
            "クレジット",
            "信用卡",
            "卡号",
            "카드",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(LENGTHS)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let grouping = grouping(candidate.written)?;
        if !is_card_number(candidate.compact) {
            return is_of_another_range(candidate.compact).then_some(Certainty::WithContext(0.75));
        }
        // Article numbers, times and record ids are as long as an unbroken number of an unusual length.
        match (grouping, candidate.compact.len()) {
            (Grouping::AsOnCards, 13..) => Some(Certainty::Distinctive(0.98)),
            (Grouping::None, 14..=16 | 19) => Some(Certainty::Distinctive(0.92)),
            _ => Some(Certainty::WithContext(0.92)),
        }
    }

    fn with_checksum(&self, value: String) -> String {
        let last = value.chars().filter(char::is_ascii_digit).count().saturating_sub(1);
        settle(settle(value, &[3, 2, 1, 0], is_issued), &[last], is_card_number)
    }
}

const LENGTHS: RangeInclusive<usize> = 12..=19;

fn is_card_number(compact: &str) -> bool {
    is_checked(compact) && is_issued(compact)
}

fn is_checked(compact: &str) -> bool {
    LENGTHS.contains(&compact.len()) && is_digits(compact) && !repeats(compact) && luhn(compact)
}

/// Ranges change, and not all are published: beside a word for cards a number of the usual length counts that begins
/// like one of travel or banking (ISO/IEC 7812-1, major industry identifiers 3 to 6), one of Maestro's length and
/// beginning (50, 56 to 69), and one of JCB's former range.
fn is_of_another_range(compact: &str) -> bool {
    let begins = match compact.len() {
        15 if compact.starts_with("2131") || compact.starts_with("1800") => true,
        16 if compact.starts_with(['3', '4', '5', '6']) => true,
        12..=19 => ["50", "56", "57", "58", "6"].iter().any(|one| compact.starts_with(one)),
        _ => false,
    };
    begins && is_checked(compact)
}

// Whether a network gives out numbers of that beginning and length.
fn is_issued(compact: &str) -> bool {
    let first = |digits: usize| number(&compact[..digits]);
    let length = compact.len();
    match length {
        13 | 19 if first(1) == 4 => true,
        15 if matches!(first(2), 34 | 37) => true,
        16 if is_of_sixteen(first(1), first(2), first(4)) => true,
        14..=19 if matches!(first(3), 300..=305 | 309 | 360..=369 | 380..=399) => true,
        16..=19 if matches!(first(4), 3528..=3589 | 6011 | 6440..=6599 | 6200..=6299 | 2200..=2204) => true,
        16..=19 if matches!(first(4), 5061 | 9792 | 8100..=8171) => true,
        _ => matches!(first(4), 5018 | 5020 | 5038 | 5893 | 6304 | 6759 | 6761..=6763),
    }
}

// Visa, Mastercard, RuPay.
fn is_of_sixteen(one: u64, two: u64, four: u64) -> bool {
    one == 4 || matches!(two, 51..=55 | 60 | 82) || matches!(four, 2221..=2720 | 5080..=5089)
}

enum Grouping {
    None,
    AsOnCards,
}

// Groups of four with a shorter last one, 4-6-5 (American Express) or 4-6-4 (Diners), one kind of separator.
fn grouping(written: &str) -> Option<Grouping> {
    let Some(separator) = written.chars().find(|c| !c.is_ascii_digit()) else { return Some(Grouping::None) };
    let sizes: Vec<usize> = written.split(separator).map(str::len).collect();
    let alike = written.chars().all(|c| c.is_ascii_digit() || c == separator);
    let fours =
        sizes.iter().rev().skip(1).all(|&size| size == 4) && sizes.last().is_some_and(|&last| last <= 4);
    (alike && (fours || sizes == [4, 6, 5] || sizes == [4, 6, 4])).then_some(Grouping::AsOnCards)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn the_networks_test_numbers_are_cards() {
        let numbers = [
            "4111 1111 1111 1111",
            "4242-4242-4242-4242",
            "5555 5555 5555 4444",
            "3782 822463 10005",
            "378282246310005",
            "6011111111111117",
            "3056 930902 5904",
            "3530111333300000",
            "2223003122003222",
        ];
        stand_alone(&CreditCard, &numbers);
    }

    #[test]
    fn numbers_of_unusual_length_or_range_need_context() {
        need_context(&CreditCard, &["4222222222222"]);
        need_context(&CreditCard, &["3512392555149414", "213185016623268", "583503444007"]);
    }

    #[test]
    fn a_card_number_with_a_wrong_check_digit_is_no_card() {
        none_is(&CreditCard, &["4111 1111 1111 1112", "378282246310006", "5555555555554445"]);
    }

    #[test]
    fn unknown_issuers_odd_lengths_and_other_groupings_are_no_cards() {
        none_is(
            &CreditCard,
            &["1111111111111117", "0000000000000000", "411111111111116", "41 1111 1111 1111 11"],
        );
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("9999 9999 9999 9999")) {
            all_are(&CreditCard, &[&CreditCard.with_checksum(value)]);
        }
    }
}
