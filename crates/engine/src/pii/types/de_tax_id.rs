//! German tax identification numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::{compact, settle, written_like},
    checksum::{is_digits, mod_11_10},
};

/// A Steuer-Identifikationsnummer: eleven digits, the last by ISO/IEC 7064 MOD 11,10; of the first ten one occurs two or
/// three times (never three in a row) and the others at most once (§ 139b AO, § 1 StIdV).
pub struct DeTaxId;

impl PiiType for DeTaxId {
    fn name(&self) -> &'static str {
        "de_tax_id"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "steuer-id",
            "steuer id",
            "steueridentifikationsnummer",
            "steuer-identifikationsnummer",
            "identifikationsnummer",
            "idnr",
            "steuer-idnr",
            "steuernummer",
            "steuerliche",
            "german tax",
            "tax id",
            "tax identification",
            "tin",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(11..=11)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        is_tax_id(candidate.compact).then_some(Certainty::WithContext(0.97))
    }

    fn with_checksum(&self, value: String) -> String {
        let mut digits = compact(&value);
        if let Some(body) = digits.get_mut(..10) {
            repeat_one_digit(body);
        }
        settle(written_like(&value, &digits), &[10], is_tax_id)
    }
}

fn is_tax_id(compact: &str) -> bool {
    is_digits(compact) && !compact.starts_with('0') && mod_11_10(compact) && repeats_one_digit(&compact[..10])
}

// Makes the first nine differ and the tenth one of them.
fn repeat_one_digit(body: &mut [u8]) {
    body[0] = body[0].max(b'1');
    for place in 1..9 {
        while body[..place].contains(&body[place]) {
            body[place] = if body[place] == b'9' { b'0' } else { body[place] + 1 };
        }
    }
    if !body[..9].contains(&body[9]) {
        body[9] = body[0];
    }
}

fn repeats_one_digit(digits: &str) -> bool {
    let times = |digit: u8| digits.bytes().filter(|&byte| byte == digit).count();
    let mut repeated = (b'0'..=b'9').map(times).filter(|&times| times > 1);
    let once = matches!(repeated.next(), Some(2 | 3)) && repeated.next().is_none();
    once && !digits.as_bytes().windows(3).any(|row| row[0] == row[1] && row[1] == row[2])
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is};

    #[test]
    fn tax_ids_need_context() {
        need_context(&DeTaxId, &["86095742719", "47 036 892 816", "65 929 970 489"]);
    }

    #[test]
    fn a_wrong_check_digit_a_leading_zero_or_wrong_repetition_is_refused() {
        none_is(&DeTaxId, &["86095742718", "01234567890", "12345678903", "11145678903", "8609574271"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("99 999 999 999")) {
            all_are(&DeTaxId, &[&DeTaxId.with_checksum(value)]);
        }
    }
}
