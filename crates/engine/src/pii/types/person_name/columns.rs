//! Names in a column of names.

use super::{
    lists::{class, is_public, title_case},
    words::PARTICLES,
};
use crate::pii::{
    Match, Scanner,
    tables::{Cell, Column},
};

/// Confidence of a word that no list knows as a name; worth masking, not worth stopping a text.
const UNKNOWN: f32 = 0.6;
/// Confidence of a name that a list knows.
const KNOWN: f32 = 0.85;
/// Words of a name at most.
const WORDS: usize = 5;

/// The names in the tables of the text.
pub(super) fn find(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    let one = |cell: &Cell| Some(Match { span: cell.span, confidence: confidence(scan.text, *cell)? });
    found.extend(scan.cells().iter().filter_map(one));
}

fn confidence(text: &str, cell: Cell) -> Option<f32> {
    let name = cell.span.of(text);
    let is_sure = match cell.column {
        Column::PersonName => true,
        Column::AnyName => false,
        _ => return None,
    };
    let words = || name.split([' ', ',']).filter(|word| !word.is_empty());
    if is_public(name) || !(1..=WORDS).contains(&words().count()) {
        return None;
    }
    let is_known = words().any(is_listed);
    let may_be =
        words().all(may_name) || (is_sure && (words().all(is_small_name) || words().all(is_caseless)));
    let is_full = words().nth(1).is_some();
    may_be.then_some(())?;
    let is_accompanied = cell.is_accompanied && is_full;
    if is_known && (is_sure || is_accompanied) {
        return Some(KNOWN);
    }
    (is_known || is_sure || is_accompanied).then_some(UNKNOWN)
}

fn is_listed(word: &str) -> bool {
    let class = class(word);
    class.is_plain_given() || class.is_plain_surname()
}

/// A particle, an initial, or a capitalised word that is known as nothing else.
fn may_name(word: &str) -> bool {
    let class = class(word);
    let is_letter = |c: char| c.is_alphabetic() || matches!(c, '-' | '\'' | '’' | '.');
    let is_capital = word.starts_with(char::is_uppercase) || word.starts_with("d'") || word.starts_with("d’");
    PARTICLES.contains(&word)
        || (is_capital && word.chars().all(is_letter) && !class.is_everyday() && !class.is_organisation())
}

/// Letters of a script without capitals, as many as names have.
fn is_caseless(word: &str) -> bool {
    const MOST: usize = 12;
    let is_letter = |c: char| c.is_alphabetic() && !c.is_uppercase() && !c.is_lowercase();
    word.chars().count() <= MOST && word.chars().all(is_letter)
}

fn is_small_name(word: &str) -> bool {
    word.starts_with(char::is_lowercase) && is_listed(&title_case(word))
}
