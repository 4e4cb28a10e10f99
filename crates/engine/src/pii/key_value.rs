//! Key-value pairs in a text: `label: value`, `label = value`, `"label": "value"`.

use regex::Regex;

use crate::{regex::pattern, span::Span, text::char_boundary};

/// Maximum distance between the start of a label and its sign, in bytes.
const LABEL: usize = 32;
/// Maximum length of a value in bytes.
const VALUE: usize = 256;

/// A label with the sign that assigns a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assignment {
    /// Label before the sign: words in lower case with single blanks between (`apiKey` and `API_KEY` are `api key`).
    pub label: String,
    // After the sign.
    from: usize,
}

impl Assignment {
    /// Returns whether the label is or ends with one of `names`, as whole words.
    pub fn is_labelled(&self, names: &[&str]) -> bool {
        names.iter().any(|name| {
            let before = self.label.strip_suffix(name);
            before.is_some_and(|before| !before.ends_with(|c: char| c.is_alphanumeric() && c < '\u{590}'))
        })
    }

    /// Returns the value in `text`, if there is one.
    pub fn value(&self, text: &str) -> Option<Value> {
        Value::read(text, self.from)
    }
}

/// A value, without quotes and without the punctuation of the sentence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Location in the text.
    pub span: Span,
    /// Whether it is quoted.
    pub quoted: bool,
}

impl Value {
    // Returns the value after `from`.
    fn read(text: &str, from: usize) -> Option<Self> {
        let rest = text[from..].trim_start_matches([' ', '\t']);
        let start = text.len() - rest.len();
        let (open, quote) = quote(rest);
        let body = &rest[open..];
        let reach = &body[..char_boundary::floor(body, VALUE)];
        let length = match quote {
            Some(closing) => {
                reach.find([closing, '\n']).filter(|place| body[*place..].starts_with(closing))?
            }
            None => bare_length(reach),
        };
        let span = Span::new(start + open, start + open + length);
        (length > 0).then_some(Self { span, quoted: quote.is_some() })
    }

    /// Returns whether it is quoted or only punctuation follows on its line, so that it is the whole value of the label.
    pub fn stands_alone(&self, text: &str) -> bool {
        let next = text[self.span.end..].chars().take(VALUE).find(|c| *c == '\n' || c.is_alphanumeric());
        self.quoted || next.is_none_or(|c| c == '\n')
    }
}

/// Sentences that state a value: a name, a verb, the value (`my password is …`).
pub struct Sentences {
    // An alternative of literals is searched for with vector instructions.
    names: Regex,
    verbs: &'static [&'static str],
}

impl Sentences {
    /// Sentences with one of `names`, written exactly so (leave out a first letter that may be a capital), and one of `verbs`.
    pub fn new(names: &[&str], verbs: &'static [&'static str]) -> Self {
        let names: Vec<String> = names.iter().map(|name| regex::escape(name)).collect();
        Self { names: pattern(&names.join("|")), verbs }
    }

    /// Returns the values that `text` states.
    pub fn values(&self, text: &str) -> impl Iterator<Item = Value> {
        let ends = self.names.find_iter(text).map(|name| name.end());
        ends.filter_map(move |end| {
            let verb = self.verbs.iter().find(|verb| text[end..].starts_with(**verb))?;
            Value::read(text, end + verb.len())
        })
    }
}

/// Returns every assignment in `text`, in order; comparisons (`==`, `!=`), paths (`a::b`) and `scheme://` are none.
pub(super) fn all(text: &str) -> Vec<Assignment> {
    memchr::memchr2_iter(b':', b'=', text.as_bytes()).filter_map(|sign| at(text, sign)).collect()
}

fn at(text: &str, sign: usize) -> Option<Assignment> {
    let bytes = text.as_bytes();
    let part = |byte: Option<&u8>, parts: &[u8]| byte.is_some_and(|byte| parts.contains(byte));
    let before = sign.checked_sub(1).and_then(|before| bytes.get(before));
    let compares =
        part(bytes.get(sign + 1), b"=:>") || part(before, b":=!<>") || text[sign..].starts_with("://");
    let label = (!compares).then(|| label(text, sign)).flatten()?;
    Some(Assignment { label, from: sign + 1 })
}

// Returns the words before the sign, on its line; a label ends with a letter or digit, quotes aside.
fn label(text: &str, sign: usize) -> Option<String> {
    let start = char_boundary::floor(text, sign.saturating_sub(LABEL));
    let before = text[start..sign].trim_end_matches([' ', '"', '\'', '`', '*', '\\']);
    let part = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '_' | '-' | '/');
    let words = &before[before.rfind(|c| !part(c)).map_or(0, |place| text_after(before, place))..];
    (!words.is_empty() && words.len() < LABEL).then(|| in_words(words)).filter(|label| !label.is_empty())
}

fn text_after(text: &str, place: usize) -> usize {
    char_boundary::ceil(text, place + 1)
}

fn in_words(written: &str) -> String {
    let mut words = String::with_capacity(written.len() + 4);
    let mut was_lower = false;
    for c in written.chars() {
        let parts = !c.is_alphanumeric() || (was_lower && c.is_uppercase());
        if parts && !words.is_empty() && !words.ends_with(' ') {
            words.push(' ');
        }
        if c.is_alphanumeric() {
            words.extend(c.to_lowercase());
        }
        was_lower = c.is_lowercase();
    }
    words
}

// Length of the opening quote, and the closing quote.
fn quote(rest: &str) -> (usize, Option<char>) {
    let escaped = usize::from(rest.starts_with("\\\"") || rest.starts_with("**"));
    let body = &rest[escaped..];
    match body.chars().next() {
        Some(quote @ ('"' | '\'' | '`')) => (escaped + 1, Some(if escaped == 1 { '\\' } else { quote })),
        Some('“' | '„') => (escaped + '“'.len_utf8(), Some('”')),
        Some('«') => (escaped + '«'.len_utf8(), Some('»')),
        Some('「') => (escaped + '「'.len_utf8(), Some('」')),
        Some('*') if escaped == 1 => (2, Some('*')),
        _ => (0, None),
    }
}

fn bare_length(rest: &str) -> usize {
    let ends = |c: char| c.is_whitespace() || matches!(c, '"' | '<' | '、' | '。' | '」');
    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
    word.trim_end_matches(['.', ',', ';', ':', ')', ']', '}', '\'', '`']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(String, &str)> {
        let value = |found: &Assignment| found.value(text).map(|value| value.span.of(text));
        all(text)
            .into_iter()
            .filter_map(|found| Some((value(&found)?, found.label)))
            .map(|(value, label)| (label, value))
            .collect()
    }

    #[test]
    fn labels_and_values_are_read_in_any_notation() {
        for text in [
            "api key: abc",
            "API_KEY=abc",
            "\"apiKey\": \"abc\"",
            "api-key = 'abc';",
            "  api key : `abc`",
            "**API key**: abc.",
        ] {
            assert_eq!(read(text), [("api key".to_owned(), "abc")], "{text}");
        }
        assert_eq!(read("(пароль: тайна)"), [("пароль".to_owned(), "тайна")]);
    }

    #[test]
    fn comparisons_paths_and_schemes_assign_nothing() {
        for text in [
            "a == b",
            "a != b",
            "std::fmt",
            "https://example.com",
            "a => b >= c",
            ":",
            "=",
            "a:",
            "\"=",
            "x = \"open",
        ] {
            assert_eq!(read(text), Vec::new(), "{text}");
        }
    }
}
