//! The case-folded view, on which keywords are matched.

use caseless::Caseless;
use memchr::memmem;

use super::View;
use super::normalize::clean;
use super::view_builder::ViewBuilder;
use crate::span::Span;

/// Folds `text` like the folded view: NFKC, no invisible characters, runs of blanks as one blank, full case folding
/// (Unicode, section 3.13). Keywords are folded before they are searched for.
pub fn folded(text: &str) -> String {
    match clean(text) {
        Some(clean) => fold(&clean.draft.text).text,
        None => fold(text).text,
    }
}

/// Returns the folded view of a clean view.
pub(super) fn fold_view<'a>(clean: &View<'a>) -> View<'a> {
    if is_folded(clean.text.as_bytes()) {
        return clean.clone();
    }
    clean.derived(&[], fold(&clean.text))
}

/// Returns whether folding would change nothing: lower-case ASCII with single spaces.
fn is_folded(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| matches!(byte, b' '..=b'@' | b'['..=b'~');
    bytes.iter().all(is_plain) && next_blank_run(bytes, 0).is_none()
}

fn fold(text: &str) -> ViewBuilder {
    if text.is_ascii() { fold_ascii(text) } else { fold_unicode(text) }
}

fn fold_ascii(text: &str) -> ViewBuilder {
    let mut lower = text.to_owned();
    lower.make_ascii_lowercase();
    let lower = with_blanks(lower);
    let mut draft = ViewBuilder::default();
    let mut done = 0;
    while let Some(run) = next_blank_run(lower.as_bytes(), done) {
        draft.copy(&lower, Span::new(done, run.start));
        draft.put_char(' ', run);
        done = run.end;
    }
    draft.copy(&lower, Span::new(done, lower.len()));
    draft
}

/// Replaces every control character by a blank. Only tabs and line ends are left at this point.
fn with_blanks(text: String) -> String {
    let mut bytes = text.into_bytes();
    for byte in &mut bytes {
        *byte = (*byte).max(b' ');
    }
    String::from_utf8(bytes).unwrap_or_default()
}

/// Returns the next run of two or more blanks.
fn next_blank_run(bytes: &[u8], from: usize) -> Option<Span> {
    let start = from + memmem::find(&bytes[from..], b"  ")?;
    let length = bytes[start..].iter().take_while(|byte| **byte == b' ').count();
    Some(Span::new(start, start + length))
}

fn fold_unicode(text: &str) -> ViewBuilder {
    let mut draft = ViewBuilder { text: String::with_capacity(text.len()), ..ViewBuilder::default() };
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let mut span = Span::new(at, at + character.len_utf8());
        if character.is_whitespace() {
            while let Some((at, blank)) = characters.next_if(|(_, next)| next.is_whitespace()) {
                span.end = at + blank.len_utf8();
            }
            fold_blank(&mut draft, span);
        } else {
            fold_character(&mut draft, character, span);
        }
    }
    draft
}

fn fold_blank(draft: &mut ViewBuilder, span: Span) {
    if span.len() == 1 { draft.overlay(" ", span) } else { draft.put_char(' ', span) }
}

/// Returns whether `character` is of a script without case or a lower-case Cyrillic letter: the common cases.
const fn has_no_case(character: char) -> bool {
    matches!(character, '\u{430}'..='\u{45F}' | '\u{5D0}'..='\u{109F}' | '\u{3040}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}')
}

fn fold_character(draft: &mut ViewBuilder, character: char, span: Span) {
    let mut buffer = [0; 4];
    if character.is_ascii() {
        return draft.overlay(character.to_ascii_lowercase().encode_utf8(&mut buffer), span);
    }
    if has_no_case(character) {
        return draft.overlay(character.encode_utf8(&mut buffer), span);
    }
    let mut folded = std::iter::once(character).default_case_fold();
    match (folded.next(), folded.next()) {
        (Some(one), None) if one.len_utf8() == span.len() => {
            draft.overlay(one.encode_utf8(&mut buffer), span);
        }
        (Some(first), second) => {
            let whole: String = std::iter::once(first).chain(second).chain(folded).collect();
            draft.put(&whole, span);
        }
        (None, _) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_blanks_and_forms_do_not_matter() {
        assert_eq!(folded("STRASSE"), folded("straße"));
        assert_eq!(folded("Two\n\n  Words"), "two words");
        assert_eq!(folded("Ｐass\u{200B}word\u{A0}\u{A0}X"), "password x");
    }

    #[test]
    fn a_folded_word_maps_to_where_it_stands() {
        for text in ["A  Big\n\n Secret here", "ÄÖ  Große\u{200B} Secret ß"] {
            let view = super::super::Text::new(text);
            let at = view.folded().text.find("secret").expect("the word is there");
            assert_eq!(view.folded().original(Span::new(at, at + 6)).of(text), "Secret");
        }
    }
}
