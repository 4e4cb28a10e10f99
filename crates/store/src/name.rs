//! Comparing and storing names.

use std::borrow::Cow;

use caseless::default_case_fold_str;

/// The form by which names are compared: trimmed and case-folded (Unicode Standard, section 3.13, D144).
pub fn key(name: &str) -> String {
    storable(&default_case_fold_str(name.trim())).into_owned()
}

/// Returns whether two names count as the same where names are unique.
pub fn is_same_name(one: &str, other: &str) -> bool {
    key(one) == key(other)
}

/// Replaces U+0000, which PostgreSQL cannot store in a text, by its symbol U+2400, on both databases.
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
