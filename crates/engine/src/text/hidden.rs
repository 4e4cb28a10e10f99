//! What characters that a reader does not see spell out for a model.

use super::Transform;
use super::disguises::payload::Decoded;
use super::draft::Draft;
use crate::span::Span;

/// Characters that such a text has at least.
const SHORTEST: usize = 4;

/// Longest name of a region in a flag (`🏴` and tag characters; UTS #51, emoji tag sequences).
const FLAG: usize = 8;

/// Every text that invisible characters of `raw` spell out, or turn around.
pub(super) fn hidden(raw: &str) -> Vec<(Transform, Draft)> {
    let found = [
        (Transform::TagCharacters, tags(raw)),
        (Transform::VariationSelectors, selectors(raw)),
        (Transform::Bidi, overridden(raw)),
    ];
    found.into_iter().filter_map(|(transform, draft)| Some((transform, draft?))).collect()
}

/// ASCII spelled out in tag characters (Unicode block Tags, U+E0020 to U+E007E), but for flags of regions.
fn tags(raw: &str) -> Option<Draft> {
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

/// Bytes spelled out in variation selectors: U+FE00 to U+FE0F are 0 to 15, U+E0100 to U+E01EF are 16 to 255.
fn selectors(raw: &str) -> Option<Draft> {
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

/// The text in the order in which a reader sees it: what stands behind U+202E is shown from right to left, up to
/// U+202C or the end of the line (UAX #9).
fn overridden(raw: &str) -> Option<Draft> {
    let mut draft = Draft::default();
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
