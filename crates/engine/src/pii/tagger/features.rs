//! Features of the tagger: a word, its shape, its neighbors, and the previous tag.
//!
//! A row of weights belongs to one feature and says so by its [`mark`](Feature::mark): what training never saw is not taken for something else
//! that happens to share its row.

use super::{tag::Tag, token::Token};

/// Logarithm (base 2) of the number of rows of weights.
pub const BITS: u32 = 16;
/// Rows of weights.
pub const ROWS: usize = 1 << BITS;
/// Features of a word.
pub const COUNT: usize = 19;

/// Where the weights of something about a word stand, if it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Feature {
    /// The row.
    pub row: u16,
    /// What stands in the row's first place when it is this feature's and no other's.
    pub mark: u8,
}

/// The features of the word at `place` of an island's words, behind a word with the tag `before`.
pub fn features(tokens: &[Token<'_>], place: usize, before: Tag) -> [Feature; COUNT] {
    let (two_ago, ago) = (&tokens[place - 2], &tokens[place - 1]);
    let word = &tokens[place];
    let (next, in_two) = (&tokens[place + 1], &tokens[place + 2]);
    let (form, form_ago, form_next) = (form(word), form(ago), form(next));
    let gaps = word.gap as u32 | (next.gap as u32) << 4;
    let before = before as u32;
    [
        feature(0, word.word, 0),
        feature(1, word.suffix, word.shape as u32),
        feature(2, word.prefix, word.shape as u32),
        feature(3, form, gaps),
        feature(4, ago.word, word.gap as u32),
        feature(5, next.word, next.gap as u32),
        feature(6, ago.word, two_ago.word),
        feature(7, ago.word, word.word),
        feature(8, next.word, word.word),
        feature(9, form_ago | form << 12, form_next),
        feature(10, form, form_next | (next.gap as u32) << 12),
        feature(11, form_ago | form << 12, word.gap as u32 | before << 4),
        feature(12, word.shape as u32, gaps | before << 8),
        feature(13, word.word, before),
        feature(14, ago.word, before << 4 | word.shape as u32),
        feature(15, two_ago.word, word.shape as u32),
        feature(16, in_two.word, word.shape as u32),
        feature(17, next.suffix, form),
        feature(18, form, before),
    ]
}

/// Shape and class together.
fn form(token: &Token<'_>) -> u32 {
    token.shape as u32 | u32::from(token.class.bits()) << 4
}

/// By multiplicative hashing.
fn feature(template: u32, one: u32, other: u32) -> Feature {
    let key = u64::from(one) << 32 | u64::from(other.wrapping_add(template.wrapping_mul(0x9e37_79b9)));
    let mixed = (key ^ (key >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let mixed = (mixed ^ (mixed >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb);
    Feature { row: (mixed >> (64 - BITS)) as u16, mark: (mixed >> (56 - BITS)) as u8 }
}
