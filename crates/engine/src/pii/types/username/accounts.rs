//! Account names in sentences, chats and logs: `user jdoe42 locked out`, `[10/Oct/2000:13:55:36`.

use std::sync::LazyLock;

use regex::Regex;

use super::{PLAIN, handles::SHARED, is_name};
use crate::{
    pii::{Match, key_value::Assignment},
    regex::pattern,
    span::Span,
};

/// Characters of the longest name. Regular expressions that counted so many letters of any script would be too large for
/// an automaton, and slow.
const LONGEST: usize = 32;
/// Letters in a row that a name has which digits or a point tell from other words.
const LETTERS: usize = 4;
/// Words that stand before a password without being a name.
const CONJUNCTIONS: [&str; 4] = ["and", "the", "with", "whose"];
/// What follows the point in names of files and hosts.
const ENDINGS: [&str; 16] = [
    "rs", "py", "js", "ts", "md", "txt", "html", "json", "yml", "yaml", "toml", "log", "com", "org", "net",
    "io",
];

/// Behind words for an account or for signing in, and before what is said in a chat.
static SPOKEN: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?x)(?:[Ss]ign(?:ed|ing)?\ in\ as|[Ll]og(?:ged|ging)?\ (?:in|on)\ as|(?-u:\b)(?:[Uu]ser|[Aa]ccount|[Uu]tente|[Bb]enutzer|[Uu]tilisateur
            |[Uu]suario|[Uu]suário|[Gg]ebruiker|[Uu]żytkownik|[Ii]nlog|[Kk]ullanıcı|(?:pm|dm|message)s?\ from)):?\ ([\w.]{4,})
            |(?m:^\[?\d{1,2}:\d{2}(?::\d{2})?\]?\ <?([\w.]{4,})>?:\ )",
    )
});

/// Before a password that is told as well: `user mossfern, old pw was …`.
static WITH_PASSWORD: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i)(?-u:\b)user:? ([\w.-]{3,}),? (?:(?:and|with|the|my|his|her|old|new) ){0,2}(?:pw|pwd|pass|password) (?:is|was|=|:)",
    )
});

/// The third field of a line in the Common Log Format (Apache HTTP Server, `mod_log_config`).
static LOG_LINE: LazyLock<Regex> =
    LazyLock::new(|| pattern(r"[\da-f] - ([\w.-]{3,}) \[\d{1,2}/[A-Z][a-z]{2}/\d{4}:"));

/// The accounts in `text`.
pub(super) fn find(text: &str, found: &mut Vec<Match>) {
    let spoken = SPOKEN.captures_iter(text);
    let spoken = spoken.filter_map(|all| all.get(1).or_else(|| all.get(2)));
    let name =
        |at: regex::Match<'_>| Span::new(at.start(), at.start() + at.as_str().trim_end_matches('.').len());
    let spoken = spoken.map(name).filter(|span| is_distinct(span.of(text)) && !is_called(text, *span));
    let logged = LOG_LINE.captures_iter(text).filter_map(|all| all.get(1)).map(name);
    let with_password = WITH_PASSWORD
        .captures_iter(text)
        .filter_map(|all| all.get(1))
        .map(name)
        .filter(|span| !CONJUNCTIONS.contains(&span.of(text)));
    let private = spoken.chain(logged).chain(with_password).filter(|span| is_private(span.of(text)));
    found.extend(private.map(|span| Match { span, confidence: PLAIN }));
}

/// The value of `user="jdoe", password="…"`, as calls have it.
pub(super) fn in_call(text: &str, assignment: &Assignment) -> Option<Match> {
    let value = assignment.is_labelled(&["user"]).then(|| assignment.value(text)).flatten()?;
    let rest = text[value.span.end..].strip_prefix(['"', '\''])?.trim_start_matches([',', ' ', '"', '\'']);
    let goes_on = ["password", "passwd", "pwd", "pass"].iter().any(|label| rest.starts_with(label));
    let is_one = value.quoted && goes_on && is_private(value.span.of(text));
    is_one.then_some(Match { span: value.span, confidence: PLAIN })
}

/// The value of `"user": "jdoe"`, as events have it.
pub(super) fn in_event(text: &str, assignment: &Assignment) -> Option<Match> {
    let value = assignment.is_labelled(&["user"]).then(|| assignment.value(text)).flatten()?;
    let is_key =
        text[..value.span.start].trim_end_matches(['"', '\'', ' ', ':']).len() + 3 <= value.span.start;
    let name = value.span.of(text);
    let is_lower = name.len() > LETTERS && !name.contains(char::is_uppercase);
    (value.quoted && is_key && is_lower && is_private(name))
        .then_some(Match { span: value.span, confidence: PLAIN })
}

fn is_private(name: &str) -> bool {
    is_name(name) && !SHARED.contains(&name) && name.chars().count() <= LONGEST
}

/// A word with a number behind it, or two with a point between: what no sentence goes on with.
fn is_distinct(name: &str) -> bool {
    let letters = name.chars().take_while(|c| c.is_alphabetic() || *c == '_').count();
    let has_digit = letters >= LETTERS && name.contains(|c: char| c.is_ascii_digit());
    let is_pointed = name.rsplit_once('.').is_some_and(|(first, last)| {
        let is_part = |part: &str| {
            !part.is_empty() && part.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit())
        };
        is_part(first) && is_part(last) && first.len().max(last.len()) >= LETTERS && !ENDINGS.contains(&last)
    });
    has_digit || is_pointed
}

/// `user find_all2(…)`: a function.
fn is_called(text: &str, span: Span) -> bool {
    text[span.end..].starts_with(['(', '/', '=', '-', '[', '@'])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<&str> {
        let mut found = Vec::new();
        find(text, &mut found);
        found.iter().map(|one| one.span.of(text)).collect()
    }

    #[test]
    fn accounts_are_spoken_of() {
        for (text, name) in [
            ("Ticket 7: user mossyfern42 locked out", "mossyfern42"),
            ("Sign in as moss.fern and change it", "moss.fern"),
            ("got a dm from mossfern66?", "mossfern66"),
            ("Benutzer: moss.f", "moss.f"),
            ("can you reset it? user mossfern, old pw was x", "mossfern"),
            ("user moss-fern and password is on the note", "moss-fern"),
            ("L'utente mossfern1 ha effettuato l'accesso", "mossfern1"),
            ("11:20 moss.fern: lol no\n11:21 hi", "moss.fern"),
            ("10.20.30.40 - mossfern [12/Oct/2025:15:30:55 +0000] \"POST /login HTTP/1.1\" 401", "mossfern"),
        ] {
            assert_eq!(found(text), [name], "{text}");
        }
    }

    #[test]
    fn other_words_behind_them_are_no_accounts() {
        for text in [
            "The user account was locked, user agents vary",
            "user auth.rs and account settings.json",
            "log in as usual, sign in as admin",
            "User: hello there",
            "user e.g. a guest",
            "account sha256 of it",
            "09:30 Registration: hall 2",
            "the user and password is the same",
            "user name and password is required",
            "user guide2(1)",
            "user mossfernmossfernmossfernmossfern42",
            "10.20.30.40 - - [12/Oct/2025:15:30:55 +0000] \"GET / HTTP/1.1\" 200",
        ] {
            assert_eq!(found(text), [""; 0], "{text}");
        }
    }
}
