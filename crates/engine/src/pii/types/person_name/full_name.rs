//! Names recognized without context: a given name with a surname, or a title with a name.

use super::{
    around, bare, context_after, initials, inverted,
    lists::{is_public, looks_like_surname},
    not_names,
    notability::{is_public_talk, stands_beside_private_details},
    words::{self, Word},
};
use crate::{pii::Match, span::Span};

/// The names in `text` that a title or their own words give away.
pub(super) fn find(text: &str, found: &mut Vec<Match>) {
    words::each_run(text, |run| {
        if let Some(whole) = inverted::find(text, run)
            .or_else(|| initials::find(text, run))
            .or_else(|| capital_line(text, run))
        {
            found.push(whole);
            return;
        }
        let mut at = 0;
        while at < run.len() {
            let several = titled(text, run, at, found).or_else(|| paired(text, run, at, found));
            if several.is_none() && at == 0 {
                let one = with_address(text, run).or_else(|| context_after::find(text, run));
                found.extend(one.or_else(|| bare::find(text, run)).or_else(|| hyphenated(text, run)));
            }
            at += several.unwrap_or(1);
        }
    });
}

/// What is named after people.
const NAMED_AFTER: [&str; 18] = [
    "act",
    "algorithm",
    "amendment",
    "criteri",
    "disease",
    "distribution",
    "effect",
    "equation",
    "experiment",
    "function",
    "inequality",
    "law",
    "line",
    "method",
    "model",
    "syndrome",
    "test",
    "theor",
];
/// Confidence at most of a name without private details beside it.
const ALONE: f32 = 0.6;

/// A name in capitals alone on its line, as in a list of people.
fn capital_line(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let [given, rest @ ..] = run else { return None };
    let span = Span::new(given.span.start, rest.last()?.span.end);
    let line = text[..span.start].rfind('\n').map_or(0, |end| end + 1);
    let is_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '*' | ' ' | '\t');
    let is_alone = text[line..span.start].chars().all(is_number)
        && text[span.end..].trim_start_matches([' ', '\r']).chars().next().is_none_or(|next| next == '\n');
    let may_be = |word: &Word<'_>| !word.class.is_everyday() && !word.class.is_organisation();
    let is_name = given.class.can_begin_name()
        && rest.len() < 5
        && rest.iter().all(may_be)
        && !span.of(text).contains(|c: char| c.is_lowercase() || matches!(c, ',' | ';' | '|'));
    (is_alone && is_name && !is_public(span.of(text))).then_some(Match { span, confidence: ALONE })
}

