//! Names as they are compared and kept.

use std::borrow::Cow;

use caseless::default_case_fold_str;

/// What two names are compared by: trimmed, and case-folded in full (Unicode Standard, section 3.13, D144).
pub(crate) fn key(name: &str) -> String {
    storable(&default_case_fold_str(name.trim())).into_owned()
}

/// PostgreSQL keeps no U+0000 in a text; U+2400, the symbol for it, stands for it in both databases.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{2400}")) } else { Cow::Borrowed(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_compared_without_case_and_outer_blanks() {
        assert_eq!(key("  Straße "), key("STRASSE"));
        assert_ne!(key("a b"), key("ab"));
    }

    #[test]
    fn a_nul_becomes_its_symbol() {
        assert_eq!(storable("a\0b"), "a\u{2400}b");
    }
}
