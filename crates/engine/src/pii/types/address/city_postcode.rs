//! The part after street and number: unit, city, region, postcode.

use std::sync::LazyLock;

use regex::Regex;

use crate::{
    pii::{nearby, types::names::class},
    regex::pattern,
};

/// Postcodes: United States, Canada, United Kingdom, Poland, Portugal and Brazil, Netherlands, India, and plain ones.
const POSTCODE: &str = r"(?:\d{5}-\d{4}|[A-Z]\d[A-Z] ?\d[A-Z]\d|[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}|\d{2}-\d{3}|\d{4}-\d{3}|\d{5}-\d{3}|\d{4} ?[A-Z]{2}|\d{3} ?\d{3}|\d{4,5})\b";
const CITY: &str = r"(?:\p{Lu}[\p{L}.'’-]+|\p{Lo}[\p{L}\p{M}'’-]+)(?:[ -](?:\p{Lu}[\p{L}.'’-]+|\p{Lo}[\p{L}\p{M}'’-]+|am|an|der|de|la|del|upon|sur|в)){0,3}";
const UNIT: &str = r"(?:,?[ \n]+(?:(?i:apt|apartment|suite|ste|unit|flat|floor|fl|room|rm|appt|apto|appartamento|appartement|piano|piso|int|scala|m|кв|корп|д)\b\.?[ :]*|#)[\w-]{1,6}|,? \d{1,2}\.?[ºª°oa](?: ?(?:[A-Z]|[Ee]sq|[Dd]to|[Ii]zq|[Dd]cha))?\b\.?)";

/// Unit, city, and what proves that it was one: a region or a postcode.
static PLACED: LazyLock<Regex> = LazyLock::new(|| {
    let before = format!(
        r"(?:(?:,|[ \n]|,\n| - )[ \n]*{CITY}){{0,2}}(?:(?:,? |,\n?)[A-Z]{{2,3}}\b)?,?[ \n]*{POSTCODE}"
    );
    let after = format!(r",?[ \n]*{POSTCODE}(?:,?[ \n]{CITY}(?: \([A-Z]{{2}}\))?)?");
    let state = format!(r"(?:,[ \n]*{CITY}){{1,2}},? [A-Z]{{2}}\b");
    let country = r"(?:,[ \n]*(?:USA|UK|US|United Kingdom|United States|Canada|Australia|India|Deutschland|Germany|France|España|Italia|Polska))?";
    pattern(&format!(r"^\.?{UNIT}{{0,3}}(?:{after}|{before}|{state}){country}"))
});
static CITY_ALONE: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^\.?{UNIT}{{0,3}},[ \n]*(?:г\. ?)?{CITY}")));
static UNIT_ALONE: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^\.?{UNIT}{{1,3}}")));

/// Where the address ends whose street and number end at `end`, and whether more than a street was there.
pub(super) fn end(text: &str, end: usize) -> (usize, bool) {
    let window = nearby::after(text, end, 120);
    if let Some(place) = PLACED.find(window) {
        return (end + place.end(), true);
    }
    let ends_clause =
        |at: usize| window[at..].trim_start_matches(' ').starts_with(['.', ',', ';', '\n', ')', '"']);
    if let Some(city) =
        CITY_ALONE.find(window).filter(|city| city.end() == window.len() || ends_clause(city.end()))
    {
        return (end + city.end(), true);
    }
    UNIT_ALONE.find(window).map_or((end, false), |unit| (end + unit.end(), true))
}

const SPEAKS_OF_HOME: [&str; 37] = [
    "live",
    "address",
    "reside",
    "home",
    "ship",
    "deliver",
    "mail",
    "located",
    "send",
    "moved to",
    "card to",
    "parcel",
    "branch",
    "office",
    "meeting is at",
    "meet at",
    "meet me at",
    "picked up",
    "neighbour at",
    "wohn",
    "anschrift",
    "adresse",
    "habite",
    "domicil",
    "vivo",
    "dirección",
    "abito",
    "indirizzo",
    "residen",
    "moro",
    "endereço",
    "woon",
    "adres",
    "mieszka",
    "adresi",
    "адрес",
    "живу",
];

/// Whether the words before `start` say that an address follows.
pub(super) fn is_announced(text: &str, start: usize) -> bool {
    let before = nearby::before(text, start, 48).to_lowercase();
    SPEAKS_OF_HOME.iter().any(|word| before.contains(word))
}

/// Returns whether no word of everyday begins these words: `Chapter 4, 12345 Entries`.
pub(super) fn is_name(words: &str) -> bool {
    let first = words.split(' ').next().unwrap_or_default();
    let class = class(first);
    first.starts_with(char::is_uppercase)
        && !class.is_everyday()
        && !class.is_stop()
        && !class.is_organisation()
}

/// Returns whether a code of four digits is rather a year.
pub(super) fn is_year(code: &str) -> bool {
    code.len() == 4 && (code.starts_with("19") || code.starts_with("20"))
}

/// How sure we are of a street with a number.
pub(super) fn confidence(is_placed: bool, is_announced: bool) -> f32 {
    match (is_placed, is_announced) {
        (true, true) => 0.95,
        (true, false) => 0.9,
        (false, true) => 0.85,
        (false, false) => 0.6,
    }
}
