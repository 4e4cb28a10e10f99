//! Australian Medicare card numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, number, weighted},
};

/// A Medicare number: eight digits, the first 2 to 6, a check digit with weights 1, 3, 7, 9, the issue number and, when
/// written, the holder's place on the card (Services Australia, Medicare card number).
pub struct AuMedicare;

impl PiiType for AuMedicare {
    fn name(&self) -> &'static str {
        "au_medicare"
    }

    fn context(&self) -> &'static [&'static str] {
        &["medicare", "medicare card", "medicare number"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(10..=11)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_medicare(candidate.compact).then_some(Certainty::WithContext(0.95))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 9, 0], is_medicare)
    }
}

fn is_medicare(compact: &str) -> bool {
    is_digits(compact)
        && compact.starts_with(['2', '3', '4', '5', '6'])
        && u64::from(weighted(compact, &[1, 3, 7, 9, 1, 3, 7, 9]) % 10) == number(&compact[8..9])
        && !compact[9..].contains('0')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn numbers_need_context() {
        need_context(&AuMedicare, &["2123 45670 1", "2123456701", "2123 45670 1 1"]);
    }

    #[test]
    fn a_wrong_check_digit_or_first_digit_is_refused() {
        none_is(&AuMedicare, &["2123 45671 1", "7123 45670 1", "2123 45670 0", "212345670"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("9999 99999 9")) {
            all_are(&AuMedicare, &[&AuMedicare.with_checksum(value)]);
        }
    }
}
