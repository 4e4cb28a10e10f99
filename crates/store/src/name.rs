//! Names as they are compared and kept.

use std::borrow::Cow;

use caseless::default_case_fold_str;

/// What two names are compared by: trimmed, and case-folded in full (Unicode Standard, section 3.13, D144).
pub(crate) fn key(name: &str) -> String {
    storable(&default_case_fold_str(name.trim())).into_owned()
}

/// Whether two names are the same where names are unique.
pub fn is_same_name(one: &str, other: &str) -> bool {
    key(one) == key(other)
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
        assert!(is_same_name("  Straße ", "STRASSE"));
        assert!(!is_same_name("a b", "ab"));
    }

    #[test]
    fn a_nul_becomes_its_symbol() {
        assert_eq!(storable("a\0b"), "a\u{2400}b");
    }
}
