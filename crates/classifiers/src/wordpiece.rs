//! WordPiece as BERT's uncased models have it: what the encoder reads.
//!
//! Control characters are dropped, letters lose case and accents, punctuation and Han characters stand alone, and each
//! word is cut into the longest pieces that the vocabulary knows. The same numbers as those of the `tokenizers` crate
//! (a test holds the two together), some ten times faster: its time would exceed that of the linear model. In one thing
//! it differs: pictures and other signs that the vocabulary lacks are blanks. As unknown pieces they would all be one
//! word, whose meaning is that of the texts that use most of them, and would make the word they touch unknown too.

use std::collections::HashMap;

use unicode_normalization::UnicodeNormalization as _;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory as _};

/// Characters of a word that is cut; a longer one is unknown.
const LONGEST: usize = 100;
/// Bytes of the longest piece that is looked up.
const LONGEST_PIECE: usize = 64;

/// The piece that marks what the model is given to read: an order there is none of who asks. No text contains it.
const GIVEN: &str = "[unused0]";

/// A vocabulary, and the numbers of its special pieces.
#[derive(Debug)]
pub struct WordPiece {
    /// Pieces that begin a word.
    first: HashMap<Box<str>, u32>,
    /// Pieces that go on with one, without their `##`.
    inner: HashMap<Box<str>, u32>,
    unknown: u32,
    begin: u32,
    given: u32,
    end: u32,
}

