//! Australian tax file numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, weighted},
    shape::repeats,
};

/// A tax file number: eight or nine digits whose weighted sum is a multiple of 11 (Australian Taxation Office, TFN
/// algorithm).
pub struct AuTfn;

impl PiiType for AuTfn {
    fn name(&self) -> &'static str {
        "au_tfn"
    }

    fn context(&self) -> &'static [&'static str] {
        &["tfn", "tax file", "tax file number"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(8..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_tfn(candidate.compact).then_some(Certainty::WithContext(0.95))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[7, 6, 5], is_tfn)
    }
}

fn is_tfn(compact: &str) -> bool {
    let weights: &[u32] =
        if compact.len() == 9 { &[1, 4, 3, 7, 5, 8, 6, 9, 10] } else { &[10, 7, 8, 4, 6, 3, 5, 1] };
    is_digits(compact) && !repeats(compact) && weighted(compact, weights).is_multiple_of(11)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn numbers_need_context() {
        need_context(&AuTfn, &["123 456 782", "876543210", "37 118 629"]);
    }

    #[test]
    fn a_number_with_another_sum_is_refused() {
        none_is(&AuTfn, &["123 456 783", "111 111 111", "1234567"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999 999 999")) {
            all_are(&AuTfn, &[&AuTfn.with_checksum(value)]);
        }
    }
}
