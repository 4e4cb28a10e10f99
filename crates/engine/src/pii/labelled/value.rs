//! The end of a value, by the grammar of its quotes, its list of pairs, its tag or its sentence.

use crate::{span::Span, text::char_boundary};

/// Longest value, in bytes.
const LONGEST: usize = 512;
/// Longest key of a pair that follows behind a delimiter, in bytes.
const KEY: usize = 40;

/// A value, without its quotes and without the punctuation of the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Location in the text.
    pub span: Span,
    /// True if it is quoted or between tags.
    pub is_quoted: bool,
    /// True if the delimiter of a list of pairs ends it (`a=1&b=2`, `a=1;b=2`, `a=1 b=2`), or a remark follows.
    pub is_ended: bool,
}

impl Value {
    /// Returns whether nothing else is said on its line, so that it is the whole value.
    pub fn stands_alone(&self, text: &str) -> bool {
        let mut rest = text[self.span.end..].chars().take(LONGEST);
        self.is_quoted
            || self.is_ended
            || rest.find(|c| *c == '\n' || c.is_alphanumeric()).is_none_or(|c| c == '\n')
    }
}

/// Reads the value that begins at `from`; `before` is the sign before its key.
pub(super) fn read(text: &str, from: usize, before: Option<char>) -> Option<Value> {
    match open_quote(reach(text, from)) {
        Some(open) => quoted(text, from, open),
        None => bare(text, from, before),
    }
}

/// The text of an element: `>value</`.
pub(super) fn element(text: &str, from: usize) -> Option<Value> {
    let reach = reach(text, from);
    let length = memchr::memchr2(b'<', b'\n', reach.as_bytes())?;
    let is_closed = reach[length..].starts_with("</");
    let written = reach[..length].trim();
    let start = from + length - reach[..length].trim_start().len();
    let span = Span::new(start, start + written.len());
    (is_closed && !written.is_empty()).then_some(Value { span, is_quoted: true, is_ended: true })
}

fn reach(text: &str, from: usize) -> &str {
    &text[from..char_boundary::floor(text, from + LONGEST)]
}

/// An opening quote.
#[derive(Clone, Copy)]
struct Open {
    /// Its length with the backslashes before it, in bytes.
    length: usize,
    /// Backslashes before it.
    escapes: usize,
    /// The quote that closes.
    close: char,
}

fn open_quote(reach: &str) -> Option<Open> {
    let escapes = reach.bytes().take_while(|byte| *byte == b'\\').count();
    let stars = if reach.starts_with("**") { 2 } else { 0 };
    let open = reach[escapes + stars..].chars().next()?;
    let (length, close) = match open {
        '"' | '\'' | '`' => (escapes + stars + 1, open),
        '“' | '„' => (open.len_utf8(), '”'),
        '«' => (open.len_utf8(), '»'),
        '「' => (open.len_utf8(), '」'),
        _ if stars > 0 => (2, '*'),
        _ => return None,
    };
    Some(Open { length, escapes, close })
}

/// Reads up to the closing quote; quotes that hold nothing or never close are no value.
fn quoted(text: &str, from: usize, open: Open) -> Option<Value> {
    let start = from + open.length;
    let length =
        closing(&reach(text, from)[open.length..], open.escapes, open.close).filter(|length| *length > 0)?;
    Some(Value { span: Span::new(start, start + length), is_quoted: true, is_ended: true })
}

/// Returns where the quote closes that `escapes` backslashes stand before. A string inside a string has one backslash before its
/// quotes, its own escaped quotes have three: a quote closes when the backslashes before it are `escapes`, whole pairs of
/// the deeper level aside (RFC 8259, section 7). A doubled quote is one of the value (ISO/IEC 9075-2).
fn closing(inner: &str, escapes: usize, close: char) -> Option<usize> {
    let bytes = inner.as_bytes();
    let mut at = 0;
    while let Some(found) = inner[at..].find([close, '\n']) {
        let place = at + found;
        if !inner[place..].starts_with(close) {
            return None;
        }
        let run = bytes[..place].iter().rev().take_while(|byte| **byte == b'\\').count();
        let after = place + close.len_utf8();
        let is_doubled =
            escapes == 0 && place > 0 && matches!(close, '"' | '\'') && inner[after..].starts_with(close);
        if is_doubled {
            at = after + close.len_utf8();
        } else if run % (2 * (escapes + 1)) == escapes {
            return Some(place - escapes);
        } else {
            at = after;
        }
    }
    None
}

