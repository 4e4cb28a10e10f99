//! Brazilian taxpayer numbers of companies.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    shape::{fits, repeats},
};

/// A CNPJ: twelve digits or, since July 2026, letters and digits (counting as their ASCII code less 48), and two check
/// digits modulo 11 (Receita Federal, Instrução Normativa RFB 2229/2024).
pub struct BrCnpj;

impl PiiType for BrCnpj {
    fn name(&self) -> &'static str {
        "br_cnpj"
    }

    fn context(&self) -> &'static [&'static str] {
        &["cnpj", "cadastro nacional da pessoa jurídica", "inscrita no cnpj"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(14..=14)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_cnpj(candidate.compact) {
            return None;
        }
        let usual = fits(candidate.written, "XX.XXX.XXX/XXXX-99");
        Some(if usual { Certainty::Distinctive(0.97) } else { Certainty::WithContext(0.96) })
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[13, 12], is_cnpj)
    }
}

fn is_cnpj(compact: &str) -> bool {
    fits(compact, "XXXXXXXXXXXX99")
        && !repeats(compact)
        && compact.as_bytes()[12..] == [check_digit(&compact[..12]), check_digit(&compact[..13])]
}

// Weights 2 to 9 from the right, again and again.
fn check_digit(body: &str) -> u8 {
    let sum: u32 = (body.bytes().rev().zip((2..=9).cycle()))
        .map(|(byte, weight)| u32::from(byte.to_ascii_uppercase() - b'0') * weight)
        .sum();
    b'0' + (sum * 10 % 11 % 10) as u8
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_punctuated_number_stands_alone() {
        stand_alone(&BrCnpj, &["11.222.333/0001-81", "11.444.777/0001-61", "12.ABC.345/01DE-35"]);
    }

    #[test]
    fn bare_characters_need_context() {
        need_context(&BrCnpj, &["11222333000181", "12ABC34501DE35"]);
    }

    #[test]
    fn wrong_check_digits_and_repeated_digits_are_refused() {
        none_is(&BrCnpj, &["11.222.333/0001-82", "00.000.000/0000-00", "11.222.333/0001-8"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("99.999.999/9999-99")) {
            all_are(&BrCnpj, &[&BrCnpj.with_checksum(value)]);
        }
    }
}
