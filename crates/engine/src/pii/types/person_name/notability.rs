//! Tells private people from people of public record by the text around a name.

use std::sync::LazyLock;

use regex::Regex;

use super::around;
use crate::{regex::pattern, span::Span};

static DIGITS: LazyLock<Regex> = LazyLock::new(|| pattern("[0-9]+"));

/// Words near the name of a private person.
const PRIVATE: &[&str] = &[
    "@",
    "phone number",
    "patient ",
    "lives at",
    "home address",
    "my address",
    "date of birth",
    "born on",
    "ssn",
    "passport no",
    "passport number",
    "account number",
    "mobile",
    "tel.",
    "tel:",
    "dob",
];

/// Returns whether private details, such as an address or a long number, are near the name at `span`.
pub(super) fn stands_beside_private_details(text: &str, span: Span) -> bool {
    let (before, after) = around(text, span, 60);
    let near = |part: &str| {
        let lower = part.to_lowercase();
        PRIVATE.iter().any(|word| lower.contains(word)) || digits_of_numbers(part) >= 7
    };
    near(after) || near(before)
}

/// Counts digits outside years. Prose about people of public record is full of years.
fn digits_of_numbers(part: &str) -> usize {
    let is_private = |digits: &regex::Match<'_>| !is_year(part, digits);
    DIGITS.find_iter(part).filter(is_private).map(|digits| digits.len()).sum()
}

/// Returns whether `digits` are a separate number from 1000 to 1999 or 2000 to 2099.
fn is_year(part: &str, digits: &regex::Match<'_>) -> bool {
    let is_joint = |c: char| matches!(c, ' ' | '-' | '/' | '.' | '+' | '(' | ')');
    let is_digit = |c: char| c.is_ascii_digit();
    let before = part[..digits.start()].trim_end_matches(is_joint);
    let behind = part[digits.end()..].trim_start_matches(is_joint);
    let is_of_our_time = digits.as_str().starts_with('1') || digits.as_str().starts_with("20");
    digits.len() == 4 && is_of_our_time && !before.ends_with(is_digit) && !behind.starts_with(is_digit)
}

/// Words before the name of a person known to the public.
const SPOKEN_OF: &[&str] = &[
    "who is",
    "who was",
    "who were",
    "president",
    "king",
    "queen",
    "emperor",
    "pope",
    "saint",
    "senator",
    "minister",
    "chancellor",
    "author",
    "novelist",
    "poet",
    "philosopher",
    "physicist",
    "mathematician",
    "composer",
    "painter",
    "actor",
    "actress",
    "singer",
    "director",
    "directed by",
    "biography of",
    "works of",
    "novel",
    "book by",
    "invented by",
    "discovered by",
    "artist",
    "scientist",
    "inventor",
    "historian",
    "quarterback",
    "coach",
    "starring",
    "governor",
    "character",
    "ceo",
    "historiker",
    "historian",
    "artist is",
    "singer is",
    "wer war",
    "wer ist",
    "qui était",
    "qui est",
    "quién fue",
    "quién es",
    "chi era",
    "chi è",
    "quem foi",
    "wie was",
];

/// Returns whether the text around `span` speaks of a person known to the public.
pub(super) fn is_public_talk(text: &str, span: Span) -> bool {
    let (before, after) = around(text, span, 18);
    let before = before.trim_end().to_ascii_lowercase();
    let has_years = after.strip_prefix(" (").is_some_and(|rest| {
        let year = rest.trim_start_matches("born ");
        year.bytes().take_while(u8::is_ascii_digit).count() == 4
    });
    has_years || SPOKEN_OF.iter().any(|word| before.ends_with(word))
}
