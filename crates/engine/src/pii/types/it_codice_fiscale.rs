//! Italian tax codes.

use std::ops::RangeInclusive;

use crate::pii::{Candidate, Certainty, PiiType, check_digits::settle, checksum::values, shape::is_date};

/// A codice fiscale: surname, name, date and place of birth and a check letter; digits may be replaced by letters where two
/// people would share a code (Decreto ministeriale 23 December 1976).
pub struct ItCodiceFiscale;

impl PiiType for ItCodiceFiscale {
    fn name(&self) -> &'static str {
        "it_codice_fiscale"
    }

    fn context(&self) -> &'static [&'static str] {
        &["codice fiscale", "cod. fisc", "c.f.", "tax code"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(16..=16)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        (is_code(candidate.compact) && holds_a_birthday(candidate.compact))
            .then_some(Certainty::Distinctive(0.98))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(settle(value, &[8, 9, 10], holds_a_birthday), &[15], is_code)
    }
}

// Places of digits, which may be letters.
const DIGITS: [usize; 7] = [6, 7, 9, 10, 12, 13, 14];
const STANDS_FOR: &str = "LMNPQRSTUV";
const MONTHS: &str = "ABCDEHLMPRST";

// Form and check letter.
fn is_code(compact: &str) -> bool {
    compact.len() == 16
        && compact.chars().enumerate().all(|(place, c)| {
            c.is_ascii_uppercase() && !DIGITS.contains(&place)
                || DIGITS.contains(&place) && digit(c).is_some()
        })
        && compact.ends_with(check_letter(&compact[..15]))
}

fn digit(c: char) -> Option<u32> {
    c.to_digit(10).or_else(|| STANDS_FOR.find(c).map(|place| place as u32))
}

fn check_letter(body: &str) -> char {
    // What a character counts at odd places, by its value as a digit or by its place in the alphabet.
    const ODD: [u32; 26] =
        [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23];
    let sum: u32 = values(body)
        .map(|value| if value > 9 { value - 10 } else { value })
        .enumerate()
        .map(|(place, value)| if place % 2 == 0 { ODD[value as usize] } else { value })
        .sum();
    char::from(b'A' + (sum % 26) as u8)
}

fn holds_a_birthday(compact: &str) -> bool {
    let two = |from: usize| compact[from..from + 2].chars().filter_map(digit).fold(0, |sum, d| 10 * sum + d);
    let month = compact[8..].chars().next().and_then(|letter| MONTHS.find(letter));
    // Women's days are written with 40 added; the century is not written.
    month.is_some_and(|month| is_date(2000 + two(6), month as u32 + 1, two(9) % 40))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, none_is, stand_alone};

    #[test]
    fn a_code_stands_alone() {
        stand_alone(
            &ItCodiceFiscale,
            &["RSSMRA85T10A562S", "VRDLRA90E41F205G", "RSS MRA 85T10 A562S", "RSSMRA85T10A56NH"],
        );
    }

    #[test]
    fn a_wrong_check_letter_or_an_impossible_date_is_refused() {
        none_is(
            &ItCodiceFiscale,
            &[
                "RSSMRA85T10A562T",
                "RSSMRA85Z10A562B",
                "RSSMRA85T35A562G",
                "RSSMRA85T10A56S",
                "1SSMRA85T10A562S",
            ],
        );
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("AAAAAA99A99A999A")) {
            all_are(&ItCodiceFiscale, &[&ItCodiceFiscale.with_checksum(value)]);
        }
    }
}
