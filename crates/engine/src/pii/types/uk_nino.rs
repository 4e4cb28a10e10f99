//! National Insurance numbers of the United Kingdom.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    shape::{fits, fits_any, is_upper},
};

/// A National Insurance number: two letters, six digits and a letter from A to D (HMRC, National Insurance Manual
/// NIM39110). There is no check digit; prefixes that are never given out are refused.
pub struct UkNino;

impl PiiType for UkNino {
    fn name(&self) -> &'static str {
        "uk_nino"
    }

    fn context(&self) -> &'static [&'static str] {
        &["national insurance", "nino", "ni number", "ni no", "insurance number"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=9)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_nino(candidate.compact) {
            return None;
        }
        let usual =
            fits_any(candidate.written, &["AA999999A", "AA 99 99 99 A", "AA-99-99-99-A", "AA 999999 A"]);
        let distinctive = usual && is_upper(candidate.written);
        Some(if distinctive { Certainty::Distinctive(0.92) } else { Certainty::WithContext(0.9) })
    }
}

fn is_nino(compact: &str) -> bool {
    let never = ["BG", "GB", "KN", "NK", "NT", "TN", "ZZ"];
    fits(compact, "AA999999A")
        && !never.contains(&&compact[..2])
        && !compact[..2].contains(['D', 'F', 'I', 'Q', 'U', 'V'])
        && !compact[1..].starts_with('O')
        && compact.ends_with(['A', 'B', 'C', 'D'])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is, stand_alone};

    #[test]
    fn a_national_insurance_number_stands_alone() {
        stand_alone(&UkNino, &["AB123456C", "JG 10 37 59 A", "AA 123456 B"]);
    }

    #[test]
    fn in_lower_case_it_needs_context() {
        need_context(&UkNino, &["ab123456c"]);
    }

    #[test]
    fn prefixes_and_suffixes_never_given_out_are_refused() {
        none_is(&UkNino, &["QQ123456C", "BG123456A", "AO123456A", "AB123456E", "ZZ 687219 T", "AB12345C"]);
    }
}
