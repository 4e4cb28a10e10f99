//! Email addresses written to evade programs: `name [at] host [dot] tld`.

use std::sync::LazyLock;

use regex::Regex;

use crate::{pii::Match, regex::pattern, span::Span, text::char_boundary};

/// How far around the sign of an `at` an address is looked for, in bytes.
const REACH: usize = 100;

/// Words for the sign of an address and for its dots, in brackets.
const ATS: [&str; 14] = [
    "at",
    "@",
    "a",
    "ät",
    "arroba",
    "chiocciola",
    "apenstaartje",
    "malpa",
    "małpa",
    "kukac",
    "zavináč",
    "snabel-a",
    "собака",
    "klammeraffe",
];
const DOTS: &str = r"dot|punkt|punto|point|ponto|punt|kropka|pont|tečka|nokta|piste|prikk|точка|\.";
const TOPS: &str =
    "com|org|net|edu|gov|io|de|uk|fr|es|it|nl|pl|ru|in|cn|jp|br|mx|au|ca|ch|at|eu|info|dev|me|co";

static BRACKETED: LazyLock<Regex> = LazyLock::new(|| {
    let ats = ATS.join("|");
    let at = format!(r"[ ]{{0,2}}[\[({{<][ ]?(?:{ats})[ ]?[\])}}>][ ]{{0,2}}");
    let spelled = format!(r"[ ]{{0,2}}[\[({{<][ ]?(?:{DOTS})[ ]?[\])}}>][ ]{{0,2}}|[ ](?:dot|DOT)[ ]");
    pattern(&format!(
        r"(?i-u)\b[a-z0-9._+-]{{1,64}}(?:(?:{spelled})[a-z0-9._+-]{{1,64}}){{0,3}}{at}[a-z0-9-]{{1,63}}(?:(?:\.|{spelled})[a-z0-9-]{{1,63}}){{0,3}}(?:\.|{spelled})[a-z]{{2,12}}\b"
    ))
});

/// `name @ host.tld`.
static SPACED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(r"(?i-u)\b[a-z0-9._+-]{{3,64}} @ (?:[a-z0-9-]{{2,63}}\.){{1,3}}(?:{TOPS})\b"))
});

static SPELLED: LazyLock<Regex> = LazyLock::new(|| {
    pattern(&format!(
        r"(?i-u)\b[a-z0-9._+-]{{1,64}}(?: dot [a-z0-9-]{{1,63}}){{0,3}} at [a-z0-9-]{{1,63}}(?: dot [a-z0-9-]{{1,63}}){{0,2}} dot (?:{TOPS})\b"
    ))
});

/// Adds the addresses that are spelled out in `text`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    let bytes = text.as_bytes();
    let brackets =
        memchr::memchr3_iter(b'[', b'(', b'{', bytes).filter(|place| opens_at(&bytes[place + 1..]));
    search(text, brackets, &BRACKETED, 0.95, found);
    let tags = memchr::memchr_iter(b'<', bytes).filter(|place| opens_at(&bytes[place + 1..]));
    search(text, tags, &BRACKETED, 0.95, found);
    search(text, memchr::memmem::find_iter(bytes, b" @ "), &SPACED, 0.6, found);
    search(text, memchr::memmem::find_iter(bytes, b" dot "), &SPELLED, 0.85, found);
    search(text, memchr::memmem::find_iter(bytes, b" DOT "), &SPELLED, 0.85, found);
}

fn opens_at(rest: &[u8]) -> bool {
    let rest = rest.strip_prefix(b" ").unwrap_or(rest);
    let begins =
        |at: &&&str| rest.get(..at.len()).is_some_and(|word| word.eq_ignore_ascii_case(at.as_bytes()));
    ATS.iter().filter(begins).any(|at| matches!(rest.get(at.len()), Some(b' ' | b']' | b')' | b'}' | b'>')))
}

fn search(
    text: &str,
    signs: impl Iterator<Item = usize>,
    form: &Regex,
    confidence: f32,
    found: &mut Vec<Match>,
) {
    let mut done = 0;
    for sign in signs {
        if sign < done {
            continue;
        }
        let start = char_boundary::floor(text, sign.saturating_sub(REACH).max(done));
        let end = char_boundary::ceil(text, sign + REACH);
        let Some(hit) = form.find(&text[start..end]) else { continue };
        let span = Span::new(start + hit.start(), start + hit.end());
        done = span.end;
        found.push(Match { span, confidence });
    }
}
