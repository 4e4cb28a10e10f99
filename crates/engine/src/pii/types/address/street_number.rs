//! Addresses with the number after the street: `via Roma 12`, `Hauptstraße 12`; and `12 rue de la Paix`.

use std::sync::LazyLock;

use regex::Regex;

use super::city_postcode;
use crate::{
    pii::{Match, nearby},
    regex::pattern,
    span::Span,
};

// Views show `n.º` as `n.o`.
const NUMBER: &str = r"(?i:(?:n\.?[º°o]?|nº|no|nr\.?|num\.?|№|д|дом|буд)\.?:? ?)?\d{1,5}(?: ?[A-Da-dА-Га-г]\b)?(?:[-/](?:\d{1,4}|[A-Da-d]))?\b";
const WORD: &str = r"(?:\p{Lu}[\p{L}'’.-]*|\p{Lo}[\p{L}\p{M}'’״׳.-]+|\p{Ll}['’]\p{Lu}[\p{L}-]*|(?:de|del|della|delle|dei|du|des|la|las|los|le|les|da|do|dos|das|di|e|i|y|et|van|het|der|den|\d{1,2} d[ei])\b)";

static NAME_AND_NUMBER: LazyLock<Regex> =
    LazyLock::new(|| pattern(&format!(r"^\.? ?{WORD}(?: {WORD}){{0,5}}(?:,| -)? ?{NUMBER}")));
static NAME: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^\.? {WORD}(?: {WORD}){{0,5}}")));
static NUMBER_BEFORE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"(?:^|[\s(\x22':,>])(\d{1,4}(?: ?(?:bis|ter|quater|[A-D]))?,? )$"));
static NUMBER_AFTER: LazyLock<Regex> = LazyLock::new(|| pattern(&format!(r"^\.? {NUMBER}")));
static NAME_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|[\s(\x22':,>])(\p{Lu}[\p{L}.-]*(?: (?:\p{Lu}[\p{L}.-]*|der|den|de|van|von)){0,3}[ -]?)$")
});

/// Streets without a name, with the quarter before them: `Çamlık Mah. 1204.` before `Sok.`
static NUMBERED_BEFORE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?:^|[\s(\x22':,>])((?:(?:\p{Lu}[\p{L}-]* ){1,3}(?:Mah\.|Mahallesi|Mh\.),? ?)?\d{1,5}\.? )$")
});

/// The address whose street type stands first, or between number and name.
pub(super) fn type_first(text: &str, street_type: Span) -> Option<Match> {
    let window = nearby::after(text, street_type.end, 72);
    if let Some(number) =
        NUMBER_BEFORE.captures(nearby::before(text, street_type.start, 16)).and_then(|all| all.get(1))
    {
        let name = NAME.find(window)?;
        let is_english = street_type.of(text).starts_with(char::is_uppercase);
        let end = street_type.end + name.end();
        return found(text, Span::new(street_type.start - number.len(), end))
            .filter(|one| !is_english || one.confidence > 0.6);
    }
    let rest = NAME_AND_NUMBER.find(window)?;
    let is_also_a_word = street_type.len() <= 3 || street_type.of(text).eq_ignore_ascii_case("place");
    found(text, Span::new(street_type.start, street_type.end + rest.end()))
        .filter(|one| !is_also_a_word || one.confidence > 0.6)
}

/// The address whose street type ends the street's name.
pub(super) fn type_last(text: &str, street_type: Span) -> Option<Match> {
    let number = NUMBER_AFTER.find(nearby::after(text, street_type.end, 24))?;
    let before = nearby::before(text, street_type.start, 48);
    let named = NAME_BEFORE.captures(before);
    let is_turkish = || ["Sok", "Cad"].iter().any(|word| street_type.of(text).starts_with(word));
    let name = named.or_else(|| NUMBERED_BEFORE.captures(before).filter(|_| is_turkish()))?.get(1)?;
    let is_glued = !name.as_str().ends_with(' ');
    if !is_glued && !street_type.of(text).starts_with(char::is_uppercase) {
        return None;
    }
    let start = name.len();
    found(text, Span::new(street_type.start - start, street_type.end + number.end()))
}

fn found(text: &str, street: Span) -> Option<Match> {
    let (end, is_placed) = city_postcode::end(text, street.end);
    let confidence = city_postcode::confidence(is_placed, city_postcode::is_announced(text, street.start));
    let is_numbered = street.of(text).bytes().any(|byte| byte.is_ascii_digit());
    is_numbered.then(|| Match { span: Span::new(street.start, end), confidence })
}
