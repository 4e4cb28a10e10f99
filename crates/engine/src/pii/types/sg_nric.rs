//! Singaporean identity and foreign identification numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::weighted,
    shape::{fits, is_unbroken, is_upper},
};

/// An NRIC or FIN: S, T, F, G or M, seven digits and a check letter (Immigration & Checkpoints Authority; the algorithm is
/// not official but long known, Ngiam Shih Tung 2007; series M since 2022).
pub struct SgNric;

impl PiiType for SgNric {
    fn name(&self) -> &'static str {
        "sg_nric"
    }

    fn context(&self) -> &'static [&'static str] {
        &["nric", "fin number", "fin no", "identity card", "singapore"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_nric(candidate.compact) || !is_unbroken(candidate.written) {
            return None;
        }
        Some(if is_upper(candidate.written) {
            Certainty::Distinctive(0.93)
        } else {
            Certainty::WithContext(0.93)
        })
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 0], is_nric)
    }
}

fn is_nric(compact: &str) -> bool {
    if !fits(compact, "A9999999A") {
        return false;
    }
    let (added, letters) = match &compact[..1] {
        "S" => (0, b"JZIHGFEDCBA"),
        "T" => (4, b"JZIHGFEDCBA"),
        "F" => (0, b"XWUTRQPNMLK"),
        "G" => (4, b"XWUTRQPNMLK"),
        "M" => (3, b"XWUTRQPNJLK"),
        _ => return false,
    };
    let sum = added + weighted(&compact[1..8], &[2, 7, 6, 5, 4, 3, 2]);
    compact.as_bytes()[8] == letters[(sum % 11) as usize]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_number_stands_alone() {
        stand_alone(&SgNric, &["S1234567D", "F1234567N", "G1234567X", "M1234567K", "T1234567J"]);
    }

    #[test]
    fn in_lower_case_it_needs_context() {
        need_context(&SgNric, &["s1234567d"]);
    }

    #[test]
    fn a_wrong_check_letter_or_series_is_refused() {
        none_is(&SgNric, &["S1234567A", "A1234567D", "S123456D", "S12345678"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("A9999999A")) {
            all_are(&SgNric, &[&SgNric.with_checksum(value)]);
        }
    }
}
