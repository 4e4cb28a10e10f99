//! Polish population register numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, number, weighted},
    shape::is_date,
};

/// A PESEL: date of birth (the century added to the month), order and a check digit with weights 1, 3, 7, 9 (Ustawa o
/// ewidencji ludności, art. 15).
pub struct PlPesel;

impl PiiType for PlPesel {
    fn name(&self) -> &'static str {
        "pl_pesel"
    }

    fn context(&self) -> &'static [&'static str] {
        &["pesel", "ewidencyjny", "numer ewidencyjny"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(11..=11)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_pesel(candidate.compact).then_some(Certainty::WithContext(0.98))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(settle(value, &[5, 4, 3, 2], holds_a_birthday), &[10], is_pesel)
    }
}

fn is_pesel(compact: &str) -> bool {
    is_digits(compact)
        && weighted(compact, &[1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]).is_multiple_of(10)
        && holds_a_birthday(compact)
}

fn holds_a_birthday(compact: &str) -> bool {
    let [year, month, day] = [0, 2, 4].map(|from| number(&compact[from..from + 2]) as u32);
    let century = [1900, 2000, 2100, 2200, 1800].get((month / 20) as usize);
    century.is_some_and(|century| is_date(century + year, month % 20, day))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn numbers_need_context() {
        need_context(&PlPesel, &["44051401359", "02070803628", "92060512186"]);
    }

    #[test]
    fn a_wrong_check_digit_or_an_impossible_date_is_refused() {
        none_is(&PlPesel, &["44051401358", "44131401350", "4405140135", "44023101353"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("99999999999")) {
            all_are(&PlPesel, &[&PlPesel.with_checksum(value)]);
        }
    }
}
