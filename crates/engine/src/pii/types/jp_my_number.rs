//! Japanese individual numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, number, weighted},
    shape::repeats,
};

/// A My Number: eleven digits and a check digit modulo 11 (Ministry of Internal Affairs and Communications, order 85 of
/// 2014, article 5).
pub struct JpMyNumber;

impl PiiType for JpMyNumber {
    fn name(&self) -> &'static str {
        "jp_my_number"
    }

    fn context(&self) -> &'static [&'static str] {
        &["my number", "mynumber", "マイナンバー", "個人番号", "kojin bango"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(12..=12)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_my_number(candidate.compact).then_some(Certainty::WithContext(0.96))
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[11], is_my_number)
    }
}

fn is_my_number(compact: &str) -> bool {
    let rest = weighted(&compact[..11], &[6, 5, 4, 3, 2, 7, 6, 5, 4, 3, 2]) % 11;
    let check = if rest <= 1 { 0 } else { 11 - rest };
    is_digits(compact) && !repeats(compact) && number(&compact[11..]) == u64::from(check)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn numbers_need_context() {
        need_context(&JpMyNumber, &["123456789018", "1234 5678 9018", "987654321093"]);
    }

    #[test]
    fn a_wrong_check_digit_or_length_is_refused() {
        none_is(&JpMyNumber, &["123456789012", "000000000000", "12345678901"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("9999 9999 9999")) {
            all_are(&JpMyNumber, &[&JpMyNumber.with_checksum(value)]);
        }
    }
}
