//! Identifiers of physicians in the United States.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    pii::{
        Match,
        check_digits::settle,
        checksum::{luhn, number, weighted},
        nearby,
        shape::fits,
    },
    regex::pattern,
    span::Span,
};

// The number stands right after its name: without it, ten digits are a telephone number.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    let name =
        r"(?i:(?-u:\b)(?:npi|national provider identifier|dea)(?: number| no\.?| #)?(?: is)?[ :#=]{1,3})";
    pattern(&format!(r"{name}([A-Z]{{2}}[0-9]{{7}}|[12][0-9]{{9}})(?-u:\b)"))
});

/// More bytes than a number with its name can have.
const REACH: usize = 80;

/// The NPI and DEA numbers in `text`.
pub(super) fn find(text: &str, found: &mut Vec<Match>) {
    for (offset, stretch) in nearby::digits(text, REACH) {
        let numbers = NAMED.captures_iter(stretch).filter_map(|captures| captures.get(1));
        let valid = numbers.filter(|number| is_npi(number.as_str()) || is_dea_number(number.as_str()));
        let spans = valid.map(|place| Span::new(offset + place.start(), offset + place.end()));
        found.extend(spans.map(|span| Match { span, confidence: 0.97 }));
    }
}

/// `value` with the check digit of an NPI or DEA number, when it has the form of one.
pub(super) fn with_check_digit(value: String) -> String {
    let last = if fits(&value, "AA9999999") { 8 } else { 9 };
    settle(value, &[last], |compact| is_npi(compact) || is_dea_number(compact))
}

// Luhn with the issuer's prefix 80840 (CMS, National Provider Identifier standard, 2004).
fn is_npi(compact: &str) -> bool {
    fits(compact, "9999999999") && luhn(&["80840", compact].concat())
}

// First, third and fifth digit once, the others twice (DEA Diversion Control Division).
fn is_dea_number(compact: &str) -> bool {
    fits(compact, "AA9999999")
        && u64::from(weighted(&compact[2..8], &[1, 2, 1, 2, 1, 2]) % 10) == number(&compact[8..])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find(text, &mut found);
        found.into_iter().map(|place| place.span.of(text)).collect()
    }

    #[test]
    fn named_numbers_with_their_check_digit_are_found() {
        assert_eq!(found("Prescriber NPI: 1234567893, DEA number AB1234563."), ["1234567893", "AB1234563"]);
        assert_eq!(found("national provider identifier 1245319599"), ["1245319599"]);
    }

    #[test]
    fn wrong_check_digits_and_unnamed_numbers_are_not() {
        assert_eq!(found("NPI 1234567894, DEA AB1234564, call 1234567893"), [""; 0]);
    }
}
