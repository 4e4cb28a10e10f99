//! JSON as it is written: values with their places, and edits that leave every other byte as it was.

use std::{collections::BTreeMap, ops::Range};

use serde::{Deserialize, de::IgnoredAny};
use serde_json::value::RawValue;

/// A value in a JSON text.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(transparent)]
pub struct Node<'b>(#[serde(borrow)] &'b RawValue);

impl<'b> Node<'b> {
    /// Returns the value that a text is; `None` if it is not JSON.
    pub fn of(text: &'b str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// Returns the fields of an object; none of anything else.
    pub fn fields(self) -> BTreeMap<String, Self> {
        serde_json::from_str(self.raw()).unwrap_or_default()
    }

    /// Returns the items of an array; none of anything else.
    pub fn items(self) -> Vec<Self> {
        serde_json::from_str(self.raw()).unwrap_or_default()
    }

    /// Returns the text of a string.
    pub fn text(self) -> Option<String> {
        serde_json::from_str(self.raw()).ok()
    }

    /// Returns whether the value is an object or array.
    pub fn is_nested(self) -> bool {
        self.raw().starts_with(['{', '['])
    }

    /// Returns the value as it is written.
    pub fn raw(self) -> &'b str {
        self.0.get()
    }

    /// Returns where the value stands in `body`, of which it is a part.
    pub fn span(self, body: &str) -> Range<usize> {
        let start = self.raw().as_ptr().addr() - body.as_ptr().addr();
        start..start + self.raw().len()
    }
}

/// Edits of a JSON text.
#[derive(Debug, Default)]
pub struct Edits(Vec<(Range<usize>, String)>);

impl Edits {
    /// Replaces what stands at `span` by `written`.
    pub fn replace(&mut self, span: Range<usize>, written: String) {
        self.0.push((span, written));
    }

    /// Returns the edited text. Edits do not overlap.
    pub fn apply(mut self, body: &str) -> String {
        self.0.sort_by_key(|(span, _)| span.start);
        let mut edited = String::with_capacity(body.len());
        let mut at = 0;
        for (span, written) in self.0 {
            edited.push_str(&body[at..span.start]);
            edited.push_str(&written);
            at = span.end;
        }
        edited.push_str(&body[at..]);
        edited
    }
}

/// Returns whether a text is one JSON value.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<IgnoredAny>(text).is_ok()
}

/// Returns the literal of a string (RFC 8259, section 7).
pub fn literal(text: &str) -> String {
    // Strings always serialize.
    serde_json::to_string(text).unwrap_or_default()
}

/// Returns a literal of `new`, which keeps what `raw`, a literal of `old`, has in common with it as it is written.
pub fn edited_literal(raw: &str, old: &str, new: &str) -> String {
    let start = common_prefix(old, new);
    let end = common_suffix(&old[start..], &new[start..]);
    let middle = literal(&new[start..new.len() - end]);
    let (from, to) = (place_in_literal(raw, start), place_in_literal(raw, old.len() - end));
    format!("{}{}{}", &raw[..from], &middle[1..middle.len() - 1], &raw[to..])
}

fn common_prefix(a: &str, b: &str) -> usize {
    a.char_indices().zip(b.chars()).find(|((_, a), b)| a != b).map_or(a.len().min(b.len()), |((at, _), _)| at)
}

fn common_suffix(a: &str, b: &str) -> usize {
    a.chars().rev().zip(b.chars().rev()).take_while(|(a, b)| a == b).map(|(a, _)| a.len_utf8()).sum()
}

/// Returns where byte `at` of the text of a literal is written in it. `at` is the boundary of a character.
fn place_in_literal(raw: &str, at: usize) -> usize {
    let (mut place, mut read) = (1, 0);
    while read < at {
        let (written, bytes) = character(&raw[place..]);
        place += written;
        read += bytes;
    }
    place
}

/// Returns the bytes of the first character of a literal as it is written, and in UTF-8.
fn character(raw: &str) -> (usize, usize) {
    let unit =
        |from: usize| u32::from_str_radix(raw.get(from..from + 4).unwrap_or_default(), 16).unwrap_or(0);
    match raw.as_bytes() {
        [b'\\', b'u', ..] => match unit(2) {
            0xD800..0xDC00 => (12, 4),
            code => (6, char::from_u32(code).map_or(1, char::len_utf8)),
        },
        [b'\\', ..] => (2, 1),
        _ => {
            let bytes = raw.chars().next().map_or(1, char::len_utf8);
            (bytes, bytes)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn edits_leave_every_other_byte_as_it_was() {
        let body = r#" { "a" :[1, "x\u0041y" ] , "b":{"c" : "\/" }}"#;
        let root = Node::of(body).unwrap();
        let item = root.fields()["a"].items()[1];
        assert_eq!((item.text().as_deref(), item.raw()), (Some("xAy"), r#""x\u0041y""#));
        let mut edits = Edits::default();
        edits.replace(root.fields()["b"].fields()["c"].span(body), "7".to_owned());
        edits.replace(item.span(body), edited_literal(item.raw(), "xAy", "xA-y"));
        assert_eq!(edits.apply(body), r#" { "a" :[1, "x\u0041-y" ] , "b":{"c" : 7 }}"#);
    }

    #[test]
    fn escapes_outside_the_edit_stay() {
        let raw = r#""\u00e9 \ud83d\ude00 jane \/ \n\"""#;
        let (old, new) = ("é 😀 jane / \n\"", "é 😀 [\"J\"] / \n\"");
        assert_eq!(edited_literal(raw, old, new), r#""\u00e9 \ud83d\ude00 [\"J\"] \/ \n\"""#);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn an_edited_literal_reads_as_the_new_text(
            old in "[aé😀\"\\\\/\n\u{1}]{0,12}", new in "[aé😀\"\\\\/\n\u{1}]{0,12}", escapes in any::<bool>(),
        ) {
            let raw = if escapes {
                let units = old.encode_utf16().map(|unit| format!("\\u{unit:04x}"));
                format!("\"{}\"", units.collect::<String>())
            } else {
                literal(&old)
            };
            let edited = edited_literal(&raw, &old, &new);
            prop_assert_eq!(serde_json::from_str::<String>(&edited).unwrap(), new);
        }
    }
}
