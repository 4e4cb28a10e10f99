//! Format-preserving replacement: another value of the same length, classes and separators.
//!
//! ASCII digits are one numeral string of radix 10, ASCII letters one of radix 26 (each keeps its case); both go
//! through FF1 (NIST SP 800-38G) with AES-256 and the kind's name as tweak. FF1 asks for a domain of at least
//! 1,000,000 values (SP 800-38G revision 1), that is six digits or five letters: shorter runs and letters of other
//! scripts are drawn instead from an HMAC-SHA-256 stream keyed with the whole value, as deterministic, though two
//! short values may share a replacement.

use aes::Aes256;
use fpe::ff1::{FF1, FlexibleNumeralString};

use super::keys::{MaskKeys, hmac};
use crate::pii::{EntityType, types::pii_type};

/// Numerals enciphered at a time: FF1's arithmetic is quadratic in them.
const LONGEST_RUN: usize = 128;
/// Maximum number of attempts before the value counts as the only one of its format.
const ATTEMPTS: u8 = 8;

/// Returns another value of the same format, always the same one; `None` if there is no other.
///
/// Attempt 0 uses the type as tweak. Later attempts, made only if that returns the value itself, append their number.
pub(super) fn other(kind: &EntityType, value: &str, keys: &MaskKeys) -> Option<String> {
    let (changed, kept) = value.split_at(changeable(kind, value));
    (0..ATTEMPTS).find_map(|attempt| {
        let mut tweak = kind.as_bytes().to_vec();
        tweak.extend((attempt > 0).then_some(attempt));
        let other = with_checksum(kind, replace(changed, &tweak, keys) + kept);
        (other != value).then_some(other)
    })
}

fn with_checksum(kind: &EntityType, value: String) -> String {
    match kind {
        EntityType::Custom(custom) => custom.with_checksum(value),
        EntityType::BuiltIn(name) => match pii_type(name) {
            Some(kind) => kind.with_checksum(value),
            None => value,
        },
    }
}

/// Returns the bytes of a value that may change: an email address keeps its domain.
fn changeable(name: &str, value: &str) -> usize {
    if name == "email" { value.rfind('@').unwrap_or(value.len()) } else { value.len() }
}

fn replace(value: &str, tweak: &[u8], keys: &MaskKeys) -> String {
    let mut characters: Vec<char> = value.chars().collect();
    draw(&mut characters, keys.seed(tweak, value));
    encipher(&mut characters, value, 10, tweak, keys);
    encipher(&mut characters, value, 26, tweak, keys);
    characters.into_iter().collect()
}

/// Replaces the ASCII digits (`radix` 10) or letters (26) of `value` in `characters`, where they are enough for FF1.
fn encipher(characters: &mut [char], value: &str, radix: u32, tweak: &[u8], keys: &MaskKeys) {
    let cipher = FF1::<Aes256>::new(keys.format(), radix).expect("the radix is between 2 and 65,536");
    let places: Vec<(usize, char)> =
        value.chars().enumerate().filter(|(_, c)| base(*c, radix).is_some()).collect();
    for run in places.chunks(LONGEST_RUN) {
        let numerals: Vec<u16> =
            run.iter().filter_map(|(_, c)| Some((*c as u32 - base(*c, radix)?) as u16)).collect();
        let Ok(enciphered) = cipher.encrypt(tweak, &FlexibleNumeralString::from(numerals)) else { continue };
        for ((place, c), numeral) in run.iter().zip(Vec::<u16>::from(enciphered)) {
            let shifted = base(*c, radix).and_then(|base| char::from_u32(base + u32::from(numeral)));
            characters[*place] = shifted.unwrap_or(*c);
        }
    }
}

/// Returns the code point of the numeral 0 in the alphabet of `c`.
const fn base(c: char, radix: u32) -> Option<u32> {
    match (radix, c) {
        (10, '0'..='9') => Some('0' as u32),
        (26, 'a'..='z') => Some('a' as u32),
        (26, 'A'..='Z') => Some('A' as u32),
        _ => None,
    }
}

/// Replaces every letter and digit by one of its alphabet, drawn from the stream that starts with `seed`.
fn draw(characters: &mut [char], seed: [u8; 32]) {
    let blocks = (0u32..).map(|counter| hmac(&seed, &[&counter.to_be_bytes()]));
    let mut words = blocks.flat_map(|block| {
        let word =
            move |at: usize| u32::from_be_bytes([block[at], block[at + 1], block[at + 2], block[at + 3]]);
        (0..32).step_by(4).map(word)
    });
    for c in characters.iter_mut() {
        let Some((first, last)) = alphabet(*c) else { continue };
        let size = last as u32 - first as u32 + 1;
        let drawn = words.next().and_then(|word| char::from_u32(first as u32 + word % size));
        *c = drawn.unwrap_or(first);
    }
}

/// The letters or digits among which a replacement for `c` is drawn, first and last (Unicode code charts).
fn alphabet(c: char) -> Option<(char, char)> {
    Some(match c {
        '0'..='9' => ('0', '9'),
        'A'..='Z' => ('A', 'Z'),
        'a'..='z' => ('a', 'z'),
        'Α'..='Ω' => ('Α', 'Ρ'),
        'α'..='ω' => ('α', 'ρ'),
        'А'..='Я' => ('А', 'Я'),
        'а'..='я' => ('а', 'я'),
        'א'..='ת' => ('א', 'ת'),
        '٠'..='٩' => ('٠', '٩'),
        'ء'..='ي' => ('ا', 'غ'),
        '\u{900}'..='\u{963}' => ('क', 'ह'),
        '०'..='९' => ('०', '९'),
        'ก'..='ฮ' => ('ก', 'ฮ'),
        'ぁ'..='ゖ' => ('か', 'と'),
        'ァ'..='ヺ' => ('カ', 'ト'),
        '一'..='鿿' => ('一', '龥'),
        '가'..='힣' => ('가', '힣'),
        _ if c.is_uppercase() => ('A', 'Z'),
        _ if c.is_numeric() => ('0', '9'),
        _ if c.is_alphabetic() => ('a', 'z'),
        _ => return None,
    })
}
