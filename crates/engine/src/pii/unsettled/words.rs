//! Words of a text, each with how long it waits for what follows.

use crate::{pii::types::names::class, span::Span};

/// Characters after a number in which a word about it may stand ([`crate::pii`]'s context: 30).
const NUMBER: usize = 34;
/// Characters after a capitalized word: two words and what joins them.
const CAPITAL: usize = 30;
/// Characters after a word of a script without capitals.
const CASELESS: usize = 12;
/// Words that spell a sign of an address.
const SPELLED_SIGNS: [&str; 2] = ["at", "dot"];
/// Longest word in brackets that may spell a sign, in bytes.
const BRACKETED: usize = 24;

/// A run of characters without blanks, brackets and quotes.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// Location in bytes.
    pub span: Span,
    /// Characters that it waits for.
    pub waits: usize,
    /// True if text behind it may make it the beginning of an entity of several words.
    pub chains: bool,
}

impl Word {
    /// Makes the word wait as a number does.
    pub fn wait_like_number(&mut self) {
        self.waits = self.waits.max(NUMBER);
        self.chains = true;
    }
}

/// Returns the words of `text` from `floor` on.
pub(super) fn words(text: &str, floor: usize) -> Vec<Word> {
    let spans = spans(text, floor);
    let mut words: Vec<Word> = Vec::with_capacity(spans.len());
    for (place, &span) in spans.iter().enumerate() {
        let next = spans.get(place + 1).copied();
        let mut word = word(text, span, next);
        let is_spelled = next.is_some_and(|next| is_spelled_sign(text, next))
            || (is_spelled_sign(text, span) && place > 0);
        let is_single = |span: Span| span.of(text).chars().count() == 1;
        let is_spaced = is_single(span) && next.is_none_or(is_single);
        if is_spelled || is_spaced || (is_single(span) && place > 0 && is_single(spans[place - 1])) {
            word.wait_like_number();
        }
        words.push(word);
    }
    words
}

fn spans(text: &str, floor: usize) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut start = None;
    for (place, c) in text[floor..].char_indices().map(|(place, c)| (floor + place, c)) {
        match (is_separator(c), start) {
            (false, None) => start = Some(place),
            (true, Some(from)) => {
                spans.push(Span::new(from, place));
                start = None;
            }
            _ => {}
        }
    }
    spans.extend(start.map(|from| Span::new(from, text.len())));
    spans
}

fn is_separator(c: char) -> bool {
    c.is_whitespace() || matches!(c, '"' | '{' | '}' | '[' | ']' | '(' | ')' | '<' | '>' | '|' | ',' | ';')
}

fn word(text: &str, span: Span, next: Option<Span>) -> Word {
    let written = span.of(text);
    let (waits, chains) = match Form::of(written) {
        Form::Sign => (0, true),
        Form::Number => (NUMBER, true),
        Form::Capital if is_lone_everyday_word(text, written, next) => (plain(text, span, next), false),
        Form::Capital => (CAPITAL, true),
        Form::Caseless => (CASELESS, false),
        Form::Plain => (plain(text, span, next), false),
    };
    Word { span, waits, chains }
}

/// Returns the characters that a plain word waits for: those up to the end of the next word.
fn plain(text: &str, span: Span, next: Option<Span>) -> usize {
    match next {
        Some(next) if next.end < text.len() => 0,
        _ => text.len() - span.end + 1,
    }
}

fn is_lone_everyday_word(text: &str, written: &str, next: Option<Span>) -> bool {
    let letters = written.trim_end_matches(|c: char| !c.is_alphanumeric());
    let begins_name =
        |next: Span| next.of(text).starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit());
    class(letters).is_everyday() && !next.is_some_and(begins_name)
}

fn is_spelled_sign(text: &str, span: Span) -> bool {
    let written = span.of(text);
    let is_bracketed = || {
        span.len() <= BRACKETED
            && text[..span.start].ends_with(['[', '(', '{', '<'])
            && text[span.end..].trim_start().starts_with([']', ')', '}', '>'])
    };
    SPELLED_SIGNS.iter().any(|sign| written.eq_ignore_ascii_case(sign))
        || written.starts_with('@')
        || is_bracketed()
}

/// The characters that a word is written with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// Signs alone.
    Sign,
    /// Small letters.
    Plain,
    /// A capital letter.
    Capital,
    /// Letters of a script without capitals.
    Caseless,
    /// Digits, or signs that join the parts of addresses and identifiers.
    Number,
}

impl Form {
    fn of(written: &str) -> Self {
        let mut form = Self::Sign;
        let inner = written.trim_end_matches([':', '.', '!', '?', '*', '\'', '’', '”', '…']);
        for c in inner.chars() {
            let is_joint = matches!(c, '@' | '_' | '=' | '/' | '\\' | '%' | '&' | '#' | ':' | '+' | '.');
            match c {
                _ if c.is_numeric() || (is_joint && inner.len() > 1) => return Self::Number,
                _ if c.is_uppercase() => form = Self::Capital,
                _ if c.is_lowercase() && form == Self::Sign => form = Self::Plain,
                _ if c.is_alphabetic() && !c.is_lowercase() && form != Self::Capital => form = Self::Caseless,
                _ => {}
            }
        }
        form
    }
}
