//! Names after an introduction: "my name is …", "first_name: …", "Best regards, …".

use super::{
    caseless_scripts, context_before,
    introductions::{LEXICON, PROMISES, Promise},
    lists::is_public,
    lowercase, titles,
    words::{self, Word},
};
use crate::{
    pii::{Match, Scanner},
    span::Span,
};

/// The names in the text that are introduced.
pub(super) fn find(scan: &Scanner<'_>, found: &mut Vec<Match>) {
    let text = scan.text;
    for (introduction, Span { start, end }) in LEXICON.longest(text, scan.word_starts()) {
        let promise = PROMISES[introduction];
        if promise == Promise::Suffix {
            found.extend(before_suffix(text, start));
        } else if promise == Promise::OwnSuffix {
            found.extend(before_suffix(text, start).filter(|name| follows_speaker(text, name.span.start)));
        } else if matches!(promise, Promise::Title | Promise::Rank) {
            found.extend(titles::name(text, Span::new(start, end), promise));
        } else if stands_alone(text, start, end)
            && (promise != Promise::Greeting || context_before::begins_greeting(text, start))
        {
            let named = value_start(text, end, promise).and_then(|at| name_at(text, at, promise));
            found.extend(named.or_else(|| beside_label(text, end, promise)));
        }
    }
}

fn before_suffix(text: &str, end: usize) -> Option<Match> {
    let start = caseless_scripts::name_before(&text[..end])?;
    let length = text[start..end].trim_end().len();
    Some(Match { span: Span::new(start, start + length), confidence: 0.7 })
}

/// Returns whether Korean words for "I" end right before `start`.
fn follows_speaker(text: &str, start: usize) -> bool {
    let before = text[..start].trim_end();
    ["저는", "나는", "제가", "저는요"].iter().any(|speaker| before.ends_with(speaker))
}

/// Whether no letter or digit touches a word of a script that parts words.
pub(super) fn stands_alone(text: &str, start: usize, end: usize) -> bool {
    let parts_no_words = |c: char| matches!(c, '\u{e00}'..='\u{eff}' | '\u{2e80}'..='\u{d7ff}');
    let is_letter = |c: char| c.is_alphanumeric() && !parts_no_words(c);
    let before = text[..start].chars().next_back().is_some_and(is_letter);
    let first = text[start..].chars().next().is_some_and(is_letter);
    let last = text[..end].chars().next_back().is_some_and(is_letter);
    let after = text[end..].chars().next().is_some_and(is_letter);
    !((before && first) || (after && last))
}

/// Bytes between an introduction and its name at most.
const GAP: usize = 32;

/// A name right behind a label that is a word of the sentence: `customer jane doe called`.
fn beside_label(text: &str, end: usize, promise: Promise) -> Option<Match> {
    let is_label = matches!(promise, Promise::Field | Promise::AnyField | Promise::Role);
    let is_beside = is_label && text[end..].starts_with(' ');
    is_beside.then(|| lowercase::name(text, end + 1, Promise::Person)).flatten()
}

/// Where the name begins that an introduction up to `end` promises.
fn value_start(text: &str, end: usize, promise: Promise) -> Option<usize> {
    let rest = &text[end..];
    let is_gap = |c: char| matches!(c, ' ' | '\t' | '"' | '\'' | ':' | '：' | '=' | '>' | '*' | '`');
    let value = match promise {
        Promise::SignOff => {
            let line = rest.trim_start_matches([',', '!', '.', ' ', '\r']);
            line.strip_prefix('\n')?.trim_start_matches(['\n', '\r', ' ', '-'])
        }
        Promise::Field | Promise::AnyField | Promise::Role => {
            let value = context_before::without_marks(rest, is_gap);
            let gap = &rest[..rest.len() - value.len()];
            gap.contains([':', '：', '=', '>']).then_some(value)?
        }
        Promise::By => context_before::without_marks(rest, is_gap),
        Promise::Greeting => rest.trim_start_matches([' ', ',']),
        _ => rest.trim_start_matches([' ', ':', '：', '"', '*']),
    };
    (rest.len() - value.len() <= GAP).then(|| text.len() - value.len())
}

fn name_at(text: &str, at: usize, promise: Promise) -> Option<Match> {
    let rest = &text[at..];
    let own = matches!(promise, Promise::Own | Promise::Field | Promise::AnyField);
    let first = rest.chars().next()?;
    if first.is_uppercase() {
        return capitalised(text, at, promise);
    }
    if first.is_lowercase() {
        return lowercase::name(text, at, promise);
    }
    let length = own
        .then(|| caseless_scripts::name_length(rest, 2).or_else(|| caseless_scripts::caseless_length(rest)))
        .flatten()?;
    Some(Match { span: Span::new(at, at + length), confidence: 0.85 })
}

fn capitalised(text: &str, at: usize, promise: Promise) -> Option<Match> {
    let mut run = Vec::new();
    words::read_run(text, at, &mut run);
    let titles = run.iter().take_while(|word| word.class.is_title()).count();
    let is_name = |word: &&Word<'_>| !word.class.is_everyday();
    let names = &run[titles..];
    let names = &names[..names.iter().take(4).take_while(is_name).count()];
    let (first, last) = (names.first()?, names.last()?);
    let span = Span::new(first.span.start, last.span.end);
    let is_public_name = is_public(span.of(text)) && promise != Promise::Own;
    let ends_a_thing = run.get(titles + names.len()).is_some_and(|word| word.class.is_organisation());
    if is_public_name || ends_a_thing {
        return None;
    }
    let is_apart = promise == Promise::Greeting && text[..at].trim_end().ends_with(',');
    let promised = confidence(names, promise).filter(|_| !is_apart);
    let confidence = promised.or_else(|| context_before::confidence(text, names, promise, titles > 0))?;
    Some(Match { span, confidence })
}

/// How sure the introduction and the names make us; `None` for not enough.
fn confidence(names: &[Word<'_>], promise: Promise) -> Option<f32> {
    let first = names[0].class;
    let last = names[names.len() - 1].class;
    let is_full = names.len() > 1;
    let is_known = first.is_plain_given() || (is_full && last.is_plain_surname());
    match promise {
        Promise::Own | Promise::Field if is_known || first.is_plain_surname() => Some(0.9),
        Promise::Own | Promise::Field if is_full => Some(0.85),
        Promise::Own => Some(0.7),
        Promise::Field => Some(0.6),
        Promise::AnyField if is_known && (is_full || last.is_plain_given()) => {
            Some(if is_full { 0.85 } else { 0.6 })
        }
        Promise::Person | Promise::Greeting if is_known && is_full => Some(0.85),
        Promise::Mention if is_known => Some(if is_full { 0.6 } else { 0.55 }),
        Promise::SignOff if is_known => Some(if is_full { 0.85 } else { 0.55 }),
        Promise::SignOff if is_full && names.len() < 4 => Some(0.6),
        _ => None,
    }
}
