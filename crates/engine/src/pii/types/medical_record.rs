//! Medical record numbers and prescriber identifiers.

mod prescriber;

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, Match, PiiType, Scanner,
    checksum::number,
    labelled::{Field, Kind},
    shape::{fits, fits_any, identifier, is_date, is_placeholder, is_unbroken},
    tables::Column,
};

/// A medical record or patient number, whose form each hospital chooses, so it needs context or the letters MRN; or,
/// named as such, a prescriber's NPI or DEA number with its checksum.
pub struct MedicalRecord;

impl PiiType for MedicalRecord {
    fn name(&self) -> &'static str {
        "medical_record"
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(5..=14)
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        let span = field.value.span;
        let is_one = field.kind == Kind::MedicalRecord && identifier(span.of(scan.text), 5..=16);
        is_one.then_some(Match { span, confidence: 0.87 })
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let digits = candidate.compact.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let letters = &candidate.compact[..candidate.compact.len() - digits.len()];
        if letters.len() > 4 || !(5..=11).contains(&digits.len()) || is_placeholder(digits) || is_day(digits)
        {
            return None;
        }
        let numbers = digits.bytes().all(|byte| byte.is_ascii_digit());
        match letters {
            _ if !numbers || !is_record(candidate.written, letters.len()) => None,
            "MRN" => Some(Certainty::Distinctive(0.92)),
            _ => Some(Certainty::WithContext(0.85)),
        }
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let listed =
            scan.cells_of(Column::MedicalRecord).filter(|span| identifier(span.of(scan.text), 5..=16));
        found.extend(listed.map(|span| Match { span, confidence: 0.85 }));
        prescriber::find(scan.text, found);
    }

    fn with_checksum(&self, value: String) -> String {
        prescriber::with_check_digit(value)
    }
}

// Unbroken but for one separator between letters and digits, or grouped like a telephone number.
fn is_record(written: &str, letters: usize) -> bool {
    let digits = written[letters..].trim_start_matches(['-', ' ']);
    let separated = written.len() - letters - digits.len();
    let grouped =
        letters == 0 && fits_any(written, &["999-999-9999", "999-9999-9999", "999-999-999", "99-99-99-99"]);
    grouped || separated <= usize::from(letters > 0) && is_unbroken(digits)
}

fn is_day(digits: &str) -> bool {
    let part = |from: usize, to: usize| number(&digits[from..to]) as u32;
    fits(digits, "99999999") && matches!(part(0, 2), 19 | 20) && is_date(part(0, 4), part(4, 6), part(6, 8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is, stand_alone};

    #[test]
    fn a_number_that_calls_itself_a_record_number_stands_alone() {
        stand_alone(&MedicalRecord, &["MRN-780498", "MRN7804981", "mrn 780498"]);
    }

    #[test]
    fn other_numbers_need_context() {
        need_context(&MedicalRecord, &["4309634", "H1905301", "MED24535084", "847-293-1056"]);
    }

    #[test]
    fn dates_placeholders_and_odd_lengths_are_no_records() {
        none_is(&MedicalRecord, &["20260514", "2026-05-14", "0000000", "MRN-123", "ABCDE12345", "12A45678"]);
    }
}
