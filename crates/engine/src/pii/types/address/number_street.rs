//! Addresses with the number first: `12 Main Street`, as in English.

use std::sync::LazyLock;

use regex::Regex;

use super::city_postcode;
use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

static STREET: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"(?:\p{Lu}[\p{L}'’.-]*|\d{1,3}(?:st|nd|rd|th)|of|the)";
    pattern(&format!(
        r"(?:^|[\s(\x22':,#>])(?P<address>(?:(?:Flat|Unit|Apt|Apartment|Suite|No\.?|Plot) ?#?\w{{1,5}}[,/] ?)?(?P<number>\d{{1,5}})[A-Za-z]?(?:[-/]\d{{1,4}}[A-Za-z]?)?,? {name}(?: {name}){{0,3}}) $"
    ))
});
static SMALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?:^|[\s(\x22':,#>])(?P<address>(?P<number>\d{1,5})[a-z]?(?: (?:[nsewNSEW]|[nN]orth|[sS]outh|[eE]ast|[wW]est))? (?:\d{1,3}(?:st|nd|rd|th)|[a-z'-]{3,}(?: [a-z'-]{3,})?)) $",
    )
});

/// The address whose street type stands at `street_type`.
pub(super) fn address(text: &str, street_type: Span) -> Option<Match> {
    let window = nearby::before(text, street_type.start, 64);
    if !window.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_capital = street_type.of(text).starts_with(char::is_uppercase);
    let street = if is_capital { STREET.captures(window) } else { SMALL.captures(window) }?;
    let start = street_type.start - window.len() + street.name("address")?.start();
    let (end, is_placed) = city_postcode::end(text, street_type.end);
    let is_announced = city_postcode::is_announced(text, start);
    let is_sure = is_placed || is_announced;
    if !is_sure && (!is_capital || is_year(street.name("number")?.as_str())) {
        return None;
    }
    let is_counted = || is_counted(&street["address"].to_lowercase());
    if is_capital && !is_sure && is_counted() || !is_capital && (!leads(&text[..start]) || is_counted()) {
        return None;
    }
    Some(Match {
        span: Span::new(start, end),
        confidence: city_postcode::confidence(is_placed, is_announced),
    })
}

/// Words behind which a street in small letters begins: "i live at 12 elm road", not "it is a 12 lane road".
const LEADS: [&str; 14] = [
    "at", "to", "on", "is", "in", "near", "by", "from", "live", "lives", "address", "home", "ship", "deliver",
];

/// Whether an address may follow `before`.
fn leads(before: &str) -> bool {
    let before = before.trim_end_matches(' ');
    let word = before.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    word.is_empty() || LEADS.iter().any(|lead| lead.eq_ignore_ascii_case(word))
}

/// What is counted and measured; no street's name begins so.
const COUNTED: [&str; 34] = [
    "star",
    "minute",
    "minutes",
    "min",
    "mins",
    "hour",
    "hours",
    "day",
    "days",
    "week",
    "month",
    "year",
    "second",
    "mile",
    "miles",
    "km",
    "kilometer",
    "kilometre",
    "meter",
    "metre",
    "foot",
    "feet",
    "yard",
    "block",
    "lane",
    "car",
    "person",
    "people",
    "man",
    "way",
    "hard",
    "flash",
    "thumb",
    "usb",
];

/// Whether number and name, `5 minute`, count something.
fn is_counted(street: &str) -> bool {
    let name = street.split([' ', '-']).nth(1).unwrap_or_default();
    COUNTED.contains(&name)
}

/// Whether a number is rather a year: "In 1929 Wall Street crashed".
fn is_year(number: &str) -> bool {
    number.len() == 4 && number.parse().is_ok_and(|number: u32| (1500..2100).contains(&number))
}
