//! Spanish national identity numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::number,
    shape::{fits, fits_any, repeats},
};

/// A documento nacional de identidad: up to eight digits and the letter that stands at their remainder modulo 23 in
/// `TRWAGMYFPDXBNJZSQVHLCKE` (Real Decreto 1553/2005; Ministerio del Interior, cálculo del dígito de control).
pub struct EsDni;

impl PiiType for EsDni {
    fn name(&self) -> &'static str {
        "es_dni"
    }

    fn context(&self) -> &'static [&'static str] {
        &["dni", "documento nacional", "nif", "identidad"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let forms = ["99999999A", "99999999-A", "99999999 A", "99.999.999-A", "99.999.999A", "99.999.999 A"];
        (is_dni(candidate.compact) && fits_any(candidate.written, &forms))
            .then_some(Certainty::Distinctive(0.92))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 7], is_dni)
    }
}

fn is_dni(compact: &str) -> bool {
    fits(compact, "99999999A")
        && !repeats(&compact[..8])
        && compact.ends_with(control_letter(number(&compact[..8])))
}

/// The control letter of an identity number.
pub(crate) fn control_letter(number: u64) -> char {
    char::from(b"TRWAGMYFPDXBNJZSQVHLCKE"[(number % 23) as usize])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, none_is, stand_alone};

    #[test]
    fn a_number_with_its_letter_stands_alone() {
        stand_alone(&EsDni, &["12345678Z", "87654321-X", "00000001R", "12.345.678-Z"]);
    }

    #[test]
    fn a_wrong_letter_or_length_is_refused() {
        none_is(&EsDni, &["12345678A", "1234567Z", "00000000T", "123-45678Z", "123456789"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("99999999A")) {
            all_are(&EsDni, &[&EsDni.with_checksum(value)]);
        }
    }
}
