//! Passport numbers after `PP` or `Doc`, as travel documents abbreviate.

use super::{digits, is_compact};
use crate::{
    pii::{Match, nearby, shape::is_placeholder},
    span::Span,
};

const LABELS: [&str; 4] = ["PP", "Doc", "DOC", "Document"];
/// Longest gap between label and number, in bytes.
const GAP: usize = 6;
/// Bytes on both sides in which travel is spoken of.
const REACH: usize = 160;
/// Confidence where travel is spoken of, and behind `PP` where it is not.
const ON_TRAVEL: f32 = 0.75;
const ALONE: f32 = 0.5;

const TRAVEL: [&str; 20] = [
    "passenger",
    "flight",
    "pnr",
    "manifest",
    "boarding",
    "travel",
    "visa",
    "check-in",
    "airline",
    "embark",
    "passager",
    "vuelo",
    "pasajero",
    "volo ",
    "passegger",
    "passageiro",
    "flug",
    "reisend",
    "pasażer",
    "yolcu",
];

/// The numbers in `text` behind such a label.
pub(super) fn find(text: &str) -> impl Iterator<Item = Match> {
    LABELS.iter().flat_map(move |label| {
        let places = memchr::memmem::find_iter(text.as_bytes(), label.as_bytes());
        places.filter_map(move |place| number(text, Span::new(place, place + label.len())))
    })
}

fn number(text: &str, label: Span) -> Option<Match> {
    let rest = &text[label.end..];
    let number = rest.trim_start_matches([' ', ':', '.', '#']);
    let gap = rest.len() - number.len();
    let length = number.bytes().take(12).take_while(u8::is_ascii_alphanumeric).count();
    let span = Span::new(label.end + gap, label.end + gap + length);
    let is_word = !text[..label.start].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let is_one = is_word
        && (1..=GAP).contains(&gap)
        && is_compact(span.of(text))
        && !is_placeholder(digits(span.of(text)));
    let confidence = if is_one && is_on_travel(text, label) { ON_TRAVEL } else { ALONE };
    (is_one && (confidence > ALONE || label.of(text) == "PP")).then_some(Match { span, confidence })
}

fn is_on_travel(text: &str, place: Span) -> bool {
    let speaks = |part: &str| {
        let lower = part.to_lowercase();
        TRAVEL.iter().any(|word| lower.contains(word))
    };
    speaks(nearby::before(text, place.start, REACH)) || speaks(nearby::after(text, place.end, REACH))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        find(text).map(|one| one.span.of(text)).collect()
    }

    #[test]
    fn travel_papers_name_a_passport_in_short() {
        assert_eq!(found("Flight manifest: OKAFOR, Daniel / PP X8100339"), ["X8100339"]);
        assert_eq!(found("Passenger: OKAFOR/DANIEL MR  Doc: C01X00T47"), ["C01X00T47"]);
    }

    #[test]
    fn other_documents_and_pages_are_no_passports() {
        for text in ["Doc: C01X00T47", "see PP 123-125", "DocX8100339", "APP X8100339", "flight PP 123456789"]
        {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
