//! Vehicle identification numbers and license plates.

use std::{ops::RangeInclusive, sync::LazyLock};

use regex::Regex;

use crate::{
    pii::{
        Candidate, Certainty, Match, PiiType, Scanner,
        check_digits::settle,
        nearby,
        shape::{is_unbroken, is_upper, repeats},
    },
    regex::pattern,
    span::Span,
};

/// A vehicle identification number of seventeen characters with its check digit (ISO 3779; 49 CFR 565.15), or a licence
/// plate right after a word for it.
pub struct VehicleId;

impl PiiType for VehicleId {
    fn name(&self) -> &'static str {
        "vehicle_id"
    }

    fn context(&self) -> &'static [&'static str] {
        &[
            "vin",
            "vehicle",
            "chassis",
            "fahrgestellnummer",
            "fin",
            "châssis",
            "bastidor",
            "telaio",
            "車台番号",
        ]
    }

    fn compact_length(&self) -> Option<RangeInclusive<usize>> {
        Some(17..=17)
    }

    fn check(&self, candidate: &Candidate<'_>) -> Option<Certainty> {
        if !is_vin(candidate.compact) || !is_unbroken(candidate.written) {
            return None;
        }
        Some(if is_upper(candidate.written) {
            Certainty::Distinctive(0.93)
        } else {
            Certainty::WithContext(0.93)
        })
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        found.extend(plates(scan.text).map(|span| Match { span, confidence: 0.85 }));
    }

    fn with_checksum(&self, value: String) -> String {
        if value.as_bytes().get(8).is_some_and(u8::is_ascii_alphabetic) {
            return settle(value, &[16, 15], is_vin);
        }
        settle(value, &[8, 16, 15], is_vin)
    }
}

// Two or three groups in capitals and digits, after the word.
static PLATE: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"(?:licen[cs]e plate|number ?plate|plate|vehicle registration|kennzeichen|plaque d.immatriculation|immatriculation|matrícula|targa|kenteken)";
    let lead = r"(?: number| no\.?| #)?(?: is| ist| est| es)?[ :#=]{1,3}";
    pattern(&format!(
        r"(?i:(?-u:\b){word}{lead})([A-ZÄÖÜ0-9]{{1,4}}[ -]?[A-Z0-9]{{1,5}}(?:[ -][A-Z0-9]{{1,4}})?)(?-u:\b)"
    ))
});

/// More bytes than a plate with its word can have.
const REACH: usize = 80;

fn plates<'t>(text: &'t str) -> impl Iterator<Item = Span> {
    let plates_near = |(offset, stretch): (usize, &'t str)| {
        let named = PLATE.captures_iter(stretch).filter_map(|captures| captures.get(1));
        let plates = named.filter(|plate| is_plausible(plate.as_str()));
        plates.map(move |plate| Span::new(offset + plate.start(), offset + plate.end()))
    };
    nearby::digits(text, REACH).into_iter().flat_map(plates_near)
}

// Digits and at least five characters: no serving of food, no size.
fn is_plausible(plate: &str) -> bool {
    plate.bytes().any(|byte| byte.is_ascii_digit())
        && plate.chars().filter(|c| c.is_alphanumeric()).count() >= 5
}

fn is_vin(compact: &str) -> bool {
    const WEIGHTS: [u32; 17] = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
    let Some(values) = compact.bytes().map(value).collect::<Option<Vec<u32>>>() else { return false };
    let sum: u32 = values.iter().zip(WEIGHTS).map(|(value, weight)| value * weight).sum();
    let check = b"0123456789X"[(sum % 11) as usize];
    let letters = compact.bytes().filter(u8::is_ascii_alphabetic).count();
    values.len() == 17 && letters > 1 && !repeats(compact) && compact.as_bytes()[8] == check
}

// I, O and Q are not used; letters count 1 to 9 along the alphabet, S beginning at 2.
fn value(character: u8) -> Option<u32> {
    match character {
        b'0'..=b'9' => Some(u32::from(character - b'0')),
        b'A'..=b'H' => Some(u32::from(character - b'A') + 1),
        b'J'..=b'N' => Some(u32::from(character - b'J') + 1),
        b'P' => Some(7),
        b'R' => Some(9),
        b'S'..=b'Z' => Some(u32::from(character - b'S') + 2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pii::test_support::{need_context, none_is, stand_alone};

    fn found(text: &str) -> Vec<&str> {
        plates(text).map(|place| place.of(text)).collect()
    }

    #[test]
    fn an_identification_number_stands_alone() {
        stand_alone(&VehicleId, &["1M8GDM9AXKP042788", "1HGCM82633A004352", "5YJSA1DG9DFP14705"]);
        need_context(&VehicleId, &["1hgcm82633a004352"]);
    }

    #[test]
    fn a_wrong_check_digit_letter_or_length_is_refused() {
        none_is(
            &VehicleId,
            &["1M8GDM9A1KP042788", "1HGCM82633A00435", "11111111111111111", "IHGCM82633A004352"],
        );
    }

    #[test]
    fn a_plate_is_found_after_its_name() {
        assert_eq!(found("The plate I87-GNM; Kennzeichen: M-AB 1234"), ["I87-GNM", "M-AB 1234"]);
        assert_eq!(found("the plate FULL of rice, a plate 12 inches wide"), ["12"; 0]);
    }

    #[test]
    fn a_replacement_gets_its_check_digit() {
        stand_alone(&VehicleId, &[&VehicleId.with_checksum("1HGCM82613A004353".into())]);
    }
}
