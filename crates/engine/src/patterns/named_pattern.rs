//! One pattern of an organization.

use regex_automata::{
    Input,
    meta::{self, Regex},
    nfa::thompson::WhichCaptures,
};
use regex_syntax::hir::Hir;

use super::hir::{is_nullable, without_empty_matches};
use crate::{deadline::Deadline, fields::FieldError, span::Span};

/// Bytes that one compiled pattern may take, and its cache as much again.
const SIZE_LIMIT: usize = 1 << 20;
/// Characters in a pattern.
const LONGEST: usize = 2_000;
/// Groups within groups.
const DEEPEST: u32 = 50;
/// Bytes after the shortest match in which a longer one that is preferred is looked for.
const LOOKAHEAD: usize = 1 << 10;

/// A pattern with its name, ready to be searched for.
pub struct NamedPattern {
    pub name: String,
    /// The pattern without its empty matches.
    pub hir: Hir,
    regex: Regex,
}

impl NamedPattern {
    /// Compiles `pattern`. Empty matches are left out.
    pub fn new(name: &str, pattern: &str) -> Result<Self, FieldError> {
        if name.trim().is_empty() {
            return Err(FieldError::value("name", "a name that is not empty"));
        }
        let hir = without_empty_matches(&parse(pattern)?);
        let regex = Regex::builder().configure(config()).build_from_hir(&hir);
        let regex = regex.map_err(|_| located(pattern, "pattern compiles too large", 0))?;
        Ok(Self { name: name.trim().to_owned(), hir, regex })
    }

    /// Returns at most `most` matches in `text` that do not overlap, and the bytes that were read to find them.
    ///
    /// Each search first finds the place where a match ends at the earliest, and reads nothing behind it. The match
    /// that the pattern prefers is then looked for up to [`LOOKAHEAD`] bytes further. So the bytes read are at most
    /// three times the text, and as much as the lookahead for each match. A plain search would read to the end of the
    /// text for each match of `.*Z|A`.
    pub fn find(&self, text: &str, most: usize, deadline: &Deadline) -> (Vec<Span>, usize) {
        let (mut found, mut at, mut read) = (Vec::new(), 0, 0);
        let mut cache = self.regex.create_cache();
        while found.len() < most && at < text.len() && !deadline.is_over() {
            let rest = Input::new(text).range(at..).earliest(true);
            let Some(end) = self.regex.search_half_with(&mut cache, &rest).map(|half| half.offset()) else {
                return (found, read + text.len() - at);
            };
            let window = text.floor_char_boundary(end + LOOKAHEAD);
            let preferred = self.regex.search_with(&mut cache, &Input::new(text).range(at..window));
            read += (end - at) + 2 * (window - at);
            let Some(preferred) = preferred.filter(|preferred| !preferred.is_empty()) else { break };
            found.push(Span::new(preferred.start(), preferred.end()));
            at = preferred.end();
        }
        (found, read)
    }

    /// Returns whether the pattern asks for Unicode word boundaries, so that it may not occur where the set says.
    pub fn has_word_boundaries(&self) -> bool {
        self.hir.properties().look_set().contains_word_unicode()
    }

    /// Returns the bytes of the compiled pattern.
    pub fn memory_usage(&self) -> usize {
        self.regex.memory_usage() + size_of::<Self>() + self.name.len()
    }
}

// No prefilters and no backtracking: they may read a text more than once.
fn config() -> meta::Config {
    meta::Config::new()
        .nfa_size_limit(Some(SIZE_LIMIT))
        .hybrid_cache_capacity(SIZE_LIMIT)
        .which_captures(WhichCaptures::Implicit)
        .auto_prefilter(false)
        .onepass(false)
        .backtrack(false)
}

/// Checks that `pattern` matches no empty text, which would be everywhere.
pub fn check(pattern: &str) -> Result<(), FieldError> {
    if is_nullable(&parse(pattern)?) {
        let accepted = "must not match the empty text: write `x+` instead of `x*`, and no empty alternative";
        return Err(FieldError::value("pattern", accepted));
    }
    Ok(())
}

fn parse(pattern: &str) -> Result<Hir, FieldError> {
    let length = pattern.chars().count();
    if length == 0 || length > LONGEST {
        let accepted = format!("a regular expression of 1 to {LONGEST} characters");
        return Err(FieldError::value("pattern", accepted));
    }
    let parsed = regex_syntax::ParserBuilder::new().nest_limit(DEEPEST).build().parse(pattern);
    parsed.map_err(|error| match error {
        regex_syntax::Error::Parse(error) => {
            located(pattern, &error.kind().to_string(), error.span().start.offset)
        }
        regex_syntax::Error::Translate(error) => {
            located(pattern, &error.kind().to_string(), error.span().start.offset)
        }
        error => located(pattern, &error.to_string(), 0),
    })
}

/// Describes the error in `pattern` and its position in characters, counted from 0.
fn located(pattern: &str, what: &str, byte: usize) -> FieldError {
    let position = pattern.get(..byte).map_or(byte, |before| before.chars().count());
    FieldError::value("pattern", format!("{what} at position {position}"))
}
