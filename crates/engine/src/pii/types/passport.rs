//! Passport numbers.

mod abbreviated;
mod labelled;

use std::ops::RangeInclusive;

use crate::pii::{
    Candidate, Certainty, Match, PiiType, Scanner,
    labelled::{Field, Kind},
    shape::{fits, fits_any, identifier, is_placeholder, is_unbroken, is_upper},
    tables::Column,
};

/// A passport number, as the larger issuers write it: up to nine letters and digits (ICAO Doc 9303-4), nine or, in
/// Russia, ten digits. Its check digit stands only in the machine-readable zone, so it needs context.
pub struct Passport;

// Without separators: American, British, German, French, Canadian, Spanish, Italian, Indian, Chinese, Dutch and others.
const FORMS: &[&str] = &[
    "999999999",
    "A9999999",
    "A99999999",
    "AA999999",
    "AA9999999",
    "AAA999999",
    "99AA99999",
    "AA99999999",
    "9999999999",
    "AAA99999A",
    "A9999999A",
    "AA9AA9999",
    "AA9999AA9",
];

impl PiiType for Passport {
    fn name(&self) -> &'static str {
        "passport"
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(8..=10)
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let listed = scan.cells_of(Column::Passport).filter(|span| may_be_one(span.of(scan.text)));
        found.extend(listed.map(|span| Match { span, confidence: 0.85 }));
        found.extend(abbreviated::find(scan.text));
        found.extend(labelled::find(scan.text));
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        let span = field.value.span;
        let is_one = field.kind == Kind::Passport && identifier(span.of(scan.text), 6..=12);
        is_one.then_some(Match { span, confidence: 0.87 })
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        let usual = is_compact(candidate.written)
            || fits_any(candidate.written, &["9999 999999", "99 99 999999", "AA 9999999", "A 9999999"]);
        (usual && !is_placeholder(digits(candidate.compact))).then_some(Certainty::WithContext(0.85))
    }
}

// Whether it is written as a passport number, without blanks.
fn is_compact(written: &str) -> bool {
    fits_any(written, FORMS) || is_german(written)
}

// What a column of passports may hold: no form is asked for, only that it is a number.
fn may_be_one(written: &str) -> bool {
    let digits = written.bytes().filter(u8::is_ascii_digit).count();
    (6..=10).contains(&written.len()) && digits >= 4 && is_unbroken(written) && is_upper(written)
}

// A letter, then eight digits and letters without vowels (Passverwaltungsvorschrift, no. 4.3).
fn is_german(written: &str) -> bool {
    fits(written, "AXXXXXXXX")
        && written.starts_with(|c: char| "CFGHJK".contains(c))
        && written.chars().all(|c| c.is_ascii_digit() || "CFGHJKLMNPRTVWXYZ".contains(c))
}

fn digits(compact: &str) -> &str {
    compact.trim_matches(|c: char| c.is_ascii_alphabetic())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is};

    #[test]
    fn passport_numbers_need_context() {
        need_context(
            &Passport,
            &["C01X00T47", "X81003390", "310175221", "12AB34567", "4510 123458", "M8395671"],
        );
    }

    #[test]
    fn a_column_of_passports_holds_them() {
        let text = "id;passport_no\n1;K7730912\n2;none";
        let mut found = Vec::new();
        Passport.find(&Scanner::new(text), &mut found);
        assert_eq!(found.iter().map(|one| one.span.of(text)).collect::<Vec<_>>(), ["K7730912"]);
    }

    #[test]
    fn dates_placeholders_and_odd_lengths_are_no_passport_numbers() {
        none_is(
            &Passport,
            &["20260514", "2026-05-14", "000000000", "A1234567B9", "123456789", "X8100339012"],
        );
    }
}
