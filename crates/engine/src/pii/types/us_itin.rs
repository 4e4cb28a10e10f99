//! US individual taxpayer identification numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::number,
    shape::{fits, repeats},
};

/// An ITIN: written like a Social Security number, beginning with 9, the fourth and fifth digit 50 to 65, 70 to 88, 90
/// to 92 or 94 to 99 (IRS, Internal Revenue Manual 3.21.263). There is no check digit.
pub struct UsItin;

impl PiiType for UsItin {
    fn name(&self) -> &'static str {
        "us_itin"
    }

    fn context(&self) -> &'static [&'static str] {
        &["itin", "individual taxpayer", "taxpayer identification", "tax id", "ssn"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_itin(candidate.compact) {
            return None;
        }
        match candidate.written {
            written if fits(written, "999-99-9999") => Some(Certainty::Distinctive(0.9)),
            written if fits(written, "999 99 9999") || fits(written, "999999999") => {
                Some(Certainty::WithContext(0.85))
            }
            _ => None,
        }
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[4, 3, 0], is_itin)
    }
}

fn is_itin(compact: &str) -> bool {
    fits(compact, "999999999")
        && compact.starts_with('9')
        && !repeats(compact)
        && matches!(number(&compact[3..5]), 50..=65 | 70..=88 | 90..=92 | 94..=99)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_hyphenated_number_stands_alone() {
        stand_alone(&UsItin, &["912-70-1234", "900-50-0001", "999-99-1234"]);
    }

    #[test]
    fn bare_digits_need_context() {
        need_context(&UsItin, &["912701234", "912 70 1234"]);
    }

    #[test]
    fn numbers_outside_the_ranges_given_out_are_refused() {
        none_is(&UsItin, &["812-70-1234", "912-66-1234", "912-93-1234", "999-99-9999", "91270123"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999-99-9999")) {
            all_are(&UsItin, &[&UsItin.with_checksum(value)]);
        }
    }
}
