//! Dutch citizen service numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, weighted},
    shape::is_placeholder,
};

/// A burgerservicenummer: nine digits that pass the elfproef with weights 9 to 2 and -1 (Logisch Ontwerp BSN).
pub struct NlBsn;

impl PiiType for NlBsn {
    fn name(&self) -> &'static str {
        "nl_bsn"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "bsn",
            "burgerservicenummer",
            "sofinummer",
            "sofi-nummer",
            "citizen service number",
            "burger service nummer",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_bsn(candidate.compact).then_some(Certainty::WithContext(0.95))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 7, 0], is_bsn)
    }
}

fn is_bsn(compact: &str) -> bool {
    // -1 is 10 modulo 11.
    is_digits(compact)
        && !is_placeholder(compact)
        && !compact.starts_with("00")
        && weighted(compact, &[9, 8, 7, 6, 5, 4, 3, 2, 10]).is_multiple_of(11)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn numbers_need_context() {
        need_context(&NlBsn, &["111222333", "123456782", "1234.56.782"]);
    }

    #[test]
    fn a_number_that_fails_the_test_of_eleven_is_refused() {
        none_is(&NlBsn, &["111222334", "123456789", "000000000", "12345678"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999999999")) {
            all_are(&NlBsn, &[&NlBsn.with_checksum(value)]);
        }
    }
}
