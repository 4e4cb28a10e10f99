//! Demands for endless or excessive output.

use std::sync::LazyLock;

use regex::Regex;

use super::words::{
    AGAIN_FOR_EACH, CALL_YOURSELF, EACH, FOREVER, FORK_BOMB, GO_ON, NEVER_STOP, RECURSE, REPEAT, REPEAT_LAST,
    RUN, THING,
};
use crate::{
    evidence::Part,
    pii::nearby::next_digit,
    regex::pattern,
    rules::{Placement, Rule, RuleMatch, with_encoding},
    span::Span,
    text::View,
};

/// Returns the absurd amounts of output that `part` demands.
pub fn amounts(part: &Part<'_>) -> Vec<RuleMatch> {
    part.text.views().iter().flat_map(absurd).collect()
}

/// Wordings of endless and recursive demands.
pub static RULES: &[Rule] = &[
    Rule {
        evidence: "demands endless repetition",
        precision: 0.8,
        steps: &[(REPEAT, 0), (THING, 16), (FOREVER, 72)],
        placement: Placement::Order,
    },
    Rule {
        evidence: "demands endless repetition",
        precision: 0.8,
        steps: &[(THING, 0), (FOREVER, 48), (REPEAT_LAST, 32)],
        placement: Placement::Phrase,
    },
    Rule {
        evidence: "demands endless output",
        precision: 0.8,
        steps: &[(GO_ON, 0), (FOREVER, 48)],
        placement: Placement::Order,
    },
    Rule {
        evidence: "demands endless output",
        precision: 0.75,
        steps: &[(NEVER_STOP, 0)],
        placement: Placement::Order,
    },
    Rule {
        evidence: "demands recursive expansion",
        precision: 0.75,
        steps: &[(EACH, 0), (AGAIN_FOR_EACH, 140)],
        placement: Placement::Anywhere,
    },
    Rule {
        evidence: "demands recursive expansion",
        precision: 0.8,
        steps: &[(RECURSE, 0), (FOREVER, 80)],
        placement: Placement::Anywhere,
    },
    Rule {
        evidence: "demands that the model calls itself",
        precision: 0.75,
        steps: &[(CALL_YOURSELF, 0)],
        placement: Placement::Order,
    },
    Rule {
        evidence: "demands that a fork bomb is expanded",
        precision: 0.75,
        steps: &[(RUN, 0), (FORK_BOMB, 48)],
        placement: Placement::Order,
    },
];

/// A verb, a number of five digits or more, and what is to be made so often.
static AMOUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xi)\b(?:repeat|write|say|print|generate|give|output|produce|create|compose|schreib\w*|wiederhol\w*|écri\w+|répèt\w*|escrib\w+|repit\w+|scriv\w+|ripet\w+
          |escrev\w+|napisz|powtórz|напиши\w*|повтори\w*)\b [^.!?\n]{0,48}?
          \b(\d{1,3}(?:[,.]\d{3})+|\d{5,}) [\ -]
          (words?|times|pages|paragraphs|essays|poems|stories|sentences|chapters|copies|wörter|worte|mal|seiten|mots|fois|pages|palabras|veces|páginas|parole|volte|pagine
          |palavras|vezes|słów|razy|слов|раз|страниц)\b",
    )
});

/// Counting to a number of six digits or more.
static COUNT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xi)\b(?:count|list|print|write|enumerate|say|output|zähl\w*|compt\w+|cuent\w+|list\w*)\b [^.!?\n]{0,48}?
          \b(?:from|between|von|de|desde)\ (?:0|1|one|zero)\ (?:to|and|through|until|up\ to|bis|à|hasta|a)\ 
          (?:\d{1,3}(?:[,.]\d{3})+|\d{6,}|10\^\d+|10\*\*\d+|(?:a|one|ten)\ (?:million|billion|trillion)|infinity)",
    )
});

/// All of something of which there is no end.
static ALL: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?xi)\b(?:list|print|write|enumerate|output|give\ me|recite)\ (?:out\ )?(?:every|all(?:\ of)?(?:\ the)?)\ (?:single\ )?
          (?:prime\ numbers?|primes?|(?:decimal\ )?digits?\ of\ pi)\b[^.!?\n]{0,48}",
    )
});

/// What shows that a program is asked for, or that there is a limit after all.
const SANE: &[&str] = &[
    "code",
    "script",
    "function",
    "program",
    "query",
    "loop",
    "regex",
    "test",
    "algorithm",
    "method",
    "below",
    "under",
    "less than",
    "smaller",
    "up to",
    "between",
    "from",
    "first",
    "until",
    "array",
    "file",
    "python",
    "java",
    "fewer",
    "at most",
    "max",
    "no more",
];

/// Whether one of `hints` stands in `text`. Most texts show none, and are spared the regular expressions.
fn shows(text: &str, hints: &[&str]) -> bool {
    hints.iter().any(|hint| memchr::memmem::find(text.as_bytes(), hint.as_bytes()).is_some())
}

/// Whether a number of five digits or more stands in `text`, thousands set apart or not.
fn has_large_number(text: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some(first) = next_digit(rest, 0) {
        let is_part = |byte: &&u8| byte.is_ascii_digit() || matches!(byte, b',' | b'.');
        let length = rest[first..].iter().take_while(is_part).count();
        let (number, after) = rest[first..].split_at(length);
        if number.iter().filter(|byte| byte.is_ascii_digit()).count() >= 5 {
            return true;
        }
        rest = after;
    }
    false
}

fn absurd(view: &View<'_>) -> Vec<RuleMatch> {
    let text = &*view.text;
    let large = has_large_number(text) || shows(text, &["illion", "10^", "10**", "nfinity"]);
    let endless = shows(text, &["prime number", "primes", "every prime", "igits of pi", "igit of pi"]);
    let find = |regex: &'static LazyLock<Regex>, what: &'static str, is_sane: fn(&str) -> bool| {
        let found = regex.find_iter(text).find(|found| !is_sane(&found.as_str().to_lowercase()))?;
        let span = view.original(Span::new(found.start(), found.end()));
        Some(RuleMatch { precision: 0.75, span, evidence: with_encoding(what, &view.transforms) })
    };
    let about_code = |found: &str| SANE[..10].iter().any(|word| found.contains(word));
    let limited = |found: &str| SANE.iter().any(|word| found.contains(word));
    let amount = || find(&AMOUNT, "demands an absurd amount", about_code);
    let count = || find(&COUNT, "demands to count without reason", about_code);
    let all = || find(&ALL, "demands all of what has no end", limited);
    let matches = [large.then(amount), large.then(count), endless.then(all)];
    matches.into_iter().flatten().flatten().collect()
}
