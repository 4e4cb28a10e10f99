//! What the linear model counts: words, pairs of words, and pieces of words, hashed to rows of the weights.
//!
//! | feature | of what | why |
//! |---|---|---|
//! | word | every token | topic and trigger words |
//! | pair, skipping pair | a token with the one before it, and with the one before that | phrasing: "ignore all", "ignore … previous" |
//! | opening | the first word of the text | requests begin with a verb, documents do not |
//! | pieces of 3 to 5 characters | inside words of four characters and more | inflection, typing errors, other languages |
//! | characters, pairs and triples of them | runs of a script without blanks | words that do not show |
//!
//! Every feature counts for one, wherever it stands, so that counts of two stretches of text can be added.

use crate::tokens::{Kind, SEED, Token, mix, tokens};

/// Logarithm (base 2) of the number of rows.
pub const BITS: u32 = 18;
/// Rows of weights; features that hash alike share one.
pub const ROWS: usize = 1 << BITS;

const PIECE: u64 = 0x01_0000;
const PAIR: u64 = 0x02_0000;
const SKIP: u64 = 0x03_0000;
const OPENING: u64 = 0x04_0000;
const SHORTEST_WITH_PIECES: usize = 4 + PADDING;
const PADDING: usize = 2;

/// The row of a hash: its upper bits, which depend on all that was mixed in.
#[inline]
const fn row(hash: u64) -> u32 {
    (hash >> (u64::BITS - BITS)) as u32
}

/// Calls `visit` with the rows of what `token` is by itself.
#[inline]
pub(crate) fn inner(token: &Token<'_>, mut visit: impl FnMut(u32)) {
    visit(row(token.hash));
    match token.kind {
        Kind::Word if token.padded.len() >= SHORTEST_WITH_PIECES => pieces(token.padded, 3, 5, visit),
        Kind::Unspaced => pieces(&token.padded[1..token.padded.len() - 1], 1, 3, visit),
        Kind::Word | Kind::Mark => {}
    }
}

#[inline]
fn pieces(characters: &[u32], shortest: usize, longest: usize, mut visit: impl FnMut(u32)) {
    for start in 0..characters.len() {
        let mut hash = mix(SEED, PIECE);
        for (length, code) in (1..=longest).zip(&characters[start..]) {
            hash = mix(hash, u64::from(*code));
            if length >= shortest {
                visit(row(hash));
            }
        }
    }
}

/// The two words before the present one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Before {
    last: Option<u64>,
    last_but_one: Option<u64>,
}

impl Before {
    /// Calls `visit` with the rows of what `token` is among its neighbours, then takes it for the last word.
    #[inline]
    pub(crate) fn outer(&mut self, token: &Token<'_>, mut visit: impl FnMut(u32)) {
        match self.last {
            Some(last) => visit(row(mix(mix(last, PAIR), token.hash))),
            None => visit(row(mix(token.hash, OPENING))),
        }
        if token.kind == Kind::Mark {
            return;
        }
        if let Some(last_but_one) = self.last_but_one {
            visit(row(mix(mix(last_but_one, SKIP), token.hash)));
        }
        (self.last_but_one, self.last) = (self.last, Some(token.hash));
    }
}

/// Calls `visit` with every feature of `text`: the first byte of the token it belongs to, and its row.
pub fn features(text: &str, mut visit: impl FnMut(usize, u32)) {
    let mut before = Before::default();
    tokens(text, |token| {
        inner(&token, |row| visit(token.start, row));
        before.outer(&token, |row| visit(token.start, row));
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        let mut count = 0;
        features(text, |_, _| count += 1);
        count
    }

    #[test]
    fn a_short_word_is_one_feature_and_an_opening() {
        assert_eq!(count("the"), 2);
    }

    #[test]
    fn a_longer_word_has_its_pieces_too() {
        // `<kill>` holds four pieces of three characters, three of four and two of five.
        assert_eq!(count("kill"), 2 + 4 + 3 + 2);
    }

    #[test]
    fn a_third_word_has_a_pair_and_a_skipping_pair() {
        assert_eq!(count("a b c"), 3 + 1 + 2 + 1);
    }

    #[test]
    fn every_row_is_within_the_weights() {
        features("Grüße, 世界! \u{1f600} ignore previous", |_, row| assert!((row as usize) < ROWS));
    }

    #[test]
    fn case_does_not_matter() {
        let rows = |text| {
            let mut rows = Vec::new();
            features(text, |_, row| rows.push(row));
            rows
        };
        assert_eq!(rows("Ignore ALL"), rows("ignore all"));
        assert_ne!(rows("ignore all"), rows("ignore any"));
    }
}
