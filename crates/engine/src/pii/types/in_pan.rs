//! Indian permanent account numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    shape::{fits, is_unbroken, is_upper},
};

/// A PAN: five letters, the fourth the class of holder, four digits and a letter (Income Tax Department of India, rule 114).
/// How its last letter is computed is not public.
pub struct InPan;

impl PiiType for InPan {
    fn name(&self) -> &'static str {
        "in_pan"
    }

    fn context(&self) -> &'static [&'static str] {
        &["pan", "pan card", "permanent account number", "income tax", "पैन"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(10..=10)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_pan(candidate.compact) || !is_unbroken(candidate.written) {
            return None;
        }
        Some(if is_upper(candidate.written) {
            Certainty::Distinctive(0.88)
        } else {
            Certainty::WithContext(0.85)
        })
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[3, 8], is_pan)
    }
}

fn is_pan(compact: &str) -> bool {
    fits(compact, "AAAAA9999A") && "ABCFGHJLPT".contains(&compact[3..4]) && &compact[5..9] != "0000"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_number_stands_alone() {
        stand_alone(&InPan, &["ABCPE1234F", "AAACT2727Q", "BNZPM2501F"]);
    }

    #[test]
    fn in_lower_case_it_needs_context() {
        need_context(&InPan, &["abcpe1234f"]);
    }

    #[test]
    fn another_class_of_holder_or_length_is_refused() {
        none_is(&InPan, &["ABCDE1234F", "ABCPE123F", "ABCPE0000F", "ABCP E1234F"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("AAAAA9999A")) {
            all_are(&InPan, &[&InPan.with_checksum(value)]);
        }
    }
}