fn bare(text: &str, from: usize, before: Option<char>) -> Option<Value> {
    let reach = reach(text, from);
    let end = reach.char_indices().find(|(place, c)| ends(&reach[*place..], *c, before));
    let word = &reach[..end.map_or(reach.len(), |(place, _)| place)];
    let length = word.trim_end_matches(['.', ',', ';', ':', ')', ']', '}', '\'', '`']).len();
    let rest = &reach[word.len()..];
    let is_last = || {
        let next = rest.trim_start_matches(' ');
        next.len() < rest.len() && (next.starts_with('#') || next.starts_with("//") || is_tight_pair(next))
    };
    let is_ended = length == word.len() && (rest.starts_with(['&', ';']) || is_last());
    (length > 0).then(|| Value { span: Span::new(from, from + length), is_quoted: false, is_ended })
}

/// Returns whether a bare value ends before `rest`, which begins with `c`.
fn ends(rest: &str, c: char, before: Option<char>) -> bool {
    let next = || rest[c.len_utf8()..].chars().next();
    let is_last = || next().is_none_or(|next| next.is_whitespace() || matches!(next, '"' | '\''));
    match c {
        '"' | '<' | '、' | '。' | '，' | '；' | '」' => true,
        '\'' | '`' => before == Some(c),
        '\\' => next().is_some_and(|next| matches!(next, '"' | 'n' | 'r' | 't' | '\'')),
        '&' => matches!(before, Some('?' | '&')) || is_pair(&rest[1..]),
        '#' => matches!(before, Some('?' | '&')),
        ';' => before == Some(';') || is_last() || is_pair(&rest[1..]),
        ',' => is_last() || is_pair(&rest[1..]),
        _ => c.is_whitespace(),
    }
}

/// Returns whether a key and its sign follow: `next=`, `amp;next=`.
fn is_pair(rest: &str) -> bool {
    let rest = rest.strip_prefix("amp;").unwrap_or(rest).trim_start_matches(' ');
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.' | b' ');
    let key = rest.bytes().take(KEY).take_while(is_part).count();
    rest.starts_with(|c: char| c.is_ascii_alphabetic()) && rest[key..].starts_with('=')
}

/// Returns whether a key without blanks and its sign follow.
fn is_tight_pair(rest: &str) -> bool {
    rest.find(['=', ' ']).is_some_and(|end| rest[end..].starts_with('=')) && is_pair(rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str, before: Option<char>) -> Option<&str> {
        read(text, 0, before).map(|value| value.span.of(text))
    }

    #[test]
    fn a_quoted_value_ends_at_its_own_quote() {
        for (text, expected) in [
            (r#""ab\"cd" x"#, r#"ab\"cd"#),
            (r#""ab\\" x"#, r"ab\\"),
            (r#"\"ab\\\"cd\", \"n\""#, r#"ab\\\"cd"#),
            ("'it''s' x", "it''s"),
            ("“a b” c", "a b"),
            ("`a`", "a"),
            ("**a**.", "a"),
        ] {
            assert_eq!(value(text, None), Some(expected), "{text}");
        }
        assert_eq!(value("\"open", None), None);
        assert_eq!(value("\"\" x", None), None);
    }

    #[test]
    fn a_bare_value_ends_where_the_next_pair_begins() {
        for (text, before, expected) in [
            ("a&b/c&next=/home", None, "a&b/c"),
            ("a&flag", Some('&'), "a"),
            ("a;b;Encrypt=True;", None, "a;b"),
            ("a,b,timeout=5", None, "a,b"),
            ("a, the rest", None, "a"),
            ("it's' -x", Some('\''), "it"),
            ("abc\\nB=1", None, "abc"),
            ("a).", None, "a"),
        ] {
            assert_eq!(value(text, before), Some(expected), "{text}");
        }
    }

    #[test]
    fn the_text_of_an_element_ends_at_its_tag() {
        let text = " a b </x>";
        assert_eq!(element(text, 0).map(|value| value.span.of(text)), Some("a b"));
        assert_eq!(element("a <b>", 0), None);
    }
}
