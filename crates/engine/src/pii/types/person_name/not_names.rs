//! Capitalized words that look like names but are not, such as roles and brands.

use std::{collections::HashSet, sync::LazyLock};

static WORDS: LazyLock<HashSet<&'static str>> =
    LazyLock::new(|| include_str!("nobody.txt").split_whitespace().collect());

/// Whether `word` is a role, a salutation, an adverb, a thing or a brand that is written where names are.
pub(super) fn is_one(word: &str) -> bool {
    word.ends_with("ly") || word.ends_with("ing") || WORDS.contains(word)
}
