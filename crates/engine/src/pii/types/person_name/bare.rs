//! Single names in a sentence: `picked up Noor on Friday`, `Odile asked whether …`, `Jordan was born in …`.

use std::{collections::HashSet, sync::LazyLock};

use super::{
    context_after::begins_sentence,
    context_before::{goes_no_further, may_name},
    lists::is_public,
    notability::is_public_talk,
    words::Word,
};
use crate::pii::{Match, nearby};

/// Confidence of one name alone; worth masking, not worth stopping a text.
const ALONE: f32 = 0.5;

/// What people do, and companies, countries and programs too.
const DONE: &str = "said says told tells asked asks called calls emailed texted replied answered explained mentioned agreed \
    refused promised confirmed reviewed submitted filed signed completed scheduled handled prepared presented organized \
    organised coordinated chaired manages testified administered debugged graduated retired resigned forgot phoned rang \
    apologised apologized complained insisted suggested married divorced cancelled canceled thinks thought wants wanted";
/// What is done, and was, by all things alike: whose it is must be a given name.
const BEEN: &str = "is was has had will can can't won't didn't doesn't isn't wasn't hasn't went came led managed knows knew needs \
    needed lives lived works worked hopes hoped paid owes bought ordered sent visited arrived joined helped took gave met missed";
/// What people alone do.
const LIVED: [&str; 32] = [
    "was born",
    "graduated ",
    "emailed ",
    "texted ",
    "phoned ",
    "told me",
    "told us",
    "told him",
    "told her",
    "told the ",
    "retired ",
    "resigned ",
    "married ",
    "reviewed ",
    "completed ",
    "prepared ",
    "scheduled ",
    "handled ",
    "administered ",
    "testified ",
    "debugged ",
    "organized ",
    "coordinated ",
    "chaired ",
    "called me",
    "called to ",
    "called her",
    "called his",
    "asked me",
    "asked her",
    "asked his",
    "lives in ",
];
/// Words before what is no person: `a Henry`, `two Shirleys`, `the Kevin bug`.
const BEFORE_THINGS: &str = "a an the this that these those one two three four no any some each every der die das den dem ein \
    eine einen le les un une el los las una il lo gli het een named called by";
/// Names that examples are told of.
const EXAMPLES: [&str; 8] = ["Alice", "Bob", "Eve", "Mallory", "Trent", "Siri", "Alexa", "Cortana"];

static DEEDS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| DONE.split_whitespace().collect());
static STATES: LazyLock<HashSet<&'static str>> = LazyLock::new(|| BEEN.split_whitespace().collect());
static THINGS: LazyLock<HashSet<&'static str>> = LazyLock::new(|| BEFORE_THINGS.split_whitespace().collect());

/// A known name that nothing else stands beside.
pub(super) fn find(text: &str, run: &[Word<'_>]) -> Option<Match> {
    let [word] = run else { return None };
    if !(word.class.is_given() || word.class.is_surname()) {
        return None;
    }
    let begins = begins_sentence(text, word.span.start);
    let next = next_word(text, word);
    let is_person = if word.class.is_plain_given() {
        let does = || DEEDS.contains(next) || STATES.contains(next);
        !EXAMPLES.contains(&word.text) && if begins { does() } else { !is_thing(text, word) }
    } else if word.class.is_plain_surname() && !begins {
        DEEDS.contains(next) && !is_thing(text, word)
    } else {
        let may_be = word.class.is_given() || word.class.is_plain_surname();
        may_be && begins && LIVED.iter().any(|lived| follows(text, word).starts_with(lived))
    };
    let is_private = is_person
        && may_name(word)
        && !text[..word.span.start].ends_with("St. ")
        && goes_no_further(text, word.span.end)
        && !is_public(word.text)
        && !is_public_talk(text, word.span);
    is_private.then_some(Match { span: word.span, confidence: ALONE })
}

/// What follows the word behind a blank.
fn follows<'t>(text: &'t str, word: &Word<'_>) -> &'t str {
    text[word.span.end..].strip_prefix(' ').unwrap_or_default()
}

fn next_word<'t>(text: &'t str, word: &Word<'_>) -> &'t str {
    let rest = follows(text, word);
    &rest[..rest.find(|c: char| !c.is_ascii_lowercase() && c != '\'').unwrap_or(rest.len())]
}

/// Whether the word before it, or a hyphen, says that it is no person.
fn is_thing(text: &str, word: &Word<'_>) -> bool {
    let before = nearby::before(text, word.span.start, 16);
    let last = before.strip_suffix(' ').unwrap_or_default();
    let last = last.rsplit(|c: char| !c.is_alphabetic() && c != '-').next().unwrap_or_default();
    last.is_empty() || last.contains('-') || THINGS.contains(last)
}
