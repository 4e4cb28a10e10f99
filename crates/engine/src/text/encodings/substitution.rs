//! Substitution ciphers: the alphabet rotated or reversed.
//!
//! Tried only on words whose letter pairs belong to no language, and believed only where the result does.

use super::Decoder;
use super::payload::Payloads;
use crate::span::Span;
use crate::text::Transform;
use crate::text::char_boundary::floor;
use crate::text::letter_pairs::{cost, cost_as};
use crate::text::scan::Source;
use crate::text::view_builder::ViewBuilder;

/// The alphabet turned by 13.
pub static ROT13: Substitution =
    Substitution { transform: Transform::Rot13, keys: &[Key::Turn(13)], level: 2.9 };

/// The alphabet turned by any other number, the classical 3 first. More keys find language by accident more often.
pub static CAESAR: Substitution = Substitution {
    transform: Transform::Caesar,
    keys: &[
        Key::Turn(3),
        Key::Turn(23),
        Key::Turn(1),
        Key::Turn(25),
        Key::Turn(2),
        Key::Turn(4),
        Key::Turn(5),
        Key::Turn(6),
        Key::Turn(7),
        Key::Turn(8),
        Key::Turn(9),
        Key::Turn(10),
        Key::Turn(11),
        Key::Turn(12),
        Key::Turn(14),
        Key::Turn(15),
        Key::Turn(16),
        Key::Turn(17),
        Key::Turn(18),
        Key::Turn(19),
        Key::Turn(20),
        Key::Turn(21),
        Key::Turn(22),
        Key::Turn(24),
    ],
    level: 2.6,
};

/// The alphabet read from its end.
pub static ATBASH: Substitution =
    Substitution { transform: Transform::Atbash, keys: &[Key::Mirror], level: 2.75 };

/// Letters of a stretch by which its key is chosen.
const SAMPLE: usize = 120;
/// Letters of a stretch at least.
const SHORTEST: usize = 12;

/// How a letter is replaced.
#[derive(Clone, Copy)]
enum Key {
    Turn(u8),
    Mirror,
}

impl Key {
    const fn apply(self, byte: u8) -> u8 {
        let first = match byte {
            b'a'..=b'z' => b'a',
            b'A'..=b'Z' => b'A',
            _ => return byte,
        };
        match self {
            Self::Turn(by) => first + (byte - first + by) % 26,
            Self::Mirror => first + 25 - (byte - first),
        }
    }
}

/// A family of substitutions.
pub struct Substitution {
    transform: Transform,
    keys: &'static [Key],
    /// Mean cost of a letter pair up to which the result is language.
    level: f32,
}

impl Decoder for Substitution {
    fn transform(&self) -> Transform {
        self.transform
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        let mut payloads = Payloads::default();
        for stretch in &source.strange {
            if let Some(key) = self.key(stretch.of(source.text)) {
                let whole = key.widened(source.text, *stretch);
                let turned = whole.of(source.text).chars().map(|letter| key.apply_to(letter));
                payloads.part(source.text, whole).overlay(&turned.collect::<String>(), whole);
            }
        }
        payloads.finish()
    }
}

impl Substitution {
    /// The key under which `text` reads as language, if there is one.
    fn key(&self, text: &str) -> Option<Key> {
        let sample = &text[..floor(text, SAMPLE)];
        if sample.bytes().filter(u8::is_ascii_alphabetic).count() < SHORTEST {
            return None;
        }
        let level = self.level.min(cost(sample).mean() - 0.4);
        let means = self.keys.iter().map(|key| (cost_as(sample, |byte| key.apply(byte)).mean(), *key));
        let (mean, key) = means.min_by(|left, right| left.0.total_cmp(&right.0))?;
        (mean <= level).then_some(key)
    }
}

/// Words by which a stretch is widened on either side at most: short words pass for language both ways.
const NEIGHBOURS: usize = 4;

impl Key {
    fn apply_to(self, letter: char) -> char {
        if letter.is_ascii() { char::from(self.apply(letter as u8)) } else { letter }
    }

    /// `stretch` with the words beside it that read no worse under this key.
    fn widened(self, text: &str, stretch: Span) -> Span {
        let before = text[..stretch.start].split_inclusive(' ').rev();
        let after = text[stretch.end..].split_inclusive(' ');
        let left: usize = before.take(NEIGHBOURS).take_while(|word| self.improves(word)).map(str::len).sum();
        let right: usize = after.take(NEIGHBOURS).take_while(|word| self.improves(word)).map(str::len).sum();
        Span::new(stretch.start - left, stretch.end + right)
    }

    fn improves(self, word: &str) -> bool {
        word.len() < 32 && cost_as(word, |byte| self.apply(byte)).forward < cost(word).forward
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_has_its_counterpart() {
        for letter in [b'a', b'z', b'M'] {
            assert_eq!(Key::Turn(3).apply(Key::Turn(23).apply(letter)), letter);
            assert_eq!(Key::Mirror.apply(Key::Mirror.apply(letter)), letter);
        }
    }
}
