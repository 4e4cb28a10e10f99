//! Spanish identity numbers of foreigners.

use std::ops::RangeInclusive;

use super::es_dni::control_letter;
use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::number,
    shape::{fits, fits_any},
};

/// A número de identidad de extranjero: X, Y or Z (counting as 0, 1, 2), seven digits and the letter of the DNI (Orden
/// INT/2058/2008).
pub struct EsNie;

impl PiiType for EsNie {
    fn name(&self) -> &'static str {
        "es_nie"
    }

    fn context(&self) -> &'static [&'static str] {
        &["nie", "extranjero", "identidad de extranjero"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let forms = ["A9999999A", "A-9999999-A", "A-9999999A", "A9999999-A", "A 9999999 A"];
        (is_nie(candidate.compact) && fits_any(candidate.written, &forms))
            .then_some(Certainty::Distinctive(0.92))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 0], is_nie)
    }
}

fn is_nie(compact: &str) -> bool {
    if !fits(compact, "A9999999A") {
        return false;
    }
    let series = match &compact[..1] {
        "X" => 0,
        "Y" => 1,
        "Z" => 2,
        _ => return false,
    };
    compact.ends_with(control_letter(series * 10_000_000 + number(&compact[1..8])))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, none_is, stand_alone};

    #[test]
    fn a_number_with_its_letter_stands_alone() {
        stand_alone(&EsNie, &["X1234567L", "Y-1234567-X", "Z1234567R"]);
    }

    #[test]
    fn a_wrong_letter_or_prefix_is_refused() {
        none_is(&EsNie, &["X1234567A", "W1234567L", "X123456L", "12345678Z"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("A9999999A")) {
            all_are(&EsNie, &[&EsNie.with_checksum(value)]);
        }
    }
}
