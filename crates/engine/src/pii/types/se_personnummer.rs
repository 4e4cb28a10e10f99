//! Swedish personal identity numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, luhn, number},
    shape::{fits, is_date},
};

/// A personnummer or samordningsnummer: date of birth (60 added to the day of a coordination number), three digits and
/// Luhn's check digit over the last ten (Folkbokföringslag 1991:481, § 18; Skatteverket SKV 704).
pub struct SePersonnummer;

impl PiiType for SePersonnummer {
    fn name(&self) -> &'static str {
        "se_personnummer"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "personnummer",
            "personnr",
            "pnr",
            "samordningsnummer",
            "swedish personal",
            "personal identity number",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(10..=12)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_personnummer(candidate.compact) {
            return None;
        }
        match candidate.written {
            written if fits(written, "999999-9999") => Some(Certainty::Distinctive(0.88)),
            // Later years look like a day and a time of day in the name of a file.
            written if fits(written, "99999999-9999") && written.starts_with("19") => {
                Some(Certainty::Distinctive(0.95))
            }
            written if written.len() >= 10 => Some(Certainty::WithContext(0.95)),
            _ => None,
        }
    }

    fn with_checksum(&self, value: String) -> String {
        let birthday = value.chars().filter(char::is_ascii_digit).count().saturating_sub(10);
        let places = [5, 4, 3, 2].map(|place| birthday + place);
        let dated = settle(settle(value, &[0, 1][..birthday.min(2)], has_century), &places, holds_a_birthday);
        settle(dated, &[birthday + 9], is_personnummer)
    }
}

fn is_personnummer(compact: &str) -> bool {
    is_digits(compact)
        && compact.len() != 11
        && has_century(compact)
        && luhn(&compact[compact.len() - 10..])
        && holds_a_birthday(compact)
}

fn has_century(compact: &str) -> bool {
    compact.len() == 10 || matches!(&compact[..2], "18" | "19" | "20")
}

fn holds_a_birthday(compact: &str) -> bool {
    let short = &compact[compact.len().saturating_sub(10)..];
    let [year, month, day] = [0, 2, 4].map(|from| number(&short[from..from + 2]) as u32);
    let century = if compact.len() == 12 { number(&compact[..2]) as u32 * 100 } else { 2000 };
    is_date(century + year, month, if day > 60 { day - 60 } else { day })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_number_with_its_hyphen_stands_alone() {
        stand_alone(&SePersonnummer, &["811228-9874", "670919-9530", "19811228-9874"]);
    }

    #[test]
    fn bare_digits_need_context() {
        need_context(&SePersonnummer, &["8112289874", "198112289874"]);
    }

    #[test]
    fn a_wrong_check_digit_or_an_impossible_date_is_refused() {
        none_is(
            &SePersonnummer,
            &["811228-9873", "811328-9873", "81122-9874", "811299-9878", "171811289874"],
        );
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("99999999-9999")) {
            all_are(&SePersonnummer, &[&SePersonnummer.with_checksum(value)]);
        }
    }
}
