//! Keeps a JSON document one (RFC 8259): a marker in place of a bare number becomes a string, and a replacement inside a
//! string keeps its escapes.

use std::cell::{Cell, OnceCell};

use serde::de::IgnoredAny;

use crate::span::Span;

/// The text around the places to mask.
pub(super) struct Structure<'t> {
    text: &'t str,
    is_json: OnceCell<bool>,
    // How far strings have been read, and whether that is inside one.
    read: Cell<(usize, bool)>,
}

impl<'t> Structure<'t> {
    pub const fn new(text: &'t str) -> Self {
        Self { text, is_json: OnceCell::new(), read: Cell::new((0, false)) }
    }

    /// Returns the quote to put on both sides of `shown` in place of `span`; empty where none is needed. Spans come in
    /// ascending order.
    pub fn quote(&self, span: Span, shown: &str) -> String {
        let (before, after) = (self.text[..span.start].trim_end(), self.text[span.end..].trim_start());
        let key = before.strip_suffix(':').and_then(|before| before.trim_end().strip_suffix('"'));
        let is_element = || before.ends_with(['[', ',']) && !self.is_inside_string(span.start);
        let is_scalar = after.starts_with([',', ']', '}', '\\']) && (key.is_some() || is_element());
        if !is_scalar || !self.is_json() || serde_json::from_str::<f64>(shown).is_ok() {
            return String::new();
        }
        // A document inside a string of another has a backslash before its quotes.
        let escapes = key.map_or(0, |key| key.len() - key.trim_end_matches('\\').len());
        "\\".repeat(escapes) + "\""
    }

    fn is_inside_string(&self, at: usize) -> bool {
        let (from, mut is_inside) = self.read.get();
        let mut is_escaped = false;
        for byte in &self.text.as_bytes()[from..at] {
            is_inside ^= *byte == b'"' && !is_escaped;
            is_escaped = *byte == b'\\' && !is_escaped;
        }
        self.read.set((at, is_inside));
        is_inside
    }

    fn is_json(&self) -> bool {
        *self.is_json.get_or_init(|| {
            self.text.trim_start().starts_with(['{', '['])
                && serde_json::from_str::<IgnoredAny>(self.text).is_ok()
        })
    }
}

/// Decodes the escapes of a string; `None` without any.
pub(super) fn unescaped(written: &str) -> Option<String> {
    written.contains('\\').then(|| serde_json::from_str(&format!("\"{written}\"")).ok())?
}

/// Writes `value` as the inside of a string.
pub(crate) fn escaped(value: &str) -> String {
    let quoted = serde_json::to_string(value).unwrap_or_default();
    quoted.get(1..quoted.len().saturating_sub(1)).unwrap_or_default().to_owned()
}
