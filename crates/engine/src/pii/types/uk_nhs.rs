//! NHS numbers of England, Wales and the Isle of Man.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, weighted},
    shape::is_placeholder,
};

/// An NHS number: ten digits, the last a check digit modulo 11 (NHS Data Model and Dictionary, NHS NUMBER).
pub struct UkNhs;

impl PiiType for UkNhs {
    fn name(&self) -> &'static str {
        "uk_nhs"
    }

    fn context(&self) -> &'static [&'static str] {
        &["nhs", "national health service", "nhs number", "nhs no"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(10..=10)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_nhs_number(candidate.compact).then_some(Certainty::WithContext(0.95))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[9, 8], is_nhs_number)
    }
}

fn is_nhs_number(compact: &str) -> bool {
    is_digits(compact)
        && !is_placeholder(compact)
        && weighted(compact, &[10, 9, 8, 7, 6, 5, 4, 3, 2, 1]).is_multiple_of(11)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn nhs_numbers_need_context() {
        need_context(&UkNhs, &["943 476 5919", "9434765919", "401-023-2137"]);
    }

    #[test]
    fn a_number_with_a_wrong_check_digit_or_length_is_no_nhs_number() {
        none_is(&UkNhs, &["943 476 5918", "943 476 591", "1111111111", "A434765919"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999 999 9999")) {
            all_are(&UkNhs, &[&UkNhs.with_checksum(value)]);
        }
    }
}
