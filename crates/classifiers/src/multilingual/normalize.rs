//! Normalizes a text as the tokenizer was trained: NFKC, runs of blanks as one space, no control or format characters.
//!
//! Each character of the result keeps the range of the text that it comes from, which the `unicode-normalization` crate
//! alone does not tell. Composition is therefore done here, over that crate's tables
//! (<https://www.unicode.org/reports/tr15/>, section 1.3, and the Unicode Standard, D117).

use std::ops::Range;

use unicode_normalization::char::{canonical_combining_class, compose, decompose_compatible};
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory as _};

/// A character, and the range of the text that it comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Normalized {
    /// The character.
    pub character: char,
    /// Bytes of the text. Of a composed character, those of the first of its parts.
    pub source: Range<usize>,
}

/// Calls `visit` for each character of the normalized text, in order.
pub fn normalized(text: &str, visit: impl FnMut(Normalized)) {
    let mut blanks = Blanks { visit, pending: None };
    let mut composer = Composer::default();
    for (start, character) in text.char_indices() {
        let source = start..start + character.len_utf8();
        if character.is_ascii() {
            composer.push_starter(Normalized { character, source }, &mut |one| blanks.push(one));
        } else {
            decompose_compatible(character, |character| {
                composer.push(Normalized { character, source: source.clone() }, &mut |one| blanks.push(one));
            });
        }
    }
    composer.finish(&mut |one| blanks.push(one));
    blanks.flush();
}

/// Puts decomposed characters into canonical order and composes them.
#[derive(Default)]
struct Composer {
    starter: Option<Normalized>,
    /// Combining characters behind the starter, with their classes, in the order of the text.
    marks: Vec<(u8, Normalized)>,
}

impl Composer {
    fn push(&mut self, one: Normalized, emit: &mut impl FnMut(Normalized)) {
        match canonical_combining_class(one.character) {
            0 => self.push_starter(one, emit),
            class => self.marks.push((class, one)),
        }
    }

    fn push_starter(&mut self, one: Normalized, emit: &mut impl FnMut(Normalized)) {
        self.compose_marks();
        if self.marks.is_empty()
            && !one.character.is_ascii()
            && let Some(starter) = &mut self.starter
            && let Some(whole) = compose(starter.character, one.character)
        {
            starter.character = whole;
            return;
        }
        self.emit(emit);
        self.starter = Some(one);
    }

    /// Composes the starter with those of its marks that nothing blocks, and keeps the others in canonical order.
    fn compose_marks(&mut self) {
        self.marks.sort_by_key(|(class, _)| *class);
        let Some(starter) = &mut self.starter else { return };
        let mut before = 0;
        self.marks.retain(|(class, mark)| {
            if before < *class
                && let Some(whole) = compose(starter.character, mark.character)
            {
                starter.character = whole;
                return false;
            }
            before = *class;
            true
        });
    }

    fn emit(&mut self, emit: &mut impl FnMut(Normalized)) {
        self.starter.take().into_iter().chain(self.marks.drain(..).map(|(_, mark)| mark)).for_each(emit);
    }

    fn finish(&mut self, emit: &mut impl FnMut(Normalized)) {
        self.compose_marks();
        self.emit(emit);
    }
}

/// Makes one space of each run of blanks, and then leaves control and format characters out.
struct Blanks<V> {
    visit: V,
    /// The place of the last blank of a run.
    pending: Option<Range<usize>>,
}

impl<V: FnMut(Normalized)> Blanks<V> {
    fn push(&mut self, one: Normalized) {
        if one.character.is_whitespace() {
            self.pending = Some(one.source);
            return;
        }
        self.flush();
        if !is_invisible(one.character) {
            (self.visit)(one);
        }
    }

    fn flush(&mut self) {
        if let Some(source) = self.pending.take() {
            (self.visit)(Normalized { character: ' ', source });
        }
    }
}

fn is_invisible(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    matches!(character.general_category(), GeneralCategory::Control | GeneralCategory::Format)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use unicode_normalization::UnicodeNormalization as _;

    use super::*;

    fn of(text: &str) -> Vec<(char, Range<usize>)> {
        let mut found = Vec::new();
        normalized(text, |one| found.push((one.character, one.source)));
        found
    }

    fn text_of(text: &str) -> String {
        of(text).into_iter().map(|(character, _)| character).collect()
    }

    #[test]
    fn a_run_of_blanks_is_a_space_in_the_place_of_its_last() {
        assert_eq!(of("a \t\u{2003}b"), [('a', 0..1), (' ', 3..6), ('b', 6..7)]);
        assert_eq!(text_of("a \u{200b} b\n"), "a  b ");
    }

    #[test]
    fn characters_without_a_shape_are_left_out() {
        assert_eq!(of("\u{feff}a\u{ad}\u{1}b"), [('a', 3..4), ('b', 7..8)]);
    }

    #[test]
    fn what_was_composed_has_the_place_of_its_first_part() {
        assert_eq!(of("e\u{301}x"), [('é', 0..1), ('x', 3..4)]);
        assert_eq!(of("ﬁ"), [('f', 0..3), ('i', 0..3)]);
        assert_eq!(of("\u{1100}\u{1161}\u{11a8}"), [('각', 0..3)]);
        assert_eq!(of("ｶﾞ"), [('ガ', 0..3)]);
    }

    #[test]
    fn marks_are_put_in_order_and_composed_where_nothing_blocks() {
        assert_eq!(of("a\u{300}\u{316}b"), [('à', 0..1), ('\u{316}', 3..5), ('b', 5..6)]);
    }

    proptest! {
        #[test]
        fn the_characters_are_those_of_nfkc(text in "[ -~à-ÿ̀-ͯऀ-ॿ가-각ᄀ-ᇿㄱ-ㅣｦ-ﾟﬀ-ﬆ①-⑩🀀-🫿]{0,40}") {
            let nfkc: String = text.nfkc().filter(|character| !is_invisible(*character)).collect();
            let words = |text: &str| text.split(char::is_whitespace).filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" ");
            prop_assert_eq!(words(&text_of(&text)), words(&nfkc));
        }

        #[test]
        fn sources_are_characters_of_the_text(text in any::<String>()) {
            for (_, source) in of(&text) {
                prop_assert_eq!(text.get(source).map(|part| part.chars().count()), Some(1));
            }
        }
    }
}
