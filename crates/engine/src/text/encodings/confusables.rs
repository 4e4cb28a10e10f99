//! Letters of other scripts among Latin letters, and stacked combining marks.
//!
//! Only words that mix scripts are touched, and in a text that has one of these, words made wholly of look-alikes:
//! text in Cyrillic, Greek or any other script stays what it is.

mod table;

use self::table::look_alike;
use super::Decoder;
use crate::span::Span;
use crate::text::Transform;
use crate::text::letter_pairs::cost;
use crate::text::letters::is_alphanumeric;
use crate::text::scan::Source;
use crate::text::view_builder::{Edits, ViewBuilder};

/// Letters of a word that proves the decoder.
const SHORTEST: usize = 3;

pub struct Confusables;

impl Decoder for Confusables {
    fn transform(&self) -> Transform {
        Transform::Confusables
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        if source.is_ascii {
            return None;
        }
        let text = source.text;
        let suspects = words(text).filter(|word| is_suspect(word.of(text)));
        if !suspects.filter_map(|word| latin(text, word)).any(|latin| latin.proves) {
            return None;
        }
        let mut edits = Edits::default();
        for latin in words(text).filter_map(|word| latin(text, word)) {
            edits.append(&latin.edits);
        }
        edits.apply(text)
    }
}

/// Whether a word with letters outside ASCII may prove the decoder: text in one common script never does.
fn is_suspect(word: &str) -> bool {
    word.bytes().any(|byte| byte.is_ascii_alphabetic()) || !word.chars().all(is_common)
}

/// Runs of letters, digits, marks and look-alikes.
fn words(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_part)?;
        at = text[start..].find(|it| !is_part(it)).map_or(text.len(), |length| start + length);
        Some(Span::new(start, at))
    })
    .filter(|word| !word.of(text).is_ascii())
}

fn is_part(character: char) -> bool {
    is_alphanumeric(character) || is_mark(character) || look_alike(character).is_some()
}

/// Marks that are laid over letters and that NFKC could not join with them.
const fn is_mark(character: char) -> bool {
    matches!(character, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}')
}

struct Latin {
    edits: Edits,
    proves: bool,
}

/// A word made Latin, if that is possible.
fn latin(text: &str, word: Span) -> Option<Latin> {
    let mut edits = Edits::default();
    let (mut plain, mut replaced, mut marks) = (0, String::new(), 0);
    let mut rare = 0;
    for (at, character) in word.of(text).char_indices() {
        let span = Span::new(word.start + at, word.start + at + character.len_utf8());
        if is_mark(character) {
            marks += 1;
            edits.replace(span, "");
        } else if let Some(latin) = look_alike(character) {
            rare += usize::from(!is_common(character));
            edits.replace_char(span, latin);
            replaced.push(latin);
        } else if character.is_ascii() {
            plain += usize::from(character.is_ascii_alphabetic());
            replaced.push(character);
        } else {
            return None;
        }
    }
    let letters = replaced.len();
    let is_mixed = plain > 0 && (marks > 0 || letters > plain);
    let proves = letters >= SHORTEST && (is_mixed || rare >= SHORTEST) && cost(&replaced).mean() <= 4.0;
    Some(Latin { edits, proves })
}

/// Whether a look-alike belongs to a script in which whole texts are written, or to a flag.
const fn is_common(character: char) -> bool {
    matches!(character, '\u{370}'..='\u{58F}' | '\u{900}'..='\u{10FF}' | '\u{1F1E6}'..='\u{1F1FF}')
}
