//! Brazilian taxpayer numbers of people.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::{is_digits, weighted},
    shape::{fits_any, repeats},
};

/// A CPF: nine digits and two check digits modulo 11 (Receita Federal, Instrução Normativa RFB 2172/2024).
pub struct BrCpf;

impl PiiType for BrCpf {
    fn name(&self) -> &'static str {
        "br_cpf"
    }

    fn context(&self) -> &'static [&'static str] {
        &["cpf", "cadastro de pessoa", "cadastro de pessoas", "contribuinte"]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(11..=11)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_cpf(candidate.compact) {
            return None;
        }
        let usual = fits_any(candidate.written, &["999.999.999-99", "999999999-99"]);
        Some(if usual { Certainty::Distinctive(0.96) } else { Certainty::WithContext(0.96) })
    }

    fn with_checksum(&self, value: String) -> String {
        settle(value, &[10, 9, 8], is_cpf)
    }
}

const WEIGHTS: [u32; 10] = [11, 10, 9, 8, 7, 6, 5, 4, 3, 2];

fn is_cpf(compact: &str) -> bool {
    let check = |digits: usize| weighted(&compact[..digits], &WEIGHTS[10 - digits..]) * 10 % 11 % 10;
    is_digits(compact) && !repeats(compact) && compact[9..] == format!("{}{}", check(9), check(10))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::pii::test_support::{all_are, any_like, need_context, none_is, stand_alone};

    #[test]
    fn a_punctuated_number_stands_alone() {
        stand_alone(&BrCpf, &["529.982.247-25", "111.444.777-35", "123456789-09"]);
    }

    #[test]
    fn bare_digits_need_context() {
        need_context(&BrCpf, &["52998224725"]);
    }

    #[test]
    fn wrong_check_digits_and_repeated_digits_are_refused() {
        none_is(&BrCpf, &["529.982.247-26", "111.111.111-11", "529.982.247-2"]);
    }

    proptest! {
        #[test]
        fn a_replacement_gets_check_digits_that_hold(value in any_like("999.999.999-99")) {
            all_are(&BrCpf, &[&BrCpf.with_checksum(value)]);
        }
    }
}
