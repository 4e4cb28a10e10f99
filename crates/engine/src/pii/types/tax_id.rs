//! Tax numbers of businesses.

mod vat;

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, PiiType,
    check_digits::settle,
    checksum::number,
    shape::{fits, is_upper, repeats},
};

/// An American employer identification number (IRS Publication 1635, valid prefixes), or a European VAT number with its
/// country's prefix and check digits.
pub struct TaxId;

impl PiiType for TaxId {
    fn name(&self) -> &'static str {
        "tax_id"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "employer identification",
            "ein:",
            "ein number",
            "ein is",
            "fein",
            "tax id",
            "tax-id",
            "taxpayer id",
            "federal tax",
            "vat number",
            "vat no",
            "vat id",
            "vat reg",
            "vat:",
            "ust-id",
            "umsatzsteuer",
            "tva",
            "partita iva",
            "p.iva",
            "btw-nummer",
            "btw",
            "nip",
            "número de iva",
            "nif",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(9..=14)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if vat::is_vat_number(candidate.compact) {
            let upper = is_upper(candidate.written);
            return Some(if upper { Certainty::Distinctive(0.93) } else { Certainty::WithContext(0.93) });
        }
        is_employer_number(candidate).then_some(Certainty::WithContext(0.88))
    }

    fn with_checksum(&self, value: String) -> String {
        let length = value.chars().filter(char::is_ascii_alphanumeric).count();
        settle(value, &[length.saturating_sub(1), length.saturating_sub(2)], vat::is_vat_number)
    }
}

// Prefixes that no campus of the IRS gives out.
const NEVER: [u64; 17] = [0, 7, 8, 9, 17, 18, 19, 28, 29, 49, 69, 70, 78, 79, 89, 96, 97];

fn is_employer_number(candidate: &Candidate<'_>) -> bool {
    let usual = fits(candidate.written, "99-9999999") || fits(candidate.written, "999999999");
    usual && !repeats(candidate.compact) && !NEVER.contains(&number(&candidate.compact[..2]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is, stand_alone};

    #[test]
    fn employer_numbers_need_context() {
        need_context(&TaxId, &["12-3456789", "911646860", "94-2404110"]);
    }

    #[test]
    fn a_vat_number_stands_alone() {
        stand_alone(&TaxId, &["DE136695976", "ATU13585627", "FR 40 303265045"]);
    }

    #[test]
    fn a_wrong_check_digit_prefix_or_form_is_refused() {
        none_is(&TaxId, &["DE136695977", "07-3456789", "123-456789", "00-0000000", "XX136695976"]);
    }
}
