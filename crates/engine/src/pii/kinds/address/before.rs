//! Number, name, type: `12 Main Street`, as in English.

use std::sync::LazyLock;

use regex::Regex;

use super::tail;
use crate::{
    pii::{Match, near},
    span::Span,
};

static STREET: LazyLock<Regex> = LazyLock::new(|| {
    let name = r"(?:\p{Lu}[\p{L}'’.-]*|\d{1,3}(?:st|nd|rd|th)|of|the)";
    tail::regex(&format!(
        r"(?:^|[\s(\x22':,#>])(?P<address>(?:(?:Flat|Unit|Apt|Apartment|Suite|No\.?|Plot) ?#?\w{{1,5}}[,/] ?)?(?P<number>\d{{1,5}})[A-Za-z]?(?:[-/]\d{{1,4}}[A-Za-z]?)?,? {name}(?: {name}){{0,3}}) $"
    ))
});
static SMALL: LazyLock<Regex> = LazyLock::new(|| {
    tail::regex(
        r"(?:^|[\s(\x22':,#>])(?P<address>(?P<number>\d{1,5})[a-z]?(?: (?:n|s|e|w|north|south|east|west))? [a-z'-]{3,}(?: [a-z'-]{3,})?) $",
    )
});

/// The address whose street type stands at `street_type`.
pub(super) fn address(text: &str, street_type: Span) -> Option<Match> {
    let window = near::before(text, street_type.start, 64);
    if !window.bytes().any(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let is_capital = street_type.of(text).starts_with(char::is_uppercase);
    let street = if is_capital { STREET.captures(window) } else { SMALL.captures(window) }?;
    let start = street_type.start - window.len() + street.name("address")?.start();
    let (end, is_placed) = tail::end(text, street_type.end);
    let is_announced = tail::is_announced(text, start);
    let is_sure = is_placed || is_announced;
    if !is_sure && (!is_capital || is_year(street.name("number")?.as_str())) {
        return None;
    }
    Some(Match { span: Span::new(start, end), confidence: tail::confidence(is_placed, is_announced) })
}

/// Whether a number is rather a year: "In 1929 Wall Street crashed".
fn is_year(number: &str) -> bool {
    number.len() == 4 && number.parse().is_ok_and(|number: u32| (1500..2100).contains(&number))
}
