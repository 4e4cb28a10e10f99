//! HTML character references (HTML Standard, section 13.5): numeric ones, and the named ones that hide most.

use memchr::memchr;

use super::Decoder;
use crate::span::Span;
use crate::text::Transform;
use crate::text::scan::Source;
use crate::text::view_builder::{Edits, ViewBuilder};

/// Letters or digits that must have been hidden: markup escapes signs every day.
const HIDDEN: usize = 3;

/// Names and what they stand for.
const NAMES: &[(&str, char)] = &[
    ("amp", '&'),
    ("lt", '<'),
    ("gt", '>'),
    ("quot", '"'),
    ("apos", '\''),
    ("nbsp", ' '),
    ("Tab", '\t'),
    ("NewLine", '\n'),
    ("excl", '!'),
    ("num", '#'),
    ("percnt", '%'),
    ("lpar", '('),
    ("rpar", ')'),
    ("comma", ','),
    ("period", '.'),
    ("sol", '/'),
    ("colon", ':'),
    ("semi", ';'),
    ("equals", '='),
    ("quest", '?'),
    ("commat", '@'),
    ("lowbar", '_'),
    ("shy", '\u{AD}'),
];

pub struct Entities;

impl Decoder for Entities {
    fn transform(&self) -> Transform {
        Transform::HtmlEntities
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let mut edits = Edits::default();
        let mut at = 0;
        while let Some(found) = memchr(b'&', &source.text.as_bytes()[at..]) {
            at += found;
            if let Some((length, character)) = reference(&source.text.as_bytes()[at..]) {
                edits.replace_char(Span::new(at, at + length), character);
                at += length;
            } else {
                at += 1;
            }
        }
        let hidden = edits.pieces();
        let is_telling = hidden.chars().filter(|it| it.is_alphanumeric()).take(HIDDEN).count() == HIDDEN;
        // `&amp;#105;` is a reference behind a reference.
        let is_nested = hidden.contains('&') && source.text.contains("&amp;#");
        (is_telling || is_nested || edits.hold_address(source.text)).then(|| edits.apply(source.text))?
    }
}

/// The reference at the beginning of `bytes`, its length and what it stands for.
fn reference(bytes: &[u8]) -> Option<(usize, char)> {
    match bytes {
        [b'&', b'#', b'x' | b'X', digits @ ..] => number(digits, 16).map(|(length, it)| (length + 3, it)),
        [b'&', b'#', digits @ ..] => number(digits, 10).map(|(length, it)| (length + 2, it)),
        _ => named(&bytes[1..]),
    }
}

fn number(digits: &[u8], radix: u32) -> Option<(usize, char)> {
    let length = digits.iter().take(8).take_while(|digit| (**digit as char).is_digit(radix)).count();
    let text = std::str::from_utf8(&digits[..length]).ok()?;
    let character = char::from_u32(u32::from_str_radix(text, radix).ok()?)?;
    Some((length + usize::from(digits.get(length) == Some(&b';')), character))
}

fn named(bytes: &[u8]) -> Option<(usize, char)> {
    let length = bytes.iter().take(9).position(|byte| *byte == b';')?;
    let (_, character) = NAMES.iter().find(|(name, _)| name.as_bytes() == &bytes[..length])?;
    Some((length + 2, *character))
}
