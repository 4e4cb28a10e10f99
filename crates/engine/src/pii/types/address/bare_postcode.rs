//! A number with a capital word: a postcode with its city, or a model, a ticket, a code.

use std::sync::LazyLock;

use regex::Regex;

use super::city_postcode;
use crate::{pii::nearby, regex::pattern, span::Span};

/// Numbers with at most one word before and one after, and several of these.
static BARE: LazyLock<Regex> = LazyLock::new(|| {
    let one = r"(?:\p{Lu}[\p{L}-]* )?\d{4,6}(?: \p{Lu}[\p{L}-]*)?";
    pattern(&format!("^{one}(?:, {one})*$"))
});
/// A house number with its stairs and flat, then the end of the line or clause.
static BEHIND_STREET: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"\p{L} \d{1,4}(?:[/-]\d{1,4})?(?: ?\p{L})?(?: \d{1,3})?(?:,? ?\n|, ?| )$"));
static BEFORE_COUNTRY: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"^(?:, ?|\n)(?:USA|UK|United Kingdom|United States|Canada|Australia|India|Deutschland|Germany|France|España|Spain|Italia|Italy|Polska|Poland|Österreich|Austria|Schweiz|Suisse|Switzerland|Nederland|Netherlands|Belgium|België|Portugal|Sverige|Sweden|Danmark|Denmark|Finland|Suomi|Norge|Norway)\b",
    )
});

/// Returns whether this is such a number, and neither a street, a country nor a heading says that it is an address.
pub(super) fn is_other(text: &str, span: Span) -> bool {
    let (before, after) = (nearby::before(text, span.start, 24), nearby::after(text, span.end, 24));
    BARE.is_match(span.of(text))
        && !BEHIND_STREET.is_match(before)
        && !BEFORE_COUNTRY.is_match(after)
        && !city_postcode::is_announced(text, span.start)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_with_a_capital_word_needs_a_street_a_country_or_a_heading() {
        for (text, number, is_other) in [
            ("Kuokkatie 12 A 3, 00520 Helsinki", "00520 Helsinki", false),
            ("Ahornweg 4\n79098 Freiburg", "79098 Freiburg", false),
            ("79098 Freiburg, Germany", "79098 Freiburg", false),
            ("Anschrift: 79098 Freiburg", "79098 Freiburg", false),
            ("Job 79097 Queued, 79098 Running", "79098 Running", true),
            ("Sizes: SKU 20117 Lamp", "SKU 20117 Lamp", true),
            ("ABI 03069, CAB 09606", "ABI 03069, CAB 09606", true),
            ("Ahornweg 4, 79098 Freiburg", "Ahornweg 4, 79098 Freiburg", false),
        ] {
            let start = text.find(number).unwrap();
            assert_eq!(super::is_other(text, Span::new(start, start + number.len())), is_other, "{text}");
        }
    }
}
