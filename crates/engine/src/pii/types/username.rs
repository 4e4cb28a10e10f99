//! User names: names under which people sign in or post.

mod accounts;
mod handles;
mod words;

use std::sync::LazyLock;

use crate::{
    pii::{
        Match, PiiType, Scanner, commands,
        key_value::{Assignment, Sentences, Value},
        labelled::{self, Field, Kind, Sign},
        prose_credentials,
        tables::{Cell, Column},
        tagger::{MOST, tag::EntityClass},
    },
    span::Span,
};
use words::{BELIEVED, IN_SENTENCES, LOGS, NETWORKS, OWN, OWN_VERBS, PLAIN, SAID_OF_IT, TALK, VERBS};

/// A user name given after a label (`username: jdoe`, `login=…`) or a handle after its network's name (`twitter: @jdoe`).
///
/// The word after `user` in a sentence or a chat transcript (`User: hello`) is none.
pub struct Username;

static LOGGED: LazyLock<Sentences> = LazyLock::new(|| Sentences::new(&LOGS, &[""]));
static POSTED: LazyLock<Sentences> = LazyLock::new(|| Sentences::new(&OWN, &OWN_VERBS));
static SENTENCES: LazyLock<Sentences> = LazyLock::new(|| Sentences::new(&IN_SENTENCES, &VERBS));

impl PiiType for Username {
    fn name(&self) -> &'static str {
        "username"
    }

    fn find(&self, scan: &Scanner<'_>, found: &mut Vec<Match>) {
        let text = scan.text;
        let told = SENTENCES.values(text);
        found.extend(told.filter_map(|value| evaluate_stated(text, value)));
        let logged = scan.assignments().iter().filter_map(|found| logged(text, found));
        found.extend(logged.map(|span| Match { span, confidence: PLAIN }));
        let given = commands::credentials(text).map(|given| given.name);
        found.extend(given.filter(|span| is_name(span.of(text))).map(|span| Match { span, confidence: 0.8 }));
        found.extend(scan.cells().iter().filter_map(|cell| in_column(text, *cell)));
        found.extend(scan.assignments().iter().filter_map(|found| accounts::in_event(text, found)));
        found.extend(scan.assignments().iter().filter_map(|found| accounts::in_call(text, found)));
        accounts::find(text, found);
        let at_signs = memchr::memchr_iter(b'@', text.as_bytes());
        let handles = at_signs.filter_map(|at| handle(text, at));
        found.extend(handles.map(|span| Match { span, confidence: 0.85 }));
        let at_signs = memchr::memchr_iter(b'@', text.as_bytes());
        found.extend(
            at_signs.filter_map(|at| handles::in_prose(text, at).or_else(|| handles::signed_in(text, at))),
        );
        let in_logs = LOGGED.values(text).filter(|value| text[value.span.end..].starts_with(" from "));
        found
            .extend(in_logs.filter_map(|value| evaluate_stated(text, value).or_else(|| in_log(text, value))));
        found.extend(
            POSTED
                .values(text)
                .filter_map(|value| evaluate_stated(text, value))
                .map(|one| Match { confidence: PLAIN, ..one }),
        );
        let told = prose_credentials::credentials(text).filter(|told| is_scrambled(told.password.of(text)));
        let told = told.map(|told| told.name).filter(|span| is_name(span.of(text)));
        found.extend(told.map(|span| Match { span, confidence: PLAIN }));
        let is_one = |one: &Match| one.confidence >= BELIEVED && is_name(one.span.of(text));
        let seen = scan.tagged(EntityClass::Username).filter(is_one);
        found.extend(seen.map(|one| Match { confidence: one.confidence.min(MOST), ..one }));
    }

    fn labelled(&self, scan: &Scanner<'_>, field: &Field) -> Option<Match> {
        evaluate_field(scan.text, field)
    }
}

fn evaluate_field(text: &str, field: &Field) -> Option<Match> {
    let is_given = field.kind == Kind::Username && field.sign == Sign::Assigned;
    let value = Value { span: field.value.span, quoted: field.value.is_quoted || field.value.is_ended };
    is_given.then(|| evaluate(text, value)).flatten()
}

fn evaluate(text: &str, value: Value) -> Option<Match> {
    let name = value.span.of(text);
    if !value.quoted && is_column(text, value.span) {
        return None;
    }
    let distinct = name.contains(|c: char| c.is_ascii_digit() || matches!(c, '_' | '.' | '-'));
    let alone = || value.stands_alone(text) || text[value.span.end..].starts_with([',', ';', '|']);
    let confidence = if distinct { 0.8 } else { 0.65 };
    (is_name(name) && (distinct || alone())).then_some(Match { span: value.span, confidence })
}

