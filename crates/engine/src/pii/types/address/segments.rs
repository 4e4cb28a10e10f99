//! Addresses of several parts that end with a city and its postcode, where no word says that one of them is a street:
//! `Flat 3, Sunrise Towers, Link Road, Pune 411001`.

use std::sync::LazyLock;

use regex::Regex;

use super::city_postcode::{is_name, is_year};
use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

/// Confidence: city and postcode prove what the parts before them do not.
const CONFIDENCE: f32 = 0.7;
/// Bytes of the parts before the city at most.
const REACH: usize = 120;

/// The last part: a city with a code of four to six digits behind it.
static CITY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:, ?|,?\n)(?P<city>\p{Lu}[\p{L}'’-]{2,}(?: \p{Lu}[\p{L}'’-]+){0,2})(?: | ?- ?|, )(?P<code>\d{3} ?\d{3}|\d{4,5})(?:[\s.,;)]|$)",
    )
});
/// The parts before it: words and numbers, with at least one of each.
static PARTS: LazyLock<Regex> = LazyLock::new(|| {
    let word = r"[\p{Lu}\p{Lt}#№][\p{L}\p{M}'’./#-]*[\d/-]*|\d[\d/#A-Z-]*[A-Za-z]?|#\d[\d-]*|(?:e|i|de|la|of|the|and|no\.?|nr\.?|ke)";
    let part = format!(r"(?:{word})(?: (?:{word})){{0,6}}");
    pattern(&format!(r"(?:^|[\s(:;\x22'])(?P<parts>{part}(?:, ?{part}){{0,4}})$"))
});

/// Returns every such address.
pub(super) fn all(text: &str) -> impl Iterator<Item = Match> {
    memchr::memchr2_iter(b',', b'\n', text.as_bytes()).filter_map(move |joint| address(text, joint))
}

fn address(text: &str, joint: usize) -> Option<Match> {
    let window = nearby::after(text, joint, 64);
    if !window.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let last = CITY.captures(window)?;
    let (city, code) = (last.name("city")?, last.name("code")?);
    let before = nearby::before(text, joint, REACH);
    let line = &before[before.rfind('\n').map_or(0, |end| end + 1)..];
    let parts = PARTS.captures(line)?.name("parts")?;
    let is_placed =
        is_city(city.as_str(), parts.as_str()) && !is_year(code.as_str()) && may_be_street(parts.as_str());
    let span = Span::new(joint - (line.len() - parts.start()), joint + code.end());
    is_placed.then_some(Match { span, confidence: CONFIDENCE })
}

/// Returns whether these words may be a city: no abbreviation, and no word that counts the parts as well.
fn is_city(words: &str, parts: &str) -> bool {
    let is_counted = parts.split([' ', ',']).any(|word| word == words);
    is_name(words) && words.contains(char::is_lowercase) && !is_counted
}

/// Returns whether the parts hold a number, and one of them two words of a name at least.
fn may_be_street(parts: &str) -> bool {
    let is_word = |word: &&str| word.len() > 2 && word.starts_with(char::is_uppercase);
    let has_name = |part: &str| part.split(' ').filter(is_word).count() > 1 && part.split(' ').any(is_name);
    let mut before = ' ';
    let has_number = parts.chars().any(|c| {
        let begins = c.is_ascii_digit() && !before.is_alphanumeric();
        before = c;
        begins
    });
    has_number && parts.split(',').map(str::trim).any(has_name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        all(text).map(|one| one.span.of(text)).collect()
    }

    #[test]
    fn parts_before_a_city_with_its_code_are_an_address() {
        for (text, address) in [
            (
                "Ship to Flat 17, Shanti Heights, Link Road, Nagpur 440010.",
                "Flat 17, Shanti Heights, Link Road, Nagpur 440010",
            ),
            (
                "C-12, Lotus Enclave, Sector 9, Gurugram - 122001",
                "C-12, Lotus Enclave, Sector 9, Gurugram - 122001",
            ),
            (
                "Blk 55 Bedok North Ave 3 #02-417, Singapore 460055",
                "Blk 55 Bedok North Ave 3 #02-417, Singapore 460055",
            ),
            (
                "Jl. Kenanga No. 8 RT 02/RW 11, Semarang 50241",
                "Jl. Kenanga No. 8 RT 02/RW 11, Semarang 50241",
            ),
            ("Rruga e Elbasanit 31, Tiranë 1004", "Rruga e Elbasanit 31, Tiranë 1004"),
        ] {
            assert_eq!(found(text), [address]);
        }
    }

    #[test]
    fn lists_of_other_things_with_numbers_are_no_address() {
        for text in [
            "Table 3, Figure 2, Chapter 12345",
            "Ubuntu 22, Debian 12, Fedora 40132",
            "HTTP 50301 Upstream, 50302 Gateway",
            "Model X 12, Serial 12345",
            "Room 4, Ticket 50302",
            "Q3 Sales Report, Revenue 120000",
            "In Berlin 12, 1999",
            "Widget 70210 Pro, SKU 20115",
            "Lot 3310 Open, Lot 3311 Shipped",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
