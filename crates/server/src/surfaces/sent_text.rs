//! A text that grows from call to call, and is masked while it is sent on.
//!
//! A client that streams an answer asks about the whole text so far, again and again, and sends on what is new in the
//! masked text. What it sent cannot be taken back. So the masked text of a later call must begin with what was sent
//! before, although more context may change what is personal data; and the end of the text, in which a value may still
//! be incomplete, is held back.

use guardengine_engine::pii::{
    Entity,
    mask::{MaskKeys, Strategies, Strategy, mask},
};
use guardengine_engine::span::Span;

use super::memory::digest;

/// A marker for every type.
pub static FULL: Strategies = Strategies::new(Strategy::Full, Vec::new());

/// Code points at the end of a text that are not sent yet: longer than most values that are written with blanks.
const TAIL: usize = 64;

/// The part of a text that was sent.
#[derive(Clone, Debug, Default)]
pub struct SentText {
    /// Bytes of the original whose masked form was sent.
    length: usize,
    /// Digest of these bytes.
    digest: u128,
    /// Their masked form.
    masked: String,
}

/// A masked text, and how much of it may be sent.
#[derive(Debug)]
pub struct MaskedStream {
    /// The whole masked text.
    pub text: String,
    /// Code points at its end that must not be sent yet.
    pub held_back: usize,
    /// The part that counts as sent after this call.
    pub sent: SentText,
}

/// Entities, strategy and keys of masking.
#[derive(Clone, Copy)]
pub struct Masking<'a> {
    /// Entities to mask, sorted by place.
    pub found: &'a [Entity],
    /// Strategy for each type.
    pub strategies: &'a Strategies,
    /// The organization's keys.
    pub keys: &'a MaskKeys,
}

impl SentText {
    /// Returns the bytes that it occupies.
    pub const fn bytes(&self) -> usize {
        self.masked.len()
    }

    /// Masks `text`, which continues the text of the last call. If it does not, nothing counts as sent.
    pub fn continued(&self, text: &str, masking: Masking<'_>) -> MaskedStream {
        let sent = self.prefix_of(text);
        let (base, masked) = sent.map_or((0, ""), |sent| (sent.length, sent.masked.as_str()));
        let whole = format!("{masked}{}", masked_from(text, base, text.len(), masking));
        let end = sendable(text, base, masking.found);
        let prefix = format!("{masked}{}", masked_from(text, base, end, masking));
        // Text that is JSON is masked as a whole. If its beginning alone looks different, nothing more is sent.
        let (end, prefix) =
            if whole.starts_with(&prefix) { (end, prefix) } else { (base, masked.to_owned()) };
        let held_back = whole[prefix.len()..].chars().count();
        let sent = Self { length: end, digest: digest(&text[..end]), masked: prefix };
        MaskedStream { text: whole, held_back, sent }
    }

    fn prefix_of(&self, text: &str) -> Option<&Self> {
        let prefix = text.get(..self.length)?;
        (digest(prefix) == self.digest).then_some(self)
    }
}

/// Masks `text[from..to]`. Of a value that begins before it, only the rest is masked, by its marker.
fn masked_from(text: &str, from: usize, to: usize, masking: Masking<'_>) -> String {
    let Masking { found, strategies, keys } = masking;
    let cut = found.iter().filter(|entity| entity.span.start < from && from < entity.span.end);
    let begun = cut.max_by_key(|entity| entity.span.end);
    let rest = begun.map_or(from, |entity| entity.span.end.min(to));
    let masked = begun.map_or_else(String::new, |entity| {
        let whole = Entity { span: Span::new(0, rest - from), ..entity.clone() };
        mask(&text[from..rest], &[whole], Strategy::Full, keys).text
    });
    let inside = found.iter().filter(|entity| entity.span.start >= rest && entity.span.end <= to);
    let shifted = |entity: &Entity| {
        let span = Span::new(entity.span.start - rest, entity.span.end - rest);
        Entity { span, ..entity.clone() }
    };
    masked + &mask(&text[rest..to], &inside.map(shifted).collect::<Vec<_>>(), strategies, keys).text
}

