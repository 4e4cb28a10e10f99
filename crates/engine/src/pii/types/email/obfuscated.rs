//! Email addresses written to evade programs: `name [at] host [dot] tld`.

use std::sync::LazyLock;

use regex::Regex;

use crate::{pii::Match, regex::pattern, span::Span, text::char_boundary};

/// How far around the sign of an `at` an address is looked for, in bytes.
const REACH: usize = 100;

static BRACKETED: LazyLock<Regex> = LazyLock::new(|| {
    let at = r"[ ]{0,2}[\[({<][ ]?(?:at|@)[ ]?[\])}>][ ]{0,2}";
    let dot = r"(?:\.|[ ]{0,2}[\[({<][ ]?(?:dot|\.)[ ]?[\])}>][ ]{0,2}|[ ](?:dot|DOT)[ ])";
    pattern(&format!(
        r"(?i-u)\b[a-z0-9._+-]{{1,64}}{at}[a-z0-9-]{{1,63}}(?:{dot}[a-z0-9-]{{1,63}}){{0,3}}{dot}[a-z]{{2,12}}\b"
    ))
});

static SPELLED: LazyLock<Regex> = LazyLock::new(|| {
    let tops = "com|org|net|edu|gov|io|de|uk|fr|es|it|nl|pl|ru|in|cn|jp|br|mx|au|ca|ch|at|eu|info|dev|me|co";
    pattern(&format!(
        r"(?i-u)\b[a-z0-9._+-]{{1,64}}(?: dot [a-z0-9-]{{1,63}}){{0,3}} at [a-z0-9-]{{1,63}}(?: dot [a-z0-9-]{{1,63}}){{0,2}} dot (?:{tops})\b"
    ))
});

/// Adds the addresses that are spelled out in `text`.
pub fn find(text: &str, found: &mut Vec<Match>) {
    let bytes = text.as_bytes();
    let brackets =
        memchr::memchr3_iter(b'[', b'(', b'{', bytes).filter(|place| opens_at(&bytes[place + 1..]));
    search(text, brackets, &BRACKETED, 0.95, found);
    search(text, memchr::memmem::find_iter(bytes, b" dot "), &SPELLED, 0.85, found);
}

fn opens_at(rest: &[u8]) -> bool {
    let word = rest.strip_prefix(b" ").unwrap_or(rest);
    word.starts_with(b"@") || word.get(..2).is_some_and(|word| word.eq_ignore_ascii_case(b"at"))
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
