//! German identity card numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, weighted},
    shape::is_unbroken,
};

/// A serial number of the Personalausweis: nine digits and letters without vowels, alone or with the check digit that
/// weights 7, 3, 1 give (ICAO Doc 9303-3, section 4.9; BSI TR-03105).
pub struct DeIdCard;

impl PiiType for DeIdCard {
    fn name(&self) -> &'static str {
        "de_id_card"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "personalausweis",
            "ausweisnummer",
            "ausweis-nr",
            "ausweis",
            "perso",
            "identity card",
            "id card",
            "seriennummer des ausweises",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=10)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let written_as_one = is_unbroken(candidate.written);
        (written_as_one && is_card_number(candidate.compact)).then_some(Certainty::WithContext(0.9))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[9], is_card_number)
    }
}

fn is_card_number(compact: &str) -> bool {
    let (serial, check) = compact.split_at(9);
    let letters = "CFGHJKLMNPRTVWXYZ";
    compact.starts_with(|first| "LMNPRTVWXYCFGHJK".contains(first))
        && serial.chars().all(|c| c.is_ascii_digit() || letters.contains(c))
        && is_digits(check)
        && (check.is_empty() || check == (weighted(serial, &[7, 3, 1, 7, 3, 1, 7, 3, 1]) % 10).to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is};

    #[test]
    fn card_numbers_need_context() {
        need_context(&DeIdCard, &["L01X00T471", "T220001293", "L01X00T47"]);
    }

    #[test]
    fn a_wrong_check_digit_or_a_vowel_is_refused() {
        none_is(&DeIdCard, &["L01X00T472", "T220001294", "LA1X00T47", "123456789", "L01X00T4"]);
    }
}
