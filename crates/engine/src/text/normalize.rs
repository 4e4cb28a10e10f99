//! The clean view: NFKC without invisible characters.

use unicode_normalization::char::{canonical_combining_class, decompose_compatible};
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfkc_quick};

use super::Transform;
use super::invisible::{invisible, is_plain};
use super::view_builder::ViewBuilder;
use crate::span::Span;

/// Characters that are normalised together at most: the stream-safe format (UAX #15, section 13) allows 30 marks on a
/// letter; texts with more are cut there so that the time stays linear.
const LONGEST_CLUSTER: usize = 32;

/// A text in NFKC without invisible characters.
#[derive(Debug)]
pub(super) struct Clean {
    pub draft: ViewBuilder,
    /// What was done, in the order of [`Transform`].
    pub transforms: Vec<Transform>,
}

/// Cleans `text`; `None` when there is nothing to do.
pub(super) fn clean(text: &str) -> Option<Clean> {
    if is_plain_ascii(text.as_bytes()) {
        return None;
    }
    let mut cleaner = Cleaner { text, draft: ViewBuilder::default(), transforms: Vec::new() };
    cleaner.run();
    let Cleaner { draft, mut transforms, .. } = cleaner;
    transforms.sort_unstable();
    (!transforms.is_empty()).then_some(Clean { draft, transforms })
}

/// Whether there are only printable ASCII characters, tabs and line ends. Without an early exit within a block, so that
/// the compiler makes vector instructions of it.
fn is_plain_ascii(bytes: &[u8]) -> bool {
    bytes.chunks(1024).all(|block| block.iter().fold(true, |all, byte| all & is_plain_byte(*byte)))
}

const fn is_plain_byte(byte: u8) -> bool {
    matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r')
}

struct Cleaner<'t> {
    text: &'t str,
    draft: ViewBuilder,
    transforms: Vec<Transform>,
}

impl Cleaner<'_> {
    fn run(&mut self) {
        let mut copied = 0;
        let mut at = 0;
        while let Some(character) = self.text[at..].chars().next() {
            let ascii = self.text.as_bytes()[at..].iter().take_while(|byte| is_plain_byte(**byte)).count();
            if ascii > 1 {
                // The last of them may have a mark behind it.
                at += ascii - 1;
                continue;
            }
            let next = at + character.len_utf8();
            if is_plain(character) && self.text[next..].chars().next().is_none_or(is_plain) {
                at = next;
                continue;
            }
            self.draft.copy(self.text, Span::new(copied, at));
            at = self.cluster(at);
            copied = at;
        }
        self.draft.copy(self.text, Span::new(copied, at));
    }

    /// Cleans one character with what combines with it, and answers where it ends.
    fn cluster(&mut self, start: usize) -> usize {
        let end = cluster_end(self.text, start);
        let cluster = Span::new(start, end).of(self.text);
        let visible = || cluster.chars().filter(|character| invisible(*character).is_none());
        if is_nfkc_quick(visible()) == IsNormalized::Yes || visible().nfkc().eq(visible()) {
            self.copy_visible(start, cluster);
        } else {
            self.note(Transform::Normalized);
            let composed: String = visible().nfkc().map(as_blank).collect();
            let first = cluster.find(|character| invisible(character).is_none()).unwrap_or(0);
            self.draft.put(&composed, Span::new(start + first, start + visible_end(cluster)));
        }
        end
    }

    fn copy_visible(&mut self, start: usize, cluster: &str) {
        for (at, character) in cluster.char_indices() {
            let span = Span::new(start + at, start + at + character.len_utf8());
            match invisible(character) {
                Some(Transform::ZeroWidth) if self.follows_symbol() => self.note(Transform::Normalized),
                Some(transform) => self.note(transform),
                None if as_blank(character) != character => {
                    self.note(Transform::Normalized);
                    self.draft.put_char(as_blank(character), span);
                }
                None => self.draft.copy(self.text, span),
            }
        }
    }

    /// Whether what stands before is no letter, digit or blank: joiners there build emoji and hide nothing.
    fn follows_symbol(&self) -> bool {
        let last = self.draft.text.chars().next_back();
        last.is_some_and(|last| !last.is_ascii() && !last.is_alphanumeric())
    }

    fn note(&mut self, transform: Transform) {
        if !self.transforms.contains(&transform) {
            self.transforms.push(transform);
        }
    }
}

/// Where the last visible character of `cluster` ends.
fn visible_end(cluster: &str) -> usize {
    let last = cluster.char_indices().rev().find(|(_, character)| invisible(*character).is_none());
    last.map_or(cluster.len(), |(at, character)| at + character.len_utf8())
}

/// Form feeds, vertical tabs and next-line controls part words as line feeds do.
const fn as_blank(character: char) -> char {
    if matches!(character, '\u{B}' | '\u{C}' | '\u{85}') { '\n' } else { character }
}

/// The end of the character at `start` with all that may combine with it.
fn cluster_end(text: &str, start: usize) -> usize {
    let further = text[start..].char_indices().skip(1).take(LONGEST_CLUSTER);
    let mut end = start;
    for (at, character) in further {
        end = start + at;
        if invisible(character).is_none() && begins_cluster(character) {
            return end;
        }
        end += character.len_utf8();
    }
    end.max(start + text[start..].chars().next().map_or(0, char::len_utf8))
}

/// Whether normalisation never joins `character` with what stands before it.
fn begins_cluster(character: char) -> bool {
    if is_plain(character) {
        return true;
    }
    let mut first = None;
    decompose_compatible(character, |part| first = first.or(Some(part)));
    let first = first.unwrap_or(character);
    canonical_combining_class(first) == 0 && is_nfkc_quick(std::iter::once(first)) == IsNormalized::Yes
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn cleaned(text: &str) -> String {
        clean(text).map_or(text.to_owned(), |clean| clean.draft.text)
    }

    #[test]
    fn compatibility_forms_become_plain_letters() {
        assert_eq!(cleaned("ｉｇｎｏｒｅ 𝐚𝐥𝐥 ⓡⓤⓛⓔⓢ ﬁnd Ａ\u{301}"), "ignore all rules find Á");
    }

    #[test]
    fn a_mark_behind_an_invisible_character_still_joins_its_letter() {
        assert_eq!(cleaned("e\u{200B}\u{301}t\u{E9}"), "été");
    }

    #[test]
    fn texts_in_normal_form_are_left_alone() {
        for text in ["plain", "Grüße aus München", "汉字", "привет", "مرحبا", "한국어", "tab\tline\r\n"]
        {
            assert!(clean(text).is_none(), "{text}");
        }
    }

    #[test]
    fn joiners_of_emoji_are_no_zero_width_trick_and_those_in_words_are() {
        let transforms = |text| clean(text).map(|clean| clean.transforms);
        assert_eq!(transforms("👩\u{200D}💻 hi ❤\u{FE0F}"), Some(vec![Transform::Normalized]));
        assert_eq!(transforms("ig\u{200D}nore"), Some(vec![Transform::ZeroWidth]));
    }

    proptest! {
        #[test]
        fn clean_is_the_normal_form_of_what_is_visible(text in "(\\PC|[a-e]|[\u{300}-\u{304}]|[\u{1100}-\u{11FF}]|[\u{200B}-\u{200F}]){0,40}") {
            let expected: String = text.chars().filter(|c| invisible(*c).is_none()).nfkc().map(as_blank).collect();
            prop_assert_eq!(cleaned(&text), expected);
        }
    }
}
