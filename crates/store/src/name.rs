//! The rule for names and passwords: how they are stored, compared and refused. Every path that takes one uses it.
//!
//! It follows the profiles of PRECIS (RFC 8265): spaces are mapped to U+0020, texts are in NFC, and names are compared in
//! their narrow or wide standard form without case. Unlike the profiles, it accepts symbols in names, and passwords that
//! consist of whatever was typed.

use std::borrow::Cow;

use caseless::default_case_fold_str;
use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// Most characters of a name.
pub const MAX_NAME_CHARS: usize = 100;

/// Why a name is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NameError {
    /// It is blank or too long.
    #[error("must have 1 to {MAX_NAME_CHARS} characters")]
    Length,
    /// It contains a control character, a line break, or a character without an image of its own.
    #[error("must not contain control or invisible characters")]
    Invisible,
}

/// Returns a new name as it is stored: with plain spaces, none of them outside, and in NFC.
pub fn prepare_name(name: &str) -> Result<String, NameError> {
    if name.chars().any(is_invisible) {
        return Err(NameError::Invisible);
    }
    let prepared: String = name.chars().map(plain_space).nfc().collect();
    let prepared = prepared.trim();
    let fits = (1..=MAX_NAME_CHARS).contains(&prepared.chars().count());
    if fits { Ok(prepared.to_owned()) } else { Err(NameError::Length) }
}

/// Returns the name after a change as it is stored. A name from before this rule may stay as it is.
pub fn prepare_changed_name(name: &str, current: &str) -> Result<String, NameError> {
    if name.trim() == current { Ok(current.to_owned()) } else { prepare_name(name) }
}

/// Returns the number of characters of a name in NFC, without outer spaces.
pub fn name_chars(name: &str) -> usize {
    name.trim().nfc().count()
}

/// Returns a password as it is hashed: with plain spaces and in NFC (RFC 8265, section 4.2).
pub fn prepare_password(password: &str) -> String {
    password.chars().map(plain_space).nfc().collect()
}

/// Returns the form by which names are compared: trimmed, in standard width, and case-folded under canonical equivalence
/// (Unicode Standard, section 3.13, D145), without selectors of emoji or text style.
pub fn name_key(name: &str) -> String {
    let visible = name.trim().chars().filter(|character| !matches!(character, '\u{fe0e}' | '\u{fe0f}'));
    let narrow: String = visible.map(plain_space).flat_map(standard_width).nfd().collect();
    let folded: String = default_case_fold_str(&narrow).nfc().collect();
    storable(folded.trim()).into_owned()
}

/// Returns whether two names count as the same where names are unique.
pub fn is_same_name(one: &str, other: &str) -> bool {
    name_key(one) == name_key(other)
}

/// Replaces U+0000, which PostgreSQL cannot store in a text, by its symbol U+2400, on both databases.
pub(crate) fn storable(text: &str) -> Cow<'_, str> {
    if text.contains('\0') { Cow::Owned(text.replace('\0', "\u{2400}")) } else { Cow::Borrowed(text) }
}

fn plain_space(character: char) -> char {
    if character.general_category() == GeneralCategory::SpaceSeparator { ' ' } else { character }
}

/// Maps full-width and half-width forms (U+FF00 to U+FFEF) to the characters that they stand for.
fn standard_width(character: char) -> impl Iterator<Item = char> {
    let is_form = matches!(character, '\u{ff00}'..='\u{ffef}');
    let (form, other) = if is_form { (Some(character), None) } else { (None, Some(character)) };
    form.into_iter().nfkc().chain(other)
}

/// Returns whether a character is a control, a format character such as those of direction and zero width, a line break,
/// or another that is ignored in display (`Default_Ignorable_Code_Point`). Selectors of emoji style are accepted.
fn is_invisible(character: char) -> bool {
    matches!(
        character.general_category(),
        GeneralCategory::Control
            | GeneralCategory::Format
            | GeneralCategory::LineSeparator
            | GeneralCategory::ParagraphSeparator
    ) || matches!(
        character,
        '\u{34f}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{2060}'..='\u{206f}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0d}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{e0000}'..='\u{e0fff}'
    )
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_compared_without_case_and_outer_blanks() {
        assert!(is_same_name("  Straße ", "STRASSE"));
        assert!(!is_same_name("a b", "ab"));
    }

    #[test]
    fn a_name_typed_in_another_form_is_the_same_name() {
        for (one, other) in [
            ("Zo\u{e9}", "Zoe\u{301}"),
            ("\u{ac00}", "\u{1100}\u{1161}"),
            ("a\u{a0}b", "a b"),
            ("\u{ff21}dmin", "admin"),
            ("\u{ff76}\u{ff9e}", "\u{30ac}"),
            ("\u{2764}\u{fe0f}", "\u{2764}"),
            ("\u{1fb3}", "\u{1fbc}"),
        ] {
            assert!(is_same_name(one, other), "{one:?} {other:?}");
        }
    }

    #[test]
    fn a_name_is_stored_composed_and_trimmed() {
        assert_eq!(prepare_name(" Zoe\u{301}\u{a0}Smith\u{3000}").unwrap(), "Zo\u{e9} Smith");
        assert_eq!(prepare_name("\u{2764}\u{fe0f} chat").unwrap(), "\u{2764}\u{fe0f} chat");
        assert_eq!(prepare_name(&"e\u{301}".repeat(100)).unwrap().chars().count(), 100);
    }

    #[test]
    fn control_and_invisible_characters_are_refused() {
        for character in [
            '\0',
            '\n',
            '\t',
            '\u{7f}',
            '\u{85}',
            '\u{ad}',
            '\u{200b}',
            '\u{200d}',
            '\u{202e}',
            '\u{2028}',
            '\u{2060}',
            '\u{2066}',
            '\u{feff}',
            '\u{115f}',
            '\u{3164}',
            '\u{e0041}',
            '\u{e0100}',
        ] {
            for name in [format!("a{character}b"), format!("ab{character}"), format!("{character}ab")] {
                assert_eq!(prepare_name(&name), Err(NameError::Invisible), "{name:?}");
            }
        }
        assert_eq!(prepare_name(" \u{a0}"), Err(NameError::Length));
        assert_eq!(prepare_name(&"x".repeat(101)), Err(NameError::Length));
    }

    #[test]
    fn a_name_from_before_the_rule_may_stay() {
        assert_eq!(prepare_changed_name(" a\u{200b}b", "a\u{200b}b").unwrap(), "a\u{200b}b");
        assert_eq!(prepare_changed_name("a\u{200b}c", "a\u{200b}b"), Err(NameError::Invisible));
    }

    #[test]
    fn a_password_is_composed_and_keeps_its_case_and_outer_spaces() {
        assert_eq!(prepare_password(" Pa\u{a0}Zoe\u{301} "), " Pa Zo\u{e9} ");
    }

    #[test]
    fn a_nul_becomes_its_symbol() {
        assert_eq!(storable("a\0b"), "a\u{2400}b");
    }

    proptest! {
        #[test]
        fn keys_and_prepared_names_do_not_change_again(name in "\\PC{0,12}") {
            prop_assert_eq!(name_key(&name_key(&name)), name_key(&name));
            if let Ok(prepared) = prepare_name(&name) {
                prop_assert_eq!(name_key(&prepared), name_key(&name));
                prop_assert_eq!(prepare_name(&prepared), Ok(prepared));
            }
        }
    }
}
