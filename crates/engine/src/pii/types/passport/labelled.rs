//! Passport numbers of any country directly after the word: `passport L2JP622W9`.

use std::sync::LazyLock;

use regex::Regex;

use super::may_be_one;
use crate::{pii::Match, regex::pattern, span::Span};

const CONFIDENCE: f32 = 0.75;

/// The word, also as a scan parts it, and what stands between it and the number.
static NAMED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(r"(?i:pas ?s ?port,?(?: ?(?:no|nr|number|nummer)\b)?[.:#]{0,2}) ([A-Z0-9]{8,9})\b")
});

/// The numbers in `text` that are called a passport's.
pub(super) fn find(text: &str) -> impl Iterator<Item = Match> {
    let named = NAMED.captures_iter(text).filter_map(|all| all.get(1));
    let is_one = |number: &regex::Match<'_>| {
        may_be_one(number.as_str()) && number.as_str().starts_with(|c: char| c.is_ascii_uppercase())
    };
    named
        .filter(is_one)
        .map(|number| Match { span: Span::new(number.start(), number.end()), confidence: CONFIDENCE })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_right_behind_the_word_is_a_passports() {
        for text in
            ["my passport, number T4KM19U08, is lost", "Passport no.: T4KM19U08", "Pas sport No T4KM19U08"]
        {
            let found: Vec<_> = find(text).map(|one| one.span.of(text)).collect();
            assert_eq!(found, ["T4KM19U08"], "{text}");
        }
    }

    #[test]
    fn other_words_behind_it_are_none() {
        for text in ["passport REQUIRED", "passport 20260514", "Passport JS VERSION7", "passport Control1"] {
            assert_eq!(find(text).count(), 0, "{text}");
        }
    }
}
