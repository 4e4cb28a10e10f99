//! Surnames after titles in lower case or with a period: `dr. van Es`, `Sig.ra D'Amico`, `mrs kim`, `PC Lynch`.

use super::{
    grammar::{initials_end, particles_end},
    introduced::stands_alone,
    introductions::Promise,
    lists::{class, is_public, looks_like_surname, title_case},
    not_names, words,
};
use crate::{pii::Match, span::Span};

/// Confidence of a surname that no list has, of one in small letters, and of one that a list has.
const UNKNOWN: f32 = 0.55;
const SMALL: f32 = 0.5;
const KNOWN: f32 = 0.6;
/// Who is called so and has another name: `mr president`, `Gent.le Cliente`.
const ROLES: [&str; 40] = [
    "cliente",
    "clienti",
    "signora",
    "signor",
    "signore",
    "dottore",
    "dottoressa",
    "direttore",
    "direttrice",
    "presidente",
    "ministra",
    "ministro",
    "directora",
    "director",
    "professora",
    "profesora",
    "doktor",
    "präsident",
    "präsidentin",
    "kanzlerin",
    "président",
    "présidente",
    "collega",
    "kollegin",
    "president",
    "chairman",
    "speaker",
    "right",
    "nice",
    "big",
    "fix",
    "robot",
    "potato",
    "claus",
    "universe",
    "world",
    "darcy",
    "who",
    "perfect",
    "wonderful",
];

/// The name behind the title at `title`.
pub(super) fn name(text: &str, title: Span, promise: Promise) -> Option<Match> {
    let rest = &text[title.end..];
    let written = title.of(text);
    let gap = usize::from(!written.ends_with('.') && rest.starts_with('.')) + 1;
    let is_parted = rest.get(gap - 1..gap) == Some(" ");
    if !is_parted || !stands_alone(text, title.start, title.end) {
        return None;
    }
    let start = title.end + gap;
    let at = particles_end(text, initials_end(text, start));
    let is_capital = text[at..].starts_with(char::is_uppercase);
    let is_own = written.starts_with(char::is_lowercase) || written.trim_end_matches('.').contains('.');
    let name = match promise {
        Promise::Rank if is_capital && is_rank(written) => capitalised(text, (start, at), true),
        Promise::Title if is_capital && is_own => capitalised(text, (start, at), false),
        Promise::Title if !is_capital && is_own => small(text, (start, at), written),
        _ => None,
    };
    name.filter(|one| !is_public(one.span.of(text)))
}

/// Ranks are written as they are here.
fn is_rank(written: &str) -> bool {
    written.starts_with(char::is_uppercase)
        && (written.ends_with('.') || !written.contains(char::is_lowercase))
}

fn capitalised(text: &str, (start, at): (usize, usize), is_rank: bool) -> Option<Match> {
    let mut run = Vec::new();
    words::read_run(text, at, &mut run);
    let may_be = |word: &&words::Word<'_>| {
        let class = word.class;
        // Behind a particle even a short word is a surname: `van Es`.
        let follows_particle = start < at && word.span.start == at && !class.is_title();
        let is_other = class.is_stop() || class.is_organisation() || class.is_title() || is_nobody(word.text);
        word.text.len() > 1 && (follows_particle || class.is_surname() || !is_other)
    };
    let names: Vec<_> = run.iter().take(3).take_while(may_be).collect();
    let last = names.last()?;
    let is_listed = |word: &&words::Word<'_>| word.class.is_plain_surname() || looks_like_surname(word.text);
    let is_known = start < at || names.iter().any(is_listed);
    let confidence = if is_known { KNOWN } else { UNKNOWN };
    (is_known || !is_rank).then(|| Match { span: Span::new(start, last.span.end), confidence })
}

/// A surname in small letters: one of the lists, or any behind `mrs` and `mr`, which stand before nothing else.
fn small(text: &str, (start, at): (usize, usize), title: &str) -> Option<Match> {
    let end = words::word_end(text, at);
    let word = &text[at..end];
    let class = class(&title_case(word));
    let is_known = class.is_surname() || class.is_plain_given() || (start < at && word.len() > 2);
    let is_sure = matches!(title.trim_end_matches('.'), "mr" | "mrs") && class.is_unknown() && word.len() > 3;
    let is_name = (is_known || is_sure) && !is_nobody(&title_case(word));
    let goes_on = text[end..].starts_with(['_', '(', '.', '/']) && !text[end..].starts_with(". ");
    (is_name && !goes_on).then(|| Match { span: Span::new(start, end), confidence: SMALL })
}

fn is_nobody(word: &str) -> bool {
    not_names::is_one(word) || ROLES.contains(&word.to_lowercase().as_str())
}