/// Returns the end of what may be sent: before the tail, a word and a value that are not complete.
fn sendable(text: &str, base: usize, found: &[Entity]) -> usize {
    let mut end = text.char_indices().rev().nth(TAIL - 1).map_or(base, |(at, _)| at).max(base);
    if let Some(blank) = text[base..end].rfind(char::is_whitespace) {
        // After the blank, whose length in bytes is that of its character.
        end = base + blank + text[base + blank..].chars().next().map_or(0, char::len_utf8);
    } else {
        end = base;
    }
    for entity in found.iter().rev() {
        if entity.span.start < end && end < entity.span.end {
            end = entity.span.start.max(base);
        }
    }
    end
}

#[cfg(test)]
mod tests {
    use guardengine_engine::{pii, text::Text};
    use proptest::prelude::*;

    use super::*;

    /// Masks the text so far, and returns what a client that got these pieces has sent in the end.
    fn streamed(pieces: &[&str]) -> String {
        let keys = MaskKeys::new(&[7; 32]);
        let (mut sent, mut text, mut emitted, mut last) =
            (SentText::default(), String::new(), String::new(), String::new());
        for piece in pieces {
            text.push_str(piece);
            let found = pii::find_all(&Text::new(&text));
            let masking = Masking { found: &found, strategies: &FULL, keys: &keys };
            let stream = sent.continued(&text, masking);
            assert!(stream.text.starts_with(&emitted), "{:?} does not begin with {emitted:?}", stream.text);
            let end = stream.text.chars().count() - stream.held_back;
            emitted = stream.text.chars().take(end.max(emitted.chars().count())).collect();
            (sent, last) = (stream.sent, stream.text);
        }
        last
    }

    #[test]
    fn a_value_that_comes_in_pieces_is_never_sent() {
        let text = "Thank you for your question about the order, which arrived here two days ago and was checked. \
             Please write to jane.doe@example.com, or call our office under +49 30 901820 in the morning hours only. \
             We look forward to your answer and wish you a pleasant day with your new lamp from our shop.";
        for size in [1, 2, 5, 13, 50, 400] {
            let letters: Vec<char> = text.chars().collect();
            let pieces: Vec<String> = letters.chunks(size).map(|piece| piece.iter().collect()).collect();
            let masked = streamed(&pieces.iter().map(String::as_str).collect::<Vec<_>>());
            assert!(masked.contains("[EMAIL_REDACTED]") && !masked.contains("jane.doe"), "{size}: {masked}");
        }
    }

    #[test]
    fn most_of_a_long_text_is_sent() {
        let text = "One plain word follows another. ".repeat(20);
        let keys = MaskKeys::new(&[7; 32]);
        let masking = Masking { found: &[], strategies: &FULL, keys: &keys };
        let stream = SentText::default().continued(&text, masking);
        assert_eq!(stream.text, text);
        assert!((TAIL..TAIL + 20).contains(&stream.held_back), "{}", stream.held_back);
    }

    #[test]
    fn another_text_begins_anew() {
        let keys = MaskKeys::new(&[7; 32]);
        let masking = Masking { found: &[], strategies: &FULL, keys: &keys };
        let sent = SentText::default().continued(&"some words ".repeat(20), masking).sent;
        assert_eq!(sent.continued("short", masking).text, "short");
        let other = "other words ".repeat(20);
        assert_eq!(sent.continued(&other, masking).text, other);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

        #[test]
        fn what_was_sent_stays(pieces in prop::collection::vec("[a-z ]{0,9}|jane@x.org ?|[0-9 -]{1,12}|\\PC{0,3}", 1..40)) {
            let pieces: Vec<&str> = pieces.iter().map(String::as_str).collect();
            streamed(&pieces);
        }
    }
}
