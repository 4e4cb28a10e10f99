//! The language of a text: by its script where one language alone is written in it, else by n-grams of its letters
//! ([`identifier`]).

mod identifier;
mod script;

use self::{identifier::Identifier, script::Script};

/// Characters that are looked at.
const SAMPLE: usize = 1000;

/// Returns the ISO 639-1 code of the language of `text`, by its first 1,000 characters; `None` if it is not clear.
pub fn language(text: &str) -> Option<&'static str> {
    let sample = first(text, SAMPLE);
    match script::dominant(sample)? {
        Script::Of(code) => Some(code),
        shared => Identifier::embedded().language(sample, |code| shared.has(code)),
    }
}

/// The first `characters` of `text`, or fewer.
fn first(text: &str, characters: usize) -> &str {
    text.char_indices().nth(characters).map_or(text, |(end, _)| &text[..end])
}

#[cfg(test)]
mod tests;
