//! Spans that may contain a name, with two words of context on each side.

use std::ops::Range;

use super::{
    particles::joins,
    read,
    token::{Gap, Shape, Token},
};
use crate::{
    pii::{nearby, types::names::class},
    span::Span,
    text::char_boundary,
};

/// Words around an island that its features look at.
const AROUND: usize = 2;
/// Small words that an island may cross on the way to its next capital or number.
const CROSSED: usize = 3;
/// Words before a capital that may hold the number of its house.
const HOUSE: usize = 3;
/// Bytes of them.
const NEAR: usize = 24;
/// Other scripts begin here; the tagger was not taught them.
const FIRST_OF_NO_LATIN: char = '\u{250}';
/// Words of an island at most; what follows is another.
const LONGEST: usize = 64;

/// Words that are tagged, and their neighbours.
#[derive(Debug, Default)]
pub struct Island<'t> {
    tokens: Vec<Token<'t>>,
    inner: Range<usize>,
}

impl<'t> Island<'t> {
    /// The words, `AROUND` neighbours on each side included.
    pub fn tokens(&self) -> &[Token<'t>] {
        &self.tokens
    }

    /// The same, to be changed.
    pub fn tokens_mut(&mut self) -> &mut [Token<'t>] {
        &mut self.tokens
    }

    /// The places of the words that are tagged.
    pub fn inner(&self) -> Range<usize> {
        self.inner.clone()
    }

    /// Where its last word ends.
    fn end(&self) -> usize {
        self.tokens[self.inner.end - 1].span.end
    }

    /// Reads the island around the word `seed`, beginning nowhere before `floor`.
    fn read(&mut self, text: &'t str, floor: usize, seed: Token<'t>) {
        self.tokens.clear();
        let mut first = start(text, floor, seed);
        for _ in 0..AROUND {
            let before = self.tokens.last().map_or(first.span.start, |token| token.span.start);
            self.tokens.push(read::previous(text, before).unwrap_or(Token::NOTHING));
        }
        self.tokens.reverse();
        first.gap = gap_between(text, self.tokens[AROUND - 1].span.end, first.span.start);
        self.tokens.push(first);
        let mut crossed = 0;
        while self.tokens.len() < LONGEST && crossed < CROSSED {
            let Some(token) = read::next(text, self.last_end()) else { break };
            let goes_on = token.is_number() || token.is_capitalised() || is_identifier(&token);
            if !goes_on && !joins(token.text) {
                break;
            }
            crossed = if goes_on { 0 } else { crossed + 1 };
            self.tokens.push(token);
        }
        self.tokens.truncate(self.tokens.len() - crossed);
        self.inner = AROUND..self.tokens.len();
        for _ in 0..AROUND {
            let next = read::next(text, self.last_end()).unwrap_or(Token::NOTHING);
            let next =
                if next.shape == Shape::Nothing { Token { span: self.last().span, ..next } } else { next };
            self.tokens.push(next);
        }
    }

    fn last(&self) -> &Token<'t> {
        self.tokens.last().unwrap_or(&Token::NOTHING)
    }

    fn last_end(&self) -> usize {
        self.last().span.end
    }
}

/// Puts every island of `text` into `use_island`, in order.
pub fn each<'t>(text: &'t str, mut use_island: impl FnMut(&mut Island<'t>)) {
    let mut island = Island::default();
    let mut at = 0;
    while let Some(seed) = next_seed(text, at) {
        let mut end = read::word(text, seed).end;
        if !is_lone_everyday_word(text, Span::new(seed, end)) {
            island.read(text, at, read::at(text, seed, Gap::Blank));
            end = island.end();
            use_island(&mut island);
        }
        at = end.max(char_boundary::ceil(text, seed + 1));
    }
}

/// A lone everyday word, as at the beginning of most sentences, names nobody.
fn is_lone_everyday_word(text: &str, word: Span) -> bool {
    let next = || text[word.end..].chars().find(|c| c.is_alphanumeric());
    class(word.of(text)).is_everyday() && !next().is_some_and(|c| c.is_uppercase() || c.is_ascii_digit())
}

/// The first place from `from` on where a word begins with a capital or behind `@`.
fn next_seed(text: &str, floor: usize) -> Option<usize> {
    let mut from = floor;
    let may_be = |byte: &u8| matches!(byte, b'A'..=b'Z' | b'@' | 0x80..);
    while let Some(place) = nearby::next(text.as_bytes(), from, may_be) {
        if begins_plainly(text.as_bytes(), place) {
            return Some(place);
        }
        let c = text[place..].chars().next()?;
        let next = place + c.len_utf8();
        let is_alone = !text[..place].ends_with(|c: char| c.is_alphanumeric() || c == '_');
        match c {
            '@' if is_alone && text[next..].starts_with(char::is_alphanumeric) => return Some(next),
            _ if c < FIRST_OF_NO_LATIN && c.is_uppercase() && is_alone => {
                return Some(read::word_start(text, place).max(floor));
            }
            _ => {}
        }
        from = next;
    }
    None
}

/// Whether a plain capital stands at `place`, with a blank or nothing before it, as most do.
fn begins_plainly(text: &[u8], place: usize) -> bool {
    text[place].is_ascii_uppercase() && (place == 0 || matches!(text[place - 1], b' ' | b'\n'))
}

/// The word `seed`, or the house number a few words before it.
fn start<'t>(text: &'t str, floor: usize, seed: Token<'t>) -> Token<'t> {
    let mut before = seed.span.start;
    if !nearby::before(text, before, NEAR).bytes().any(|byte| byte.is_ascii_digit()) {
        return seed;
    }
    for _ in 0..HOUSE {
        let Some(token) = read::previous(text, before).filter(|token| token.span.start >= floor) else {
            break;
        };
        if token.is_number() {
            return token;
        }
        before = token.span.start;
    }
    seed
}

fn is_identifier(token: &Token<'_>) -> bool {
    matches!(token.shape, Shape::Identifier | Shape::Alphanumeric)
}

fn gap_between(text: &str, end: usize, start: usize) -> Gap {
    if end == 0 && start > 0 {
        return Gap::Line;
    }
    text[end..start].chars().map(Gap::of).max().unwrap_or(Gap::Line)
}
