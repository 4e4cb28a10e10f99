//! US Social Security numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    shape::{fits, fits_any, repeats},
};

/// A Social Security number: area, group and serial number (Social Security Administration, POMS RM 10201.030). There
/// is no check digit; areas 000, 666 and 900 to 999, group 00 and serial 0000 are never given out.
pub struct UsSsn;

impl PiiType for UsSsn {
    fn name(&self) -> &'static str {
        "us_ssn"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "ssn",
            "social security",
            "social-security",
            "social number",
            "my social",
            "soc sec",
            "socialnum",
            "social num",
            "social no",
            "ss number",
            "ss#",
            "seguro social",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let forms = ["999-99-9999", "999.99.9999", "999 99 9999", "999999999"];
        if !is_ssn(candidate.compact) || !fits_any(candidate.written, &forms) {
            return None;
        }
        Some(match candidate.written.as_bytes() {
            [_, _, _, b'-', _, _, b'-', ..] => Certainty::Distinctive(0.92),
            [_, _, _, b'.', _, _, b'.', ..] => Certainty::Distinctive(0.75),
            _ => Certainty::WithContext(0.9),
        })
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[8, 4, 0, 1], is_ssn)
    }
}

fn is_ssn(compact: &str) -> bool {
    fits(compact, "999999999")
        && !repeats(compact)
        && !["000", "666"].contains(&&compact[..3])
        && !compact.starts_with('9')
        && &compact[3..5] != "00"
        && &compact[5..] != "0000"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_hyphenated_number_stands_alone() {
        stand_alone(&UsSsn, &["219-09-9999", "078-05-1120", "123-45-6789", "516.64.7526"]);
    }

    #[test]
    fn bare_digits_need_context() {
        need_context(&UsSsn, &["219099999", "219 09 9999"]);
    }

    #[test]
    fn areas_groups_and_serials_never_given_out_are_refused() {
        none_is(
            &UsSsn,
            &[
                "000-12-3456",
                "666-12-3456",
                "912-34-5678",
                "219-00-9999",
                "219-09-0000",
                "111-11-1111",
                "219-099-999",
                "21909999",
            ],
        );
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999-99-9999")) {
            all_are(&UsSsn, &[&UsSsn.with_checksum(value)]);
        }
    }
}
