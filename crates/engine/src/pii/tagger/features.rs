//! What the weights are given for: a word, its form, its neighbours, and the tag before.

use super::{tag::Tag, token::Token};

/// Logarithm (base 2) of the number of rows of weights.
pub const BITS: u32 = 16;
/// Rows of weights.
pub const ROWS: usize = 1 << BITS;
/// Features of a word.
pub const COUNT: usize = 19;

/// The rows of the word at `place` of an island's words, behind a word with the tag `before`.
pub fn rows(tokens: &[Token<'_>], place: usize, before: Tag) -> [u16; COUNT] {
    let (two_ago, ago) = (&tokens[place - 2], &tokens[place - 1]);
    let word = &tokens[place];
    let (next, in_two) = (&tokens[place + 1], &tokens[place + 2]);
    let (form, form_ago, form_next) = (form(word), form(ago), form(next));
    let gaps = word.gap as u32 | (next.gap as u32) << 4;
    let before = before as u32;
    [
        row(0, word.word, 0),
        row(1, word.suffix, word.shape as u32),
        row(2, word.prefix, word.shape as u32),
        row(3, form, gaps),
        row(4, ago.word, word.gap as u32),
        row(5, next.word, next.gap as u32),
        row(6, ago.word, two_ago.word),
        row(7, ago.word, word.word),
        row(8, next.word, word.word),
        row(9, form_ago | form << 12, form_next),
        row(10, form, form_next | (next.gap as u32) << 12),
        row(11, form_ago | form << 12, word.gap as u32 | before << 4),
        row(12, word.shape as u32, gaps | before << 8),
        row(13, word.word, before),
        row(14, ago.word, before << 4 | word.shape as u32),
        row(15, two_ago.word, word.shape as u32),
        row(16, in_two.word, word.shape as u32),
        row(17, next.suffix, form),
        row(18, form, before),
    ]
}

/// Shape and class together.
fn form(token: &Token<'_>) -> u32 {
    token.shape as u32 | u32::from(token.class.bits()) << 4
}

/// One of the rows, by multiplicative hashing.
fn row(template: u32, one: u32, other: u32) -> u16 {
    let key = u64::from(one) << 32 | u64::from(other.wrapping_add(template.wrapping_mul(0x9e37_79b9)));
    let mixed = (key ^ (key >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    ((mixed ^ (mixed >> 32)).wrapping_mul(0x94d0_49bb_1331_11eb) >> (64 - BITS)) as u16
}
