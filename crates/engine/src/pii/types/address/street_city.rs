//! A street with its number, a postcode and a city, where no word says that it is a street: `Hlavní 12, 602 00 Brno`.

use std::sync::LazyLock;

use memchr::memchr2_iter;
use regex::Regex;

use super::city_postcode::{is_name, is_year};
use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

/// Confidence: postcode and city prove what the street alone does not.
const CONFIDENCE: f32 = 0.7;

static BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s(:;,\x22'])(?P<street>\p{Lu}[\p{L}'’.-]{2,}(?: [\p{L}'’.-]+){0,3}) \d{1,4}(?:/\d{1,4})?(?: ?[A-Za-z])?(?: \d{1,3})?(?:, \d{1,2}\. ?(?:tv|th|mf))?$",
    )
});
static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:, ?|\n)(?:[A-Z]{1,2}-)?(?P<code>\d{3} \d{2}|\d{4,5}) (?P<city>\p{Lu}[\p{L}'’-]{2,}(?: \p{Lu}[\p{L}'’-]*)?)",
    )
});

/// Returns every such address.
pub(super) fn all(text: &str) -> impl Iterator<Item = Match> {
    memchr2_iter(b',', b'\n', text.as_bytes())
        .filter_map(move |joint| may_be_code(&text.as_bytes()[joint + 1..]).then(|| address(text, joint))?)
}

/// Returns whether a postcode may begin here, behind a blank and a country: `CH-8400`.
const fn may_be_code(bytes: &[u8]) -> bool {
    let code = match bytes {
        [b' ', rest @ ..] => rest,
        _ => bytes,
    };
    matches!(
        code,
        [b'0'..=b'9', ..]
            | [b'A'..=b'Z', b'-', b'0'..=b'9', ..]
            | [b'A'..=b'Z', b'A'..=b'Z', b'-', b'0'..=b'9', ..]
    )
}

fn address(text: &str, joint: usize) -> Option<Match> {
    let after = AFTER.captures(nearby::after(text, joint, 64))?;
    let before = BEFORE.captures(nearby::before(text, joint, 64))?;
    let street = before.name("street")?;
    let is_placed = !is_year(&after["code"]) && is_name(street.as_str()) && is_name(&after["city"]);
    let start = joint - (nearby::before(text, joint, 64).len() - street.start());
    let span = Span::new(start, joint + after.get(0)?.end());
    is_placed.then_some(Match { span, confidence: CONFIDENCE })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        all(text).map(|one| one.span.of(text)).collect()
    }

    #[test]
    fn a_postcode_and_a_city_make_a_street_of_a_name_with_a_number() {
        for (text, address) in [
            ("Adresa: Javorová 214/7, 639 00 Brno.", "Javorová 214/7, 639 00 Brno"),
            ("Koivutie 8 B 21, 00970 Helsinki", "Koivutie 8 B 21, 00970 Helsinki"),
            ("Elmegade 14, 2. tv, 2200 København N", "Elmegade 14, 2. tv, 2200 København N"),
            ("Bahnweg 3\nCH-8400 Winterthur", "Bahnweg 3\nCH-8400 Winterthur"),
        ] {
            assert_eq!(found(text), [address]);
        }
    }

    #[test]
    fn numbers_beside_other_words_are_no_address() {
        for text in [
            "Chapter 12, 50969 Closed",
            "Version 4, 2024 Edition",
            "Table 3, 12345 Records were read",
            "Ubuntu 22, 2023 Berlin",
            "port 8080, 12345 Berlin",
            "Javorová 214, Brno",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
