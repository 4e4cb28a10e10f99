//! Number-like stretches of a text, cut out once for all kinds.

use crate::span::Span;

/// A run of groups of ASCII letters and digits joined by single separators (blank, `-`, `.`, `/`), with at least one digit.
#[derive(Clone, Copy, Debug)]
pub struct Candidate<'t> {
    /// Where it stands in the scanned view.
    pub span: Span,
    /// As written, separators included.
    pub written: &'t str,
    /// Letters and digits alone, letters in upper case.
    pub compact: &'t str,
}

impl Candidate<'_> {
    /// The digits' values, when `compact` holds nothing else.
    pub fn digits(&self) -> Option<impl Iterator<Item = u32> + Clone> {
        self.compact
            .bytes()
            .all(|byte| byte.is_ascii_digit())
            .then(|| self.compact.bytes().map(|byte| u32::from(byte - b'0')))
    }
}
