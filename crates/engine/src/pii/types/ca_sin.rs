//! Canadian social insurance numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, luhn},
    shape::{fits_any, is_placeholder},
};

/// A social insurance number: nine digits with Luhn's check digit; numbers that begin with 8 are business numbers (Service
/// Canada, Social Insurance Number code of practice).
pub struct CaSin;

impl PiiType for CaSin {
    fn name(&self) -> &'static str {
        "ca_sin"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "social insurance",
            "sin number",
            "sin no",
            "sin:",
            "sin #",
            "sin is",
            "my sin",
            "canadian sin",
            "assurance sociale",
            "nas:",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let forms = ["999 999 999", "999-999-999", "999999999"];
        (is_sin(candidate.compact) && fits_any(candidate.written, &forms))
            .then_some(Certainty::WithContext(0.95))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 0], is_sin)
    }
}

fn is_sin(compact: &str) -> bool {
    is_digits(compact) && !compact.starts_with('8') && !is_placeholder(compact) && luhn(compact)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn numbers_need_context() {
        need_context(&CaSin, &["046 454 286", "130-692-544", "193456787"]);
    }

    #[test]
    fn a_wrong_check_digit_or_first_digit_is_refused() {
        none_is(&CaSin, &["046 454 287", "000 000 000", "846 454 286", "04645428", "046-45-4286"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999 999 999")) {
            all_are(&CaSin, &[&CaSin.with_checksum(value)]);
        }
    }
}
