//! Indian Aadhaar numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, verhoeff},
    shape::{fits, is_placeholder},
};

/// An Aadhaar number: twelve digits, the first 2 to 9, the last by Verhoeff (UIDAI, UID Numbering Scheme).
pub struct InAadhaar;

impl PiiType for InAadhaar {
    fn name(&self) -> &'static str {
        "in_aadhaar"
    }

    fn context(&self) -> &'static [&'static str] {
        &["aadhaar", "aadhar", "adhaar", "uidai", "uid number", "आधार", "ஆதார்", "ఆధార్", "আধার"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(12..=12)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_aadhaar(candidate.compact) {
            return None;
        }
        match candidate.written {
            written if fits(written, "9999 9999 9999") || fits(written, "9999-9999-9999") => {
                Some(Certainty::Distinctive(0.88))
            }
            _ => Some(Certainty::WithContext(0.96)),
        }
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[11, 0], is_aadhaar)
    }
}

fn is_aadhaar(compact: &str) -> bool {
    is_digits(compact) && !compact.starts_with(['0', '1']) && !is_placeholder(compact) && verhoeff(compact)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_grouped_number_stands_alone() {
        stand_alone(&InAadhaar, &["2341 2341 2346", "4991-1866-5246"]);
    }

    #[test]
    fn bare_digits_need_context() {
        need_context(&InAadhaar, &["234123412346", "499118665246"]);
    }

    #[test]
    fn a_wrong_check_digit_or_first_digit_is_refused() {
        none_is(&InAadhaar, &["2341 2341 2347", "1341 2341 2346", "0000 0000 0000", "2341 2341 234"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("9999 9999 9999")) {
            all_are(&InAadhaar, &[&InAadhaar.with_checksum(value)]);
        }
    }
}