// In a column beside others of people's data it is surer: programs have users too.
fn in_column(text: &str, cell: Cell) -> Option<Match> {
    let is_one = cell.column == Column::Username && is_name(cell.span.of(text));
    is_one.then_some(Match { span: cell.span, confidence: if cell.is_accompanied { 0.75 } else { PLAIN } })
}

// Sentences go on with plain words too: such a name has six letters, no ending of what is said of names, and a sign behind it.
fn evaluate_stated(text: &str, value: Value) -> Option<Match> {
    let distinct = evaluate(text, value).filter(|found| found.confidence > 0.7);
    let name = value.span.of(text);
    let rest = &text[value.span.end..];
    let is_plain = name.len() > 5 && name.bytes().all(|b| b.is_ascii_lowercase());
    let is_said = SAID_OF_IT.iter().any(|ending| name.ends_with(ending));
    let ends = rest.is_empty()
        || [",", ".", ";", "\n", " and", " und", " y "].iter().any(|sign| rest.starts_with(sign));
    // `MossyOtter`: no word of a sentence has a capital inside.
    let is_joined = name.len() > 5
        && name.bytes().all(|b| b.is_ascii_alphabetic())
        && name
            .as_bytes()
            .windows(2)
            .any(|pair| pair[0].is_ascii_lowercase() && pair[1].is_ascii_uppercase());
    let plain = || {
        ((is_plain && !is_said || is_joined) && ends && is_name(name))
            .then_some(Match { span: value.span, confidence: PLAIN })
    };
    distinct.or_else(plain)
}

// `user=jdoe ip=…`, as logs have it; in code a name is a word of its own kind or stands in quotes.
fn logged(text: &str, found: &Assignment) -> Option<Span> {
    let is_user = found.is_labelled(&["user"]);
    let value = is_user.then(|| found.value(text)).flatten().filter(|value| !value.quoted)?;
    let span = value.span;
    let is_tight = text[..span.start].ends_with('=') && !text[..span.start].ends_with(" =");
    let ends = [" ", "&", ";", "\n", "\t"].iter().any(|sign| text[span.end..].starts_with(sign));
    let is_lower = !span.of(text).contains(|c: char| c.is_uppercase());
    (is_tight && ends && is_lower && is_name(span.of(text))).then_some(span)
}

// The name of a line that a daemon wrote.
fn in_log(text: &str, value: Value) -> Option<Match> {
    let name = value.span.of(text);
    let is_private = is_name(name) && !handles::SHARED.contains(&name);
    is_private.then_some(Match { span: value.span, confidence: PLAIN })
}

// Returns whether it looks like a password, and not like the rest of a sentence.
fn is_scrambled(value: &str) -> bool {
    value.contains(|c: char| c.is_ascii_digit())
        || value.contains(['!', '#', '$', '%', '&', '*', '+', '?', '_'])
}

// `@name` behind the name of a network.
fn handle(text: &str, at: usize) -> Option<Span> {
    let before = text[..at].trim_end_matches([' ', ':', '(']);
    let network = NETWORKS.iter().find(|network| {
        let start = before.len().checked_sub(network.len());
        start.and_then(|start| before.get(start..)).is_some_and(|word| word.eq_ignore_ascii_case(network))
    });
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
    let length = text[at + 1..].bytes().take(40).take_while(part).count();
    let span = Span::new(at, at + 1 + text[at + 1..at + 1 + length].trim_end_matches('.').len());
    (network.is_some() && before.len() < at && (4..=31).contains(&span.len())).then_some(span)
}

// `u.id` behind `=`: a column, or a member of something.
fn is_column(text: &str, span: Span) -> bool {
    let is_part = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    let Some((object, member)) = span.of(text).split_once('.').filter(|(a, b)| is_part(a) && is_part(b))
    else {
        return false;
    };
    let before = text[..span.start].trim_end_matches(' ');
    let is_key =
        |part: &str| ["id", "name", "user", "login", "key", "uid"].iter().any(|key| part.ends_with(key));
    before.ends_with('=') && (is_key(member) || is_key(object) || text[..span.start].ends_with("= "))
}

fn is_name(value: &str) -> bool {
    let in_form = value.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '-'));
    let is_talk = TALK.iter().any(|word| word.eq_ignore_ascii_case(value))
        || labelled::is_remark(&value.to_lowercase());
    // `request.user`, `user_input`: a variable, unless a digit stands in it.
    let is_member = ["request.", "user.", "self.", "this.", "user_", "req.", "args.", "data.", "config."]
        .iter()
        .any(|start| value.starts_with(start));
    (3..=32).contains(&value.chars().count())
        && in_form
        && value.starts_with(char::is_alphanumeric)
        && value.contains(char::is_alphabetic)
        && !is_talk
        && !is_member
}

#[cfg(test)]
mod tests;
