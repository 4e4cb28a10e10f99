//! Context words: words near a number that indicate its PII type.
//!
//! One automaton contains the context words of all PII types. It reads only the blocks of a text around candidates, each
//! block once.

use std::{cell::OnceCell, sync::LazyLock};

use aho_corasick::{AhoCorasick, Input};

use super::{PiiType, labelled, types::PII_TYPES};
use crate::span::Span;

/// Maximum distance of a context word before a value, in characters.
const BEFORE: usize = 60;
/// Maximum distance after it.
const AFTER: usize = 30;
/// Block size in bytes.
const BLOCK: usize = 512;
/// Number of letters from which a word may continue as a compound: `telefon` in `Telefonnummer`, but not `tel` in `tells`.
const COMPOUND: usize = 5;

static BUILT_IN: LazyLock<Words> = LazyLock::new(|| {
    let words = |kind: &dyn PiiType| -> Vec<&'static str> {
        kind.context().iter().copied().chain(labelled::sure_words(kind.name())).collect()
    };
    Words::of(PII_TYPES.iter().map(|kind| words(*kind)))
});

// A set of PII types, one bit each by index.
pub(super) type KindSet = u128;

/// The context words of PII types.
pub(super) struct Words {
    automaton: Option<AhoCorasick>,
    kinds: Vec<KindSet>,
    longest: usize,
}

impl Words {
    /// Creates the words from a list for each type, of 128 types at most.
    pub fn of<S: AsRef<str>>(lists: impl Iterator<Item = Vec<S>>) -> Self {
        let mut words = std::collections::BTreeMap::<String, KindSet>::new();
        for (kind, list) in lists.enumerate() {
            for spelling in list.iter().flat_map(|word| labelled::spellings(word.as_ref())) {
                *words.entry(spelling).or_default() |= 1 << kind;
            }
        }
        let longest = words.keys().map(String::len).max().unwrap_or(0);
        // Building fails only beyond 2^31 states; without words nothing has context.
        let automaton = AhoCorasick::builder().ascii_case_insensitive(true).build(words.keys()).ok();
        Self { automaton, kinds: words.into_values().collect(), longest }
    }

    /// Returns the types that a word of `text` is about.
    pub fn kinds_in(&self, text: &str) -> KindSet {
        let blocks = 0..=text.len() / BLOCK;
        blocks.flat_map(|block| self.read(text, block)).fold(0, |all, (_, kinds)| all | kinds)
    }

    // Returns the words that begin in the block, with their PII types.
    fn read(&self, text: &str, block: usize) -> Vec<(Span, KindSet)> {
        let start = block * BLOCK;
        let end = (start + BLOCK + self.longest).min(text.len());
        let Some(automaton) = &self.automaton else { return Vec::new() };
        automaton
            .find_overlapping_iter(Input::new(text).span(start..end))
            .map(|hit| (Span::new(hit.start(), hit.end()), self.kinds[hit.pattern().as_usize()]))
            .filter(|(word, _)| word.start < start + BLOCK && is_word(text, *word))
            .collect()
    }
}

// Scripts from Hebrew on join particles to words or write no blanks at all: there, any place is a word.
fn is_word(text: &str, word: Span) -> bool {
    let written = word.of(text);
    if written.chars().next_back().is_some_and(|c| c >= '\u{590}') {
        return true;
    }
    begins_word(text, word) && (written.chars().count() >= COMPOUND || ends_word(text, word.end))
}

fn begins_word(text: &str, word: Span) -> bool {
    let first_is_capital = word.of(text).starts_with(char::is_uppercase);
    text[..word.start].chars().next_back().is_none_or(|c| {
        let camel_case = c.is_lowercase() && first_is_capital;
        !c.is_alphanumeric() || c >= '\u{590}' || camel_case
    })
}

fn ends_word(text: &str, end: usize) -> bool {
    text[end..].chars().next().is_none_or(|c| !c.is_alphabetic() || c >= '\u{590}' || c.is_uppercase())
}

/// The context words of one text, found on demand.
pub(super) struct Context<'t> {
    text: &'t str,
    words: &'t Words,
    blocks: Vec<OnceCell<Vec<(Span, KindSet)>>>,
}

impl<'t> Context<'t> {
    /// Creates the context of a text with the words of [`PII_TYPES`].
    pub fn new(text: &'t str) -> Self {
        Self::with(text, &BUILT_IN)
    }

    /// Creates the context of a text with these words.
    pub fn with(text: &'t str, words: &'t Words) -> Self {
        Self { text, words, blocks: vec![OnceCell::new(); text.len() / BLOCK + 1] }
    }

    /// Returns whether a context word of the type with this index is near `value` in the same paragraph.
    pub fn speaks_of(&self, kind: usize, value: Span) -> bool {
        let before = Span::new(self.reach_back(value.start), value.start);
        let after = Span::new(value.end, self.reach_on(value.end));
        self.holds(kind, before) || self.holds(kind, after)
    }

    fn holds(&self, kind: usize, place: Span) -> bool {
        let blocks = place.start / BLOCK..=place.end / BLOCK;
        blocks
            .flat_map(|block| self.block(block))
            .any(|(word, kinds)| kinds >> kind & 1 == 1 && word.start >= place.start && word.end <= place.end)
    }

    fn block(&self, block: usize) -> &[(Span, KindSet)] {
        self.blocks[block].get_or_init(|| self.words.read(self.text, block))
    }

    fn reach_back(&self, from: usize) -> usize {
        let text = &self.text[..from];
        let start = text.char_indices().rev().take(BEFORE).last().map_or(from, |(place, _)| place);
        paragraph_breaks(&text[start..]).last().map_or(start, |place| start + place)
    }

    fn reach_on(&self, from: usize) -> usize {
        let text = &self.text[from..];
        let length = text.char_indices().nth(AFTER).map_or(text.len(), |(place, _)| place);
        from + paragraph_breaks(&text[..length]).next().unwrap_or(length)
    }
}

fn paragraph_breaks(text: &str) -> impl Iterator<Item = usize> {
    text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(place, _)| place).filter(|place| {
        let rest = text[place + 1..].trim_start_matches([' ', '\t', '\r']);
        rest.starts_with('\n')
    })
}

#[cfg(test)]
mod tests {
    use crate::{pii::Scanner, span::Span};

    // Whether the words around `2125550187` in `text` speak of a telephone.
    fn speaks_of_telephone(text: &str) -> bool {
        let start = text.find("2125550187").expect("the number stands in the text");
        Scanner::new(text).has_context("phone_number", Span::new(start, start + 10))
    }

    #[test]
    fn a_word_near_the_number_in_any_script_is_context() {
        for text in [
            "Phone: 2125550187",
            "user_phone=2125550187",
            "homePhone 2125550187",
            "Handynummer 2125550187",
            "2125550187 is my mobile",
            "ТЕЛЕФОН 2125550187",
            "Телефонный номер 2125550187",
            "我的电话是2125550187",
            "رقمالهاتف 2125550187",
            "TÉLÉPHONE 2125550187",
        ] {
            assert!(speaks_of_telephone(text), "{text}");
        }
    }

    #[test]
    fn a_part_of_a_word_another_paragraph_or_a_far_word_is_none() {
        let far = format!("phone {} 2125550187", "word ".repeat(12));
        for text in [
            "she tells 2125550187",
            "megaphone 2125550187",
            "my phone is new.\n\n2125550187",
            "2125550187\r\n\r\nphone",
            &far,
        ] {
            assert!(!speaks_of_telephone(text), "{text}");
        }
    }
}
