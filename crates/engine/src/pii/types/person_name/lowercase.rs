//! Names in lower case after an introduction.

use super::{
    context_before,
    introductions::Promise,
    lists::{class, looks_like_surname, title_case},
    not_names, words,
};
use crate::{
    pii::{Match, nearby},
    span::Span,
};

/// Confidence where others than the speaker are named so; worth masking, not worth stopping a text.
const CASUAL: f32 = 0.5;
/// Bytes on both sides in which a text shows how it writes, and capitals there at most.
const REACH: usize = 120;
const CAPITALS: usize = 3;
/// Who is greeted and is nobody.
const ASSISTANTS: [&str; 4] = ["siri", "alexa", "cortana", "claude"];
/// What one says to somebody whom one has just greeted.
const SAID_TO: [&str; 18] = [
    " u ", " you", " ur ", " can ", " could ", " did ", " do ", " are ", " r ", " where", " what", " when",
    " how", " im ", " i ", " just ", " pls", " please",
];
/// Names that sentences in small letters use as other words.
const WORDS: [&str; 16] = [
    "made", "mon", "said", "ami", "mia", "lise", "dan", "mina", "marine", "prune", "mar", "sol", "luz",
    "paz", "son", "bien",
];
/// Words between two names that are told of together.
const AND: [&str; 8] = [" and ", " & ", " und ", " et ", " y ", " e ", " en ", " i "];

/// The name at `at`: a known given name, and a known surname if one follows.
pub(super) fn name(text: &str, at: usize, promise: Promise) -> Option<Match> {
    let (mut end, mut is_full) = read(text, at)?;
    if promise == Promise::Own && !is_full {
        (end, is_full) = unlisted_surname(text, end).map_or((end, false), |end| (end, true));
    }
    if promise != Promise::Own && WORDS.contains(&&text[at..words::word_end(text, at)]) {
        return None;
    }
    match promise {
        Promise::Own => {
            Some(Match { span: Span::new(at, end), confidence: if is_full { 0.85 } else { 0.7 } })
        }
        Promise::Casual | Promise::Person if is_small(text, at) => Some(casual(text, at, end)),
        Promise::Greeting
            if is_small(text, at) && is_greeted(text, end) && !ASSISTANTS.contains(&&text[at..end]) =>
        {
            Some(casual(text, at, end))
        }
        _ => None,
    }
}

/// Whether the greeting ends there, or goes on to whom it greets: `mia` is a name, and `my` in Italian.
fn is_greeted(text: &str, end: usize) -> bool {
    context_before::ends_greeting(text, end) || SAID_TO.iter().any(|said| text[end..].starts_with(said))
}

/// The name with another that is told of together with it.
fn casual(text: &str, start: usize, end: usize) -> Match {
    let and = AND.iter().find(|and| text[end..].starts_with(**and));
    let other = and.and_then(|and| read(text, end + and.len()));
    Match { span: Span::new(start, other.map_or(end, |(end, _)| end)), confidence: CASUAL }
}

/// Where the name at `at` ends, and whether it has a surname.
fn read(text: &str, at: usize) -> Option<(usize, bool)> {
    let end = words::word_end(text, at);
    let given = class(&title_case(&text[at..end]));
    let next = end + 1;
    let surname_end = text.get(next..).map_or(end, |_| words::word_end(text, next));
    let has_surname =
        text.as_bytes().get(end) == Some(&b' ') && text.get(next..surname_end).is_some_and(is_surname);
    let is_identifier = text[end..].starts_with(|c: char| c.is_ascii_digit() || matches!(c, '_' | '(' | '@'));
    let is_name = !is_identifier && (given.is_plain_given() || (given.is_given() && has_surname));
    is_name.then_some((if has_surname { surname_end } else { end }, has_surname))
}

fn is_surname(word: &str) -> bool {
    let word = title_case(word);
    let class = class(&word);
    class.is_surname() || (class.is_unknown() && looks_like_surname(&word))
}

/// Returns the end of a surname that no list has, behind the given name that ends at `end`: what speaks of oneself ends with it,
/// or goes on with `and`.
fn unlisted_surname(text: &str, end: usize) -> Option<usize> {
    let start = end + text[end..].strip_prefix(' ').map(|_| 1)?;
    let end = words::word_end(text, start);
    let word = &text[start..end];
    let is_unknown =
        word.starts_with(char::is_lowercase) && word.len() > 3 && class(&title_case(word)).is_unknown();
    let rest = &text[end..];
    let ends = rest.is_empty()
        || rest.starts_with(['.', ',', '!', '?', ';', '\n'])
        || AND.iter().any(|and| rest.starts_with(and));
    (is_unknown && ends && !not_names::is_one(&title_case(word))).then_some(end)
}

/// Whether the text around `at` does without capitals.
fn is_small(text: &str, at: usize) -> bool {
    let around = nearby::before(text, at, REACH).chars().chain(nearby::after(text, at, REACH).chars());
    around.filter(|c| c.is_uppercase()).count() <= CAPITALS
}
