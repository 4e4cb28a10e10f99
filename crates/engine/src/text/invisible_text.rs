//! Text encoded in invisible characters.

use super::Transform;
use super::encodings::payload::Decoded;
use super::view_builder::ViewBuilder;
use crate::span::Span;

/// Minimum number of characters of such a text.
const SHORTEST: usize = 4;

/// Maximum length of a region name in a flag (`🏴` and tag characters; UTS #51, emoji tag sequences).
const FLAG: usize = 8;

/// Returns every text that invisible characters of `raw` encode or reverse.
pub(super) fn hidden(raw: &str) -> Vec<(Transform, ViewBuilder)> {
    let found = [
        (Transform::TagCharacters, tags(raw)),
        (Transform::VariationSelectors, selectors(raw)),
        (Transform::Bidi, overridden(raw)),
    ];
    found.into_iter().filter_map(|(transform, draft)| Some((transform, draft?))).collect()
}

/// Decodes ASCII in tag characters (Unicode block Tags, U+E0020 to U+E007E), except in flags of regions.
fn tags(raw: &str) -> Option<ViewBuilder> {
    let mut decoded = Decoded::default();
    let mut flag = 0;
    for (at, character) in raw.char_indices() {
        let byte = (character as u32).wrapping_sub(0xE0000);
        if character == '\u{1F3F4}' {
            flag = FLAG;
        } else if !(0x20..=0x7E).contains(&byte) {
            flag = 0;
        } else if flag > 0 {
            flag -= 1;
        } else {
            decoded.push(byte as u8, Span::new(at, at + 4));
        }
    }
    decoded.text(SHORTEST)
}

/// Decodes bytes in variation selectors: U+FE00 to U+FE0F are 0 to 15, U+E0100 to U+E01EF are 16 to 255.
fn selectors(raw: &str) -> Option<ViewBuilder> {
    let mut decoded = Decoded::default();
    for (at, character) in raw.char_indices() {
        let byte = match character {
            '\u{FE00}'..='\u{FE0D}' => character as u32 - 0xFE00,
            '\u{E0100}'..='\u{E01EF}' => character as u32 - 0xE0100 + 16,
            _ => continue,
        };
        decoded.push(byte as u8, Span::new(at, at + character.len_utf8()));
    }
    decoded.text(SHORTEST)
}

/// Returns the text in display order: text after U+202E is displayed from right to left, up to U+202C or the end of the
/// line (UAX #9).
fn overridden(raw: &str) -> Option<ViewBuilder> {
    let mut draft = ViewBuilder::default();
    let mut done = 0;
    while let Some(found) = raw[done..].find('\u{202E}') {
        let start = done + found;
        draft.copy(raw, Span::new(done, start));
        let end = raw[start..].find(['\u{202C}', '\n']).map_or(raw.len(), |length| start + length);
        for (at, character) in raw[start..end].char_indices().rev().filter(|(_, it)| *it != '\u{202E}') {
            let at = start + at;
            draft.put_char(character, Span::new(at, at + character.len_utf8()));
        }
        done = end;
    }
    draft.copy(raw, Span::new(done, raw.len()));
    (done > 0).then_some(draft)
}
