//! Words that the preceding text marks as a name, even if no list contains them.

use super::{introductions::Promise, not_names, words::Word};
use crate::{pii::nearby, span::Span};

/// Confidence of a word that no list knows as anything; worth masking, not worth stopping a text.
const UNKNOWN: f32 = 0.52;
/// Confidence of a word that a list knows as a name.
const KNOWN: f32 = 0.6;
/// Bytes on both sides of a label in which other labels of a person's data may stand.
const FORM: usize = 160;

/// Whether a greeting begins at `start`: greetings stand first in their sentence.
pub(super) fn begins_greeting(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end_matches([' ', '"', '*', '>', '-']);
    text[start..].starts_with(char::is_uppercase) || before.is_empty() || before.ends_with('\n')
}

/// `rest` without the gap and the tags (`</td><td>`) before a value.
pub(super) fn without_marks(rest: &str, is_gap: impl Fn(char) -> bool + Copy) -> &str {
    let mut value = rest.trim_start_matches(is_gap);
    for _ in 0..4 {
        let Some(tag) = value.strip_prefix('<') else { break };
        let Some(end) = tag.find('>').filter(|end| *end <= 12) else { break };
        value = tag[end..].trim_start_matches(is_gap);
    }
    value
}

/// How sure the place that `promise` makes for `names` is; `None` for not enough.
pub(super) fn confidence(text: &str, names: &[Word<'_>], promise: Promise, has_title: bool) -> Option<f32> {
    let (first, last) = (names.first()?, names.last()?);
    let is_slot = match promise {
        Promise::Greeting => ends_greeting(text, last.span.end),
        Promise::By => true,
        Promise::Role => ends_field(text, last.span.end),
        Promise::AnyField => ends_field(text, last.span.end) && stands_in_form(text, first.span),
        Promise::SignOff => ends_line(text, last.span.end),
        _ => false,
    };
    let is_known = names.iter().any(|word| word.class.is_given() || word.class.is_surname());
    let may_be = names.len() < 4 && names.iter().all(may_name);
    (is_slot && may_be && goes_no_further(text, last.span.end)).then_some(if is_known || has_title {
        KNOWN
    } else {
        UNKNOWN
    })
}

/// Whether nothing is known against `word` as a name.
pub(super) fn may_name(word: &Word<'_>) -> bool {
    let class = word.class;
    let is_name = class.is_given() || class.is_surname();
    let is_other = class.is_stop() || class.is_organisation() || (class.is_ambiguous() && !class.is_given());
    !is_other
        && (is_name || is_written_as_name(word.text))
        && !is_shouted(word.text)
        && !not_names::is_one(word.text)
}

/// Whether capitals alone are in it: they stand for something, or for nobody.
fn is_shouted(word: &str) -> bool {
    !word.contains(char::is_lowercase)
}

/// A capital, then small letters, in each part of the word.
fn is_written_as_name(word: &str) -> bool {
    let is_part = |part: &str| {
        let mut letters = part.chars();
        letters.next().is_some_and(char::is_alphabetic) && letters.all(char::is_lowercase)
    };
    let word = word.strip_prefix("Mc").or_else(|| word.strip_prefix("Mac")).unwrap_or(word);
    word.chars().count() > 2 && word.split(['-', '\'', '’']).all(is_part)
}

pub(super) fn ends_greeting(text: &str, end: usize) -> bool {
    let rest = &text[end..];
    rest.trim_start_matches(' ').is_empty()
        || [",", "!", "\n", "\r", ":", ";", ".", " -", " –", " —", " please", "<"]
            .iter()
            .any(|sign| rest.starts_with(sign))
}

fn ends_field(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches([' ', '\\']);
    rest.is_empty() || rest.starts_with(['\n', '\r', '<', '"', ',', ';', '|', '}', ')', '\''])
}

fn ends_line(text: &str, end: usize) -> bool {
    let rest = text[end..].trim_start_matches([' ', '\r', '.', '*']);
    rest.is_empty() || rest.starts_with(['\n', '<'])
}

/// Whether the word is not the beginning of `Node.js`, `main()`, `Acme & Sons`, `Vue 3`.
pub(super) fn goes_no_further(text: &str, end: usize) -> bool {
    let mut rest = text[end..].chars();
    let (sign, next) = (rest.next(), rest.next());
    let is_next = |is: fn(char) -> bool| next.is_some_and(is);
    match sign {
        Some('@' | '_' | '(') => false,
        Some('.' | '/' | '-') => !is_next(char::is_alphanumeric),
        Some(' ') => !is_next(|c| c.is_ascii_digit() || c == '&'),
        _ => true,
    }
}

/// Labels that forms about people have.
const PERSONAL: [&str; 29] = [
    "birth",
    "dob",
    "gender",
    "sex:",
    "age:",
    "email",
    "e-mail",
    "phone",
    "tel:",
    "address",
    "nationality",
    "occupation",
    "job:",
    "passport",
    "ssn",
    "social",
    "marital",
    "geburt",
    "geschlecht",
    "anschrift",
    "naissance",
    "nacimiento",
    "nascita",
    "nascimento",
    "geboorte",
    "surname",
    "password",
    "country:",
    "user name",
];

/// Returns whether other labels of a person's data stand near `value`.
pub(super) fn stands_in_form(text: &str, value: Span) -> bool {
    let (before, after) = (nearby::before(text, value.start, FORM), nearby::after(text, value.end, FORM));
    let speaks = |part: &str| {
        let lower = part.to_lowercase();
        PERSONAL.iter().any(|label| lower.contains(label))
    };
    speaks(after) || speaks(before)
}
