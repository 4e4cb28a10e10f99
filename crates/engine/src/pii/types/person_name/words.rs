//! Runs of capitalized words.

use super::lists::{self, Class};
use crate::{pii::nearby, span::Span};

/// A word that begins with a capital letter.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word<'t> {
    pub text: &'t str,
    pub span: Span,
    pub class: Class,
}

impl Word<'_> {
    /// A single letter: an initial.
    pub fn is_initial(&self) -> bool {
        self.text.chars().count() == 1
    }
}

/// Words of a run at most: longer ones are headings.
const LONGEST: usize = 8;
/// Small words inside names.
pub(super) const PARTICLES: [&str; 25] = [
    "van", "von", "der", "den", "de", "del", "della", "di", "da", "do", "dos", "das", "la", "le", "el", "al",
    "bin", "ibn", "ben", "bint", "binti", "binte", "ter", "ten", "zu",
];

/// The runs of capitalised words of `text`, put into `use_run` one after the other.
pub(super) fn each_run<'t>(text: &'t str, mut use_run: impl FnMut(&[Word<'t>])) {
    let mut run = Vec::with_capacity(LONGEST);
    let mut at = 0;
    while let Some(start) = next_capital(text, at) {
        at = read_run(text, start, &mut run);
        if !run.is_empty() {
            use_run(&run);
        }
    }
}

/// Reads the run that begins at `start` into `run`; where it ends.
pub(super) fn read_run<'t>(text: &'t str, start: usize, run: &mut Vec<Word<'t>>) -> usize {
    run.clear();
    let mut at = start;
    loop {
        let end = word_end(text, at);
        let Some(word) = word(text, at, end) else { return end };
        run.push(word);
        match next_in_run(text, &word).filter(|_| run.len() < LONGEST) {
            Some(next) => at = next,
            None => return end,
        }
    }
}

/// The first place from `from` on where a word begins with a capital letter.
fn next_capital(text: &str, mut from: usize) -> Option<usize> {
    let may_be_capital = |byte: &u8| byte.is_ascii_uppercase() | !byte.is_ascii();
    let goes_on = |c: char| c.is_alphanumeric() || c == '_';
    while let Some(place) = nearby::next(text.as_bytes(), from, may_be_capital) {
        let c = text[place..].chars().next()?;
        if c.is_uppercase() && !text[..place].ends_with(goes_on) {
            return Some(place);
        }
        from = place + c.len_utf8();
    }
    None
}

/// Where the word at `start` ends: letters, with hyphens and apostrophes between them.
pub(super) fn word_end(text: &str, start: usize) -> usize {
    let mut letters = text[start..].char_indices().peekable();
    while let Some((offset, c)) = letters.next() {
        let joins =
            matches!(c, '-' | '\'' | '’') && letters.peek().is_some_and(|(_, next)| next.is_alphabetic());
        if !c.is_alphabetic() && !joins {
            return start + offset;
        }
    }
    text.len()
}

fn word(text: &str, start: usize, end: usize) -> Option<Word<'_>> {
    let written = &text[start..end];
    let is_part_of_identifier =
        text.as_bytes().get(end).is_some_and(|byte| byte.is_ascii_digit() || *byte == b'_');
    if !written.starts_with(char::is_uppercase) || is_part_of_identifier || written.len() > 40 {
        return None;
    }
    let name = written.strip_suffix("'s").or_else(|| written.strip_suffix("’s")).unwrap_or(written);
    Some(Word { text: name, span: Span::new(start, start + name.len()), class: lists::class(name) })
}

/// Where the next word of the run begins: after one blank, a point and a blank, a field separator, or particles.
fn next_in_run(text: &str, word: &Word<'_>) -> Option<usize> {
    let rest = &text.as_bytes()[word.span.end..];
    let gap = match rest {
        [b' ' | b',' | b';' | b'\t' | b'|', ..] => 1,
        [b'.', b' ', ..] if word.is_initial() || word.class.is_title() => 2,
        [b'.', next, ..] if (word.is_initial() || word.class.is_title()) && next.is_ascii_uppercase() => 1,
        _ => return None,
    };
    let mut at = word.span.end + gap;
    for _ in 0..2 {
        let end = word_end(text, at);
        let particle = &text[at..end];
        if particle.is_empty() || !PARTICLES.contains(&particle) || text.as_bytes().get(end) != Some(&b' ') {
            break;
        }
        at = end + 1;
    }
    text[at..].starts_with(char::is_uppercase).then_some(at)
}
