//! Letters with separators: `i g n o r e`, `i.g.n.o.r.e`, `i-g-n-o-r-e`.
//!
//! A wider gap, or a blank between letters that another sign parts, ends a word. Where no gap is wider the letters
//! are put together without knowing where words end.

use super::Decoder;
use crate::span::Span;
use crate::text::Transform;
use crate::text::letter_pairs::cost;
use crate::text::letters::is_alphanumeric;
use crate::text::scan::Source;
use crate::text::view_builder::{Edits, ViewBuilder};

/// Letters of a stretch at least.
const SHORTEST: usize = 5;
/// Mean cost of a letter pair up to which Latin letters put together are language: alphabets and variables are not.
const LEVEL: f32 = 3.4;
/// Bytes of a gap between two words at most.
const GAP: usize = 6;

pub struct Spacing;

impl Decoder for Spacing {
    fn transform(&self) -> Transform {
        Transform::Spacing
    }

    fn decode(&self, source: &Source<'_>) -> Option<ViewBuilder> {
        if source.is_ascii && !source.is_spaced {
            return None;
        }
        let mut edits = Edits::default();
        let mut stretch = Vec::new();
        for run in runs(source.text) {
            let is_single = run.of(source.text).chars().nth(1).is_none();
            let gap = stretch.last().map_or(0, |last: &Span| run.start - last.end);
            if !is_single || gap > GAP {
                join(source.text, &stretch, &mut edits);
                stretch.clear();
            }
            if is_single {
                stretch.push(run);
            }
        }
        join(source.text, &stretch, &mut edits);
        edits.apply(source.text)
    }
}

/// Runs of letters, digits and the signs that stand for letters.
fn runs(text: &str) -> impl Iterator<Item = Span> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].find(is_letter)?;
        at = text[start..].find(|it| !is_letter(it)).map_or(text.len(), |length| start + length);
        Some(Span::new(start, at))
    })
}

fn is_letter(character: char) -> bool {
    is_alphanumeric(character) || matches!(character, '@' | '$')
}

/// Puts the single letters of a stretch together if that makes words.
fn join(text: &str, stretch: &[Span], edits: &mut Edits) {
    if stretch.len() < SHORTEST {
        return;
    }
    let gaps: Vec<Span> = stretch.windows(2).map(|pair| Span::new(pair[0].end, pair[1].start)).collect();
    let Some(inner) = gaps.iter().map(|gap| gap.of(text)).min_by_key(|gap| (gap.len(), gap.contains(' ')))
    else {
        return;
    };
    let mut joined = Edits::default();
    let mut word = String::new();
    for (letter, gap) in stretch.iter().zip(&gaps) {
        let between = if gap.of(text) == inner { "" } else { " " };
        word.push_str(letter.of(text));
        word.push_str(between);
        joined.replace(*gap, between);
    }
    word.extend(stretch.last().map(|last| last.of(text)));
    if is_word(&word) {
        edits.append(&joined);
    }
}

/// Whether letters put together may be words; only those in Latin script can be told.
fn is_word(word: &str) -> bool {
    let letters = word.chars().filter(|letter| letter.is_alphabetic()).count();
    let latin = word.bytes().filter(u8::is_ascii_alphabetic).count();
    let longest = word.split(' ').map(|part| part.chars().count()).max().unwrap_or(0);
    longest >= 3 && letters >= SHORTEST && (latin * 2 < letters || cost(word).mean() <= LEVEL)
}