/// A title and the one to three names after it; how many words that was.
fn titled(text: &str, run: &[Word<'_>], at: usize, found: &mut Vec<Match>) -> Option<usize> {
    let title = run[at].class.is_title().then_some(run[at])?;
    let names =
        run[at + 1..].iter().take(3).take_while(|word| !word.class.is_everyday() && !word.class.is_title());
    let count = names.count();
    let (first, last) = (run.get(at + 1)?, run.get(at + count)?);
    let is_known = first.class.is_given() || first.class.is_surname() || looks_like_surname(first.text);
    if count == 1 && not_names::is_one(first.text) {
        return None;
    }
    let follows = run.get(at + 1 + count).is_some_and(|word| word.class.is_organisation());
    if count == 0 || follows || (title.class.is_weak_title() && !is_known) {
        return None;
    }
    let span = Span::new(first.span.start, last.span.end);
    push(
        text,
        run,
        (at + 1, at + count),
        Match { span, confidence: if is_known { 0.9 } else { 0.6 } },
        found,
    );
    Some(count + 1)
}

/// A given name, perhaps a second or an initial, and a surname; how many words that was.
fn paired(text: &str, run: &[Word<'_>], at: usize, found: &mut Vec<Match>) -> Option<usize> {
    let given = run[at].class.can_begin_name().then_some(run[at])?;
    let middle = run[at + 1..].iter().take_while(|word| is_middle(word)).count();
    let mut last = at + 1 + middle;
    if run.get(last).is_none_or(|word| word.class.is_everyday()) && middle > 0 {
        last -= 1;
    }
    let confidence = confidence(&given, run.get(last)?, last > at + 1)?;
    last += run[last + 1..].iter().take(1).filter(|word| continues(word)).count();
    let is_place = |word: &Word<'_>| word.class.is_organisation() && !word.class.is_surname();
    if run.get(last + 1).is_some_and(is_place) || (at > 0 && is_place(&run[at - 1])) {
        return Some(last + 1 - at);
    }
    let span = Span::new(given.span.start, run[last].span.end);
    push(text, run, (at, last), Match { span, confidence }, found);
    Some(last + 1 - at)
}

/// A given name alone, right before an e-mail address: `Jane <jane@example.com>`.
fn with_address(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let [word] = run else { return None };
    let (_, after) = around(text, word.span, 40);
    let address = after.strip_prefix(" <").or_else(|| after.strip_prefix(" ("))?;
    let name = address.find(|c: char| !(c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+')))?;
    let is_address = name > 0 && address[name..].starts_with('@');
    (is_address && word.class.is_plain_given()).then_some(Match { span: word.span, confidence: 0.55 })
}

/// Two surnames with a hyphen, as people have and a few laws and methods (`the Mason-Dixon line`).
fn hyphenated(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let [word] = run else { return None };
    let is_name = word.text.contains('-') && word.class.is_plain_surname();
    let goes_on = text[word.span.end..]
        .strip_prefix(' ')
        .is_some_and(|rest| NAMED_AFTER.iter().any(|thing| rest.starts_with(thing)));
    (is_name && !goes_on).then_some(Match { span: word.span, confidence: 0.55 })
}

/// A second surname, or the surname after a patronymic.
fn continues(word: &Word<'_>) -> bool {
    word.class.is_plain_surname() || (word.class.is_unknown() && looks_like_surname(word.text))
}

fn is_middle(word: &Word<'_>) -> bool {
    let is_given = word.class.can_begin_name() && !word.class.is_surname();
    let is_particle = || words::PARTICLES.iter().any(|particle| particle.eq_ignore_ascii_case(word.text));
    word.is_initial() || is_given || is_particle()
}

/// How sure a given name and the last word make a name of a person; `None` for not at all.
fn confidence(given: &Word<'_>, last: &Word<'_>, has_middle: bool) -> Option<f32> {
    let surname = last.class;
    let shouts = surname.is_unknown() && last.text.chars().all(|c| c.is_uppercase() || !c.is_alphabetic());
    if last.is_initial() || shouts || (surname.is_everyday() && !looks_like_surname(last.text)) {
        return None;
    }
    if given.class.is_plain_given() {
        let unknown = if has_middle || looks_like_surname(last.text) { 0.75 } else { 0.45 };
        let known = if surname.is_plain_surname() { 0.75 } else { 0.65 };
        return (surname.is_surname() || surname.is_unknown()).then_some(if surname.is_unknown() {
            unknown
        } else {
            known
        });
    }
    (surname.is_plain_surname() || looks_like_surname(last.text)).then_some(0.7)
}

/// Adds the find unless it is a person of public record without private details beside.
fn push(text: &str, run: &[Word<'_>], (first, last): (usize, usize), find: Match, found: &mut Vec<Match>) {
    let is_known_person = names_someone_public(text, run, first, last);
    let is_private = stands_beside_private_details(text, find.span);
    if is_known_person && !is_private {
        return;
    }
    let confidence = match find.confidence {
        _ if !is_known_person && is_public_talk(text, find.span) => 0.4,
        unsure if unsure < 0.5 && is_private => 0.6,
        sure if is_private => sure,
        // Texts of every kind name people; a name alone is worth masking, not worth stopping a text.
        sure => sure.min(ALONE),
    };
    if confidence > 0.4 {
        found.push(Match { confidence, ..find });
    }
}

fn names_someone_public(text: &str, run: &[Word<'_>], first: usize, last: usize) -> bool {
    let starts = first.saturating_sub(1)..=last;
    starts.flat_map(|start| (start..=last + 1).map(move |end| (start, end))).any(|(start, end)| {
        let covers = end >= first && (end > start || first == last);
        covers && end < run.len() && is_public(&text[run[start].span.start..run[end].span.end])
    })
}
