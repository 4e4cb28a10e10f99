//! Driver's license numbers.

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, Match, PiiType, Scanner,
    checksum::{is_digits, number},
    labelled::{Field, Kind},
    shape::{fits, fits_any, identifier, is_date, is_placeholder, is_unbroken, is_upper},
    tables::Column,
};

/// A driving licence number. A British one is distinctive: surname, date of birth and initials in sixteen characters
/// (DVLA, driver number). The forms of other issuers (AAMVA's list for the United States and Canada, the Kraftfahrt-
/// Bundesamt's for Germany) are plain enough to need context.
pub struct DriverLicense;

impl PiiType for DriverLicense {
    fn name(&self) -> &'static str {
        "driver_license"
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(7..=18)
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        let span = field.value.span;
        let is_one = field.kind == Kind::DriverLicense && identifier(span.of(scan.text), 5..=18);
        is_one.then_some(Match { span, confidence: 0.85 })
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let listed =
            scan.cells_of(Column::DriverLicense).filter(|span| identifier(span.of(scan.text), 5..=18));
        found.extend(listed.map(|span| Match { span, confidence: 0.85 }));
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if is_british(candidate.compact) && is_upper(candidate.written) {
            return Some(Certainty::Distinctive(0.95));
        }
        is_plain(candidate).then_some(Certainty::WithContext(0.8))
    }
}

// Surname filled up with 9, decade, month (50 added for women), day, year, initials, three more.
fn is_british(compact: &str) -> bool {
    if compact.len() > 18 || !matches!(compact.get(..16), Some(head) if fits(head, "XXXXX999999XX9AA")) {
        return false;
    }
    let name = compact[..5].trim_end_matches('9');
    let month = number(&compact[6..8]) as u32 % 50;
    !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphabetic())
        && compact.as_bytes()[11].is_ascii_alphabetic()
        && is_date(2000, month, number(&compact[8..10]) as u32)
}

// Up to three letters and at least five digits, unbroken or in the few groupings that issuers use.
fn is_plain(candidate: &Candidate<'_>) -> bool {
    let grouped =
        ["999 999 999", "A999-9999-9999", "A999-999-99-999-9", "A999-999-999-999", "A9999-99999-99999"];
    let digits = candidate.compact.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let letters = candidate.compact.len() - digits.len();
    let german = fits(candidate.written, "X999XXXXX9X") && is_upper(candidate.written);
    let plain = is_unbroken(candidate.written) || fits_any(candidate.written, &grouped);
    german
        || plain
            && letters <= 3
            && (5..=14).contains(&digits.len())
            && is_digits(digits)
            && !is_placeholder(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is, stand_alone};

    #[test]
    fn a_british_number_stands_alone() {
        stand_alone(&DriverLicense, &["MORGA657054SM9IJ", "MORGA657054SM9IJ35", "LEE99802155J99AB"]);
    }

    #[test]
    fn plain_numbers_need_context() {
        need_context(&DriverLicense, &["D1234562", "B072RRE2I55", "F255-921-50-094-0", "123 456 780"]);
    }

    #[test]
    fn dates_phones_and_placeholders_are_no_licence_numbers() {
        none_is(&DriverLicense, &["2026-05-14", "415-555-0132", "1111111", "ABCDE12345", "MORGA677054SM9IJ"]);
    }
}
