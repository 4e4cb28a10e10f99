//! French social security numbers.

use std::ops::RangeInclusive;

use crate::pii::{Candidate, Certainty, PiiType, check_digits::settle, checksum::number, shape::fits};

/// A numéro d'inscription au répertoire (NIR): sex, year, month, department and commune of birth, order and a key of 97
/// less the remainder modulo 97; 2A and 2B (Corsica) count as 19 and 18 (décret 82-103; INSEE, NIR).
pub struct FrNir;

impl PiiType for FrNir {
    fn name(&self) -> &'static str {
        "fr_nir"
    }

    fn context(&self) -> &'static [&'static str] {
        &["sécurité sociale", "securite sociale", "numéro de sécu", "nir", "insee", "carte vitale", "n° ss"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(15..=15)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_nir(candidate.compact).then_some(Certainty::Distinctive(0.95))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(settle(value, &[0, 3, 4, 6], is_plausible), &[14, 13], is_nir)
    }
}

fn is_nir(compact: &str) -> bool {
    if !fits(compact, "999999X99999999") || !is_plausible(compact) {
        return false;
    }
    let body = compact[..13].replace("2A", "19").replace("2B", "18");
    fits(&body, "9999999999999") && number(&compact[13..]) == 97 - number(&body) % 97
}

// Sex, month (pseudo-months stand for dates unknown) and department.
fn is_plausible(compact: &str) -> bool {
    matches!(&compact[..1], "1" | "2" | "3" | "4" | "7" | "8")
        && matches!(number(&compact[3..5]), 1..=12 | 20..=42 | 50..=99)
        && &compact[5..7] != "00"
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, none_is, stand_alone};

    #[test]
    fn a_number_stands_alone() {
        stand_alone(
            &FrNir,
            &[
                "2 69 05 49 588 157 80",
                "269054958815780",
                "255081416802538",
                "2 69 05 2A 588 157 17",
                "1 51 02 46 102 043 25",
            ],
        );
    }

    #[test]
    fn a_wrong_key_month_or_department_is_refused() {
        none_is(
            &FrNir,
            &["269054958815781", "269134958815714", "569054958815727", "269050058815745", "26905495881578"],
        );
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("9 99 99 99 999 999 99")) {
            all_are(&FrNir, &[&FrNir.with_checksum(value)]);
        }
    }
}