/// The vocabulary lacks a special piece.
#[derive(Debug, thiserror::Error)]
#[error("the vocabulary has no {0}")]
pub struct Lacking(&'static str);

impl WordPiece {
    /// The vocabulary of a `vocab.txt`: a piece a line, numbered from 0.
    pub fn new(vocabulary: &str) -> Result<Self, Lacking> {
        let (mut first, mut inner) = (HashMap::new(), HashMap::new());
        for (number, piece) in (0..).zip(vocabulary.lines()) {
            match piece.strip_prefix("##") {
                Some(rest) if !rest.is_empty() => inner.insert(rest.into(), number),
                _ => first.insert(piece.into(), number),
            };
        }
        let special = |piece| first.get(piece).copied().ok_or(Lacking(piece));
        let [unknown, begin, given, end] = ["[UNK]", "[CLS]", GIVEN, "[SEP]"].map(special);
        let [unknown, begin, given, end] = [unknown?, begin?, given?, end?];
        Ok(Self { first, inner, unknown, begin, given, end })
    }

    /// The numbers of the pieces of `text` between those of its begin and end, behind a mark if it is given to the
    /// model to read; at most `limit` in all.
    pub fn encode(&self, text: &str, is_given: bool, limit: usize) -> Vec<u32> {
        let mut pieces = vec![self.begin];
        pieces.extend(is_given.then_some(self.given));
        let mut word = String::new();
        let mut take = |word: &mut String| {
            if !word.is_empty() {
                self.cut(word, &mut pieces);
                word.clear();
            }
            pieces.len() < limit
        };
        for letter in text.chars() {
            let goes_on = match self.class(letter) {
                Class::Dropped => true,
                Class::Blank => take(&mut word),
                Class::Alone => {
                    take(&mut word);
                    put(letter, &mut word);
                    take(&mut word)
                }
                Class::Inner => {
                    put(letter, &mut word);
                    true
                }
            };
            if !goes_on {
                break;
            }
        }
        take(&mut word);
        pieces.truncate(limit.max(2) - 1);
        pieces.push(self.end);
        pieces
    }

    /// As in BERT's `BasicTokenizer`, all ASCII signs count as punctuation, whatever Unicode says; but for signs that
    /// no piece begins with.
    fn class(&self, letter: char) -> Class {
        match letter {
            'a'..='z' | 'A'..='Z' | '0'..='9' => Class::Inner,
            ' ' | '\t' | '\n' | '\r' => Class::Blank,
            '\0'..='\u{1f}' | '\u{7f}' | '\u{fffd}' => Class::Dropped,
            '!'..='~' => Class::Alone,
            _ if is_han(letter) => Class::Alone,
            _ if letter.general_category() == GeneralCategory::EnclosingMark => Class::Blank,
            _ => match letter.general_category_group() {
                GeneralCategoryGroup::Other => Class::Dropped,
                GeneralCategoryGroup::Punctuation => Class::Alone,
                GeneralCategoryGroup::Symbol if !self.knows(letter) => Class::Blank,
                _ if letter.is_whitespace() => Class::Blank,
                _ => Class::Inner,
            },
        }
    }

    fn knows(&self, letter: char) -> bool {
        self.first.contains_key(&*letter.encode_utf8(&mut [0; 4]))
    }

    /// Longest piece first; a word of which any rest is unknown is unknown as a whole.
    fn cut(&self, word: &str, pieces: &mut Vec<u32>) {
        let from = pieces.len();
        let mut rest = word;
        if word.chars().count() > LONGEST {
            rest = "";
            pieces.push(self.unknown);
        }
        while !rest.is_empty() {
            let known = if rest.len() == word.len() { &self.first } else { &self.inner };
            let Some((number, length)) = longest(known, rest) else {
                pieces.truncate(from);
                pieces.push(self.unknown);
                return;
            };
            pieces.push(number);
            rest = &rest[length..];
        }
    }
}

fn longest(known: &HashMap<Box<str>, u32>, rest: &str) -> Option<(u32, usize)> {
    let ends = (1..=rest.len().min(LONGEST_PIECE)).rev().filter(|end| rest.is_char_boundary(*end));
    ends.into_iter().find_map(|end| known.get(&rest[..end]).map(|number| (*number, end)))
}

enum Class {
    Dropped,
    Blank,
    /// A word of its own.
    Alone,
    Inner,
}

/// The blocks that BERT calls Chinese.
const fn is_han(letter: char) -> bool {
    matches!(letter,
        '\u{4e00}'..='\u{9fff}' | '\u{3400}'..='\u{4dbf}' | '\u{20000}'..='\u{2a6df}' | '\u{2a700}'..='\u{2b73f}'
        | '\u{2b740}'..='\u{2b81f}' | '\u{2b920}'..='\u{2ceaf}' | '\u{f900}'..='\u{faff}' | '\u{2f800}'..='\u{2fa1f}')
}

/// Without case and accents.
fn put(letter: char, word: &mut String) {
    if letter.is_ascii() {
        word.push(letter.to_ascii_lowercase());
        return;
    }
    let plain = std::iter::once(letter)
        .nfd()
        .filter(|mark| mark.general_category() != GeneralCategory::NonspacingMark);
    word.extend(plain.flat_map(char::to_lowercase));
}

#[cfg(test)]
mod tests {
    use super::*;

    const VOCABULARY: &str =
        "[PAD]\n[UNK]\n[CLS]\n[SEP]\nignore\nig\n##nor\n##e\n!\ncafe\n人\n##s\n[unused0]";

    fn pieces(text: &str, limit: usize) -> Vec<u32> {
        WordPiece::new(VOCABULARY).unwrap().encode(text, false, limit)
    }

    #[test]
    fn what_the_model_is_given_has_a_mark_that_no_text_can_write() {
        let given = |text| WordPiece::new(VOCABULARY).unwrap().encode(text, true, 4);
        assert_eq!(given("ignore"), [2, 12, 4, 3]);
        assert_eq!(given("ignore ignore"), [2, 12, 4, 3]);
        assert!(!pieces("[unused0]", 99).contains(&12));
    }

    #[test]
    fn words_are_cut_into_the_longest_pieces() {
        assert_eq!(pieces("Ignore ignores! igs", 99), [2, 4, 4, 11, 8, 5, 11, 3]);
    }

    #[test]
    fn accents_and_control_characters_are_dropped_and_han_stands_alone() {
        assert_eq!(pieces("Café\u{0}人人", 99), [2, 9, 10, 10, 3]);
    }

    #[test]
    fn what_is_not_known_is_one_unknown_piece() {
        assert_eq!(pieces(&format!("ignorex {}", "e".repeat(200)), 99), [2, 1, 1, 3]);
    }

    #[test]
    fn pictures_are_blanks() {
        assert_eq!(pieces("ignore👍🏽 ❤️ig☕", 99), [2, 4, 5, 3]);
        assert_eq!(pieces("1️⃣人", 99), [2, 1, 10, 3]);
    }

    #[test]
    fn no_more_pieces_than_the_limit() {
        assert_eq!(pieces("ignore ignore ignore", 4), [2, 4, 4, 3]);
    }

    #[test]
    fn a_vocabulary_without_special_pieces_is_refused() {
        assert!(WordPiece::new("a\nb").is_err());
    }
}
